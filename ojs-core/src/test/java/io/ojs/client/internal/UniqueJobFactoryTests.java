package io.ojs.client.internal;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.unique.UniqueKeys;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import io.ojs.retry.RetryPolicy;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.internal.ThreadTenants;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Unique jobs out of requests: the policy in the envelope, the key beside it.
 */
class UniqueJobFactoryTests {

	private final JobFactory jobs = factory(null);

	private static JobFactory factory(String secret) {
		JobHandlers handlers = new JobHandlers(List.of());
		return new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), new JsonJobCodec(), Clock.systemUTC(),
				JobFactory.DEFAULT_MAX_ENVELOPE_BYTES, new UniqueKeys(secret));
	}

	@Test
	void policyIsInTheEnvelopeAndTheKeyBesideIt() {
		JobRequest request = JobRequest.of("invoice.render", new Invoice(4711, "de"))
			.unique((unique) -> unique.argsKeys("number").period(Duration.ofHours(1)))
			.unique((unique) -> unique.onConflict(OnConflict.IGNORE));
		EncodedJob encoded = this.jobs.create(request);
		UniquePolicy expected = UniquePolicy.DEFAULT.argsKeys("number")
			.period(Duration.ofHours(1))
			.onConflict(OnConflict.IGNORE);
		assertThat(encoded.job().unique()).isEqualTo(expected.without(UniqueDimension.VERSION));
		assertThat(new JsonJobCodec().decode(encoded.body())).isEqualTo(encoded.job());
		assertThat(encoded.uniqueKey()).matches("[0-9a-f]{64}")
			.isEqualTo(this.jobs.create(request).uniqueKey())
			.isEqualTo(key(JobRequest.of("invoice.render", Map.of("number", 4711)).unique(expected)))
			.isNotEqualTo(key(JobRequest.of("invoice.render", new Invoice(4712, "de")).unique(expected)));
		assertThat(factory("a secret of this store").create(request).uniqueKey()).matches("[0-9a-f]{64}")
			.isNotEqualTo(encoded.uniqueKey());
	}

	@Test
	void jobWithoutAPolicyHasNoKey() {
		JobRequest request = JobRequest.of("a.b").unique(UniquePolicy.DEFAULT).unique((UniquePolicy) null);
		assertThat(this.jobs.create(request).uniqueKey()).isNull();
		assertThat(this.jobs.create(request).job().unique()).isNull();
	}

	@Test
	void policySurvivesEveryOtherChangeOfTheRequest() {
		JobRequest request = JobRequest.of("a.b")
			.unique(UniquePolicy.DEFAULT)
			.id("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f")
			.queue("q")
			.meta("k", 1)
			.tags("t")
			.priority(1)
			.timeout(Duration.ofSeconds(1))
			.scheduledAt("2026-03-15T09:30:00Z")
			.expiresAt("2096-03-15T09:30:00Z")
			.retry((retry) -> retry.maxAttempts(1))
			.extension("x_y", 1);
		assertThat(request.unique()).isEqualTo(UniquePolicy.DEFAULT);
		assertThat(this.jobs.create(request).job().toBuilder().build().unique())
			.isEqualTo(UniquePolicy.DEFAULT.without(UniqueDimension.VERSION));
	}

	@Test
	void longsThatOtherLanguagesWouldRoundAreToldApart() {
		UniquePolicy byArgs = UniquePolicy.DEFAULT.keys(UniqueDimension.ARGS);
		assertThat(key(JobRequest.of("a.b", 9007199254740993L).unique(byArgs)))
			.isNotEqualTo(key(JobRequest.of("a.b", 9007199254740992L).unique(byArgs)));
	}

	@Test
	void jobsOfTwoTenantsAreNeverAlike() {
		JobFactory tenants = this.jobs.tenants(new ThreadTenants(true, false, TenantResolver.NONE));
		JobRequest request = JobRequest.of("a.b", 1).unique(UniquePolicy.DEFAULT);
		String own = tenants.create(request.meta("tenant_id", "acme")).uniqueKey();
		assertThat(own).isEqualTo(tenants.create(request.meta("tenant_id", "acme")).uniqueKey())
			.isNotEqualTo(tenants.create(request.meta("tenant_id", "other")).uniqueKey())
			.isNotEqualTo(key(request));
		assertThat(tenants.create(request).uniqueKey()).isEqualTo(key(request));
		assertThat(key(request.meta("tenant_id", "acme"))).isEqualTo(key(request));
	}

	@Test
	void versionsAreToldApartUnlessThePolicyLeavesThemOut() {
		JobRequest request = JobRequest.of("a.b", 1);
		for (UnaryOperator<UniquePolicy> byDefault : List.<UnaryOperator<UniquePolicy>>of((unique) -> unique,
				(unique) -> unique.keys(UniqueDimension.ARGS, UniqueDimension.VERSION))) {
			JobRequest unique = request.unique(byDefault);
			assertThat(key(unique.version("2.0"))).isEqualTo(key(unique.extension("version", 2)))
				.isNotEqualTo(key(unique.version("2.1")))
				.isNotEqualTo(key(unique));
		}
		JobRequest any = request.unique((unique) -> unique.keys(UniqueDimension.ARGS));
		assertThat(key(any.version("2.0"))).isEqualTo(key(any.version("1.0"))).isEqualTo(key(any));
		assertThat(key(request.unique((unique) -> unique))).as("as it was before there were versions")
			.isEqualTo(key(request.unique((unique) -> unique.keys(UniqueDimension.TYPE))));
	}

	@Test
	void badPolicyIsRefused() {
		assertRefused(JobRequest.of("a.b").unique((unique) -> unique.keys(UniqueDimension.META)), "unique.meta_keys");
		assertRefused(JobRequest.of("a.b").unique((unique) -> unique.argsKeys("x").keys(new UniqueDimension[0])),
				"unique.args_keys");
		assertRefused(JobRequest.of("a.b", 1).unique((unique) -> unique.argsKeys("x")), "unique.args_keys");
		assertRefused(JobRequest.of("a.b").unique((unique) -> unique.metaKeys("x")), "unique.meta_keys");
		assertRefused(JobRequest.of("a.b").unique((unique) -> unique.period(Duration.ZERO)), "unique.period");
		assertRefused(JobRequest.of("a.b").unique((unique) -> unique.states(new JobState[0])), "unique.states");
		assertRefused(JobRequest.of("a.b").extension("unique", Map.of("keys", List.of("type"))), "unique");
	}

	private String key(JobRequest request) {
		return this.jobs.create(request).uniqueKey();
	}

	private void assertRefused(JobRequest request, String field) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.jobs.create(request))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	record Invoice(int number, String language) {
	}

}
