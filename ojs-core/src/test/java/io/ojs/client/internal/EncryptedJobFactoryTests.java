package io.ojs.client.internal;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.unique.UniqueKeys;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.UniqueDimension;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.middleware.internal.OrderedMiddleware;
import io.ojs.retry.RetryPolicy;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Encryption is the last that happens to a job before it is sent.
 */
class EncryptedJobFactoryTests {

	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String MARKER = "4111-1111";

	private static final JobEncryption ENCRYPTION = new JobEncryption(
			new FixedKeys("k", List.of(EncryptionKey.of("k", KEY))), new EncryptedJobs(List.of("secret.*"), List.of()),
			List.of());

	private final JobFactory jobs = factory(OrderedMiddleware.ofEnqueueing(), ThreadTenants.OFF);

	private static JobFactory factory(OrderedMiddleware<EnqueueMiddleware> chain, ThreadTenants tenants) {
		JobHandlers handlers = new JobHandlers(List.of());
		return new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), new JsonJobCodec(), Clock.systemUTC(), 2000)
			.tenants(tenants)
			.middleware(new EnqueueChain(chain))
			.encryption(ENCRYPTION);
	}

	private static JobRequest unique(String type, Object... args) {
		return JobRequest.of(type, args).unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS));
	}

	@Test
	void whatIsSentIsEncrypted() {
		EncodedJob encoded = this.jobs.create(JobRequest.of("secret.pay", MARKER));
		assertThat(new String(encoded.body())).doesNotContain(MARKER).contains("ojs_encoded");
		assertThat(encoded.job().toString()).doesNotContain(MARKER);
		assertThat(ENCRYPTION.decrypt(encoded.job()).args()).containsExactly(MARKER);
		assertThat(new String(this.jobs.create(JobRequest.of("open.pay", MARKER)).body())).contains(MARKER);
	}

	@Test
	@Tag("EI-001")
	void uniqueJobsAreTheSameByWhatTheyAreAndNotByTheirCiphertext() {
		EncodedJob one = this.jobs.create(unique("secret.pay", MARKER));
		EncodedJob same = this.jobs.create(unique("secret.pay", MARKER));
		assertThat(one.job().args()).isNotEqualTo(same.job().args());
		assertThat(one.uniqueKey()).isNotNull()
			.isEqualTo(same.uniqueKey())
			.isNotEqualTo(this.jobs.create(unique("secret.pay", "other")).uniqueKey())
			.isEqualTo(new UniqueKeys(null).of(ENCRYPTION.decrypt(one.job())));
		assertThat(one.job().extensions()).containsEntry("unique_key", one.uniqueKey());
		// Nobody needs it where the arguments can be seen.
		assertThat(this.jobs.create(unique("open.pay", MARKER)).job().extensions()).isEmpty();
		assertThat(this.jobs.create(JobRequest.of("secret.pay", MARKER)).job().extensions()).isEmpty();
	}

	@Test
	void ciphertextThatIsBoundToAnIdIsNotMergedIntoAnotherJob() {
		JobRequest request = JobRequest.of("secret.pay", MARKER).queue("q").id("01890a5d-ac96-774b-bcce-b302099a8057");
		JobRequest bound = ENCRYPTION.seal(request).unique((unique) -> unique.onConflict(OnConflict.REPLACE));
		assertThat(this.jobs.create(bound).job().meta()).containsEntry("ojs.codec.aad",
				List.of("id", "tenant_id", "type"));
		JobRequest merging = bound.unique((unique) -> unique.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.jobs.create(merging))
			.withMessageContaining("must not name 'id' with unique.on_conflict 'replace_except_schedule'")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("meta.ojs.codec.aad"));
		JobRequest unbound = ENCRYPTION
			.seal(request.unique((unique) -> unique.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE)));
		assertThat(this.jobs.create(unbound).job().meta()).containsEntry("ojs.codec.aad", List.of("tenant_id", "type"));
	}

	/**
	 * Each probe adds the name of the step before it to the arguments: whatever is made
	 * of them has the names of the steps that came before.
	 */
	@Test
	@Tag("EI-012")
	void eachStepIsTakenAtItsPlace() {
		List<String> steps = List.of("trace", "tenant", "validate", "unique", "rate-limit", "encrypt");
		Map<String, Job> seen = new LinkedHashMap<>();
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		steps.forEach((step) -> chain.insertAfter(step, "behind " + step, (job) -> {
			seen.put(step, job);
			return JobEncryption.isEncoded(job.args()) ? job : job.toBuilder().args(with(job.args(), step)).build();
		}));
		EncodedJob encoded = factory(chain, new ThreadTenants(true, true, () -> Optional.of("acme")))
			.create(unique("secret.pay", MARKER).extension("rate_limit", Map.of("concurrency", 2)));
		Job sent = ENCRYPTION.decrypt(encoded.job());
		assertThat(sent.args()).containsExactly(MARKER, "trace", "tenant", "validate", "unique", "rate-limit");
		assertThat(encoded.uniqueKey()).isEqualTo(new UniqueKeys(null)
			.of(sent.toBuilder().args(List.of(MARKER, "trace", "tenant", "validate")).build(), "acme"));
		assertThat(behind(seen, (job) -> "acme".equals(job.meta().get(Tenants.META_KEY)))).containsExactly("tenant",
				"validate", "unique", "rate-limit", "encrypt");
		assertThat(behind(seen, (job) -> job.extensions().get("rate_limit").toString().contains("key=queue:default")))
			.containsExactly("rate-limit", "encrypt");
		assertThat(behind(seen, (job) -> JobEncryption.isEncoded(job.args()))).containsExactly("encrypt");
	}

	private static List<String> behind(Map<String, Job> seen, Predicate<Job> done) {
		return seen.keySet().stream().filter((step) -> done.test(seen.get(step))).toList();
	}

	private static List<Object> with(List<Object> args, String further) {
		return Stream.concat(args.stream(), Stream.of(further)).toList();
	}

	@Test
	@Tag("EI-012")
	void middlewareInFrontOfItSeesArgumentsAndThatBehindItDoesNot() {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		chain.insertBefore("encrypt", "before", (job) -> job.toBuilder().meta("before", job.args().toString()).build());
		chain.insertAfter("encrypt", "after", (job) -> job.toBuilder().meta("after", job.args().toString()).build());
		Job job = factory(chain, ThreadTenants.OFF).create(JobRequest.of("secret.pay", MARKER)).job();
		assertThat(job.meta().get("before")).asString().contains(MARKER);
		assertThat(job.meta().get("after")).asString().contains("ojs_encoded").doesNotContain(MARKER);
		assertThat(job.meta()).containsEntry("ojs.codec.key_id", "k");
	}

	@Test
	@Tag("EI-001")
	void whatWasKeptIsStillTheSame() {
		ThreadTenants tenants = new ThreadTenants(true, false, () -> java.util.Optional.of("acme"));
		for (JobFactory factory : List.of(this.jobs, factory(OrderedMiddleware.ofEnqueueing(), tenants))) {
			EncodedJob one = factory.create(unique("secret.pay", MARKER));
			Job job = one.job();
			EncodedJob again = factory.again(new JobRequest(job.type(), job.args(), job.id(), job.queue(), job.meta(),
					job.priority(), job.timeout(), job.scheduledAt(), job.expiresAt(), job.retry(), job.unique(),
					job.extensions()));
			assertThat(again.uniqueKey()).isEqualTo(one.uniqueKey());
			assertThat(again.job().args()).isEqualTo(one.job().args());
		}
	}

	@Test
	@Tag("EI-001")
	void whoEncryptsElsewhereBringsTheKey() {
		Map<String, Object> encoded = Map.of("ojs_encoded", true, "encoding", "binary/encrypted", "data", "AQ==");
		JobRequest request = unique("open.pay", encoded);
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.jobs.create(request))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("unique_key"));
		String given = "0123456789abcdef".repeat(4);
		assertThat(this.jobs.create(request.extension("unique_key", given)).uniqueKey()).isEqualTo(given);
		String hashed = this.jobs.create(request.extension("unique_key", "invoice-1")).uniqueKey();
		assertThat(hashed).matches("[0-9a-f]{64}")
			.isEqualTo(this.jobs.create(request.extension("unique_key", "invoice-1")).uniqueKey())
			.isNotEqualTo(this.jobs.create(request.extension("unique_key", "invoice-2")).uniqueKey());
		JobRequest byType = request.unique((unique) -> unique.keys(UniqueDimension.TYPE));
		assertThat(this.jobs.create(byType).uniqueKey()).isNotNull();
	}

	@Test
	void aKeptJobThatIsNotUniqueHasNoKeyWhateverItsProducerWrote() {
		Map<String, Object> encoded = Map.of("ojs_encoded", true, "encoding", "binary/encrypted", "data", "AQ==");
		JobRequest request = JobRequest.of("open.pay", encoded).extension("unique_key", "0123456789abcdef".repeat(4));
		assertThat(this.jobs.create(request).uniqueKey()).isNull();
		assertThat(this.jobs.again(request).uniqueKey()).isNull();
	}

	@Test
	void nothingBehindEncryptionMakesAJobSecret() {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		chain.insertAfter("encrypt", "routes", (job) -> job.toBuilder().type("secret.pay").build());
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> factory(chain, ThreadTenants.OFF).create(JobRequest.of("open.pay", MARKER)))
			.withMessageContaining("behind 'encrypt'")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(MARKER));
	}

	@Test
	void nothingBehindEncryptionTakesTheCiphertextToAnotherType() {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		chain.insertAfter("encrypt", "routes", (job) -> job.toBuilder().type("secret.refund").build());
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> factory(chain, ThreadTenants.OFF).create(JobRequest.of("secret.pay", MARKER)))
			.withMessageContaining("must stay 'secret.pay'")
			.withMessageContaining("'routes'");
	}

	@Test
	void oneTenantCannotNameTheKeyOfAnother() {
		Map<String, Object> encoded = Map.of("ojs_encoded", true, "encoding", "binary/encrypted", "data", "AQ==");
		String given = "0123456789abcdef".repeat(4);
		JobFactory factory = factory(OrderedMiddleware.ofEnqueueing(),
				new ThreadTenants(true, false, java.util.Optional::empty));
		JobRequest request = unique("open.pay", encoded).extension("unique_key", given);
		assertThat(factory.create(request.meta("tenant_id", "a")).uniqueKey()).matches("[0-9a-f]{64}")
			.isNotEqualTo(given)
			.isNotEqualTo(factory.create(request.meta("tenant_id", "b")).uniqueKey())
			.isEqualTo(factory.create(request.meta("tenant_id", "a")).uniqueKey());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void aKeyThatIsNoneIsRefused(String given) {
		Map<String, Object> encoded = Map.of("ojs_encoded", true, "encoding", "binary/encrypted", "data", "AQ==");
		for (Object bad : List.of(given, 1, "x".repeat(256))) {
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> this.jobs.create(unique("open.pay", encoded).extension("unique_key", bad)))
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("unique_key"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "secret.pay, true", "open.pay, false" })
	@Tag("EI-R005")
	void whatIsWrongWithSecretArgumentsDoesNotShowThem(String type, boolean hidden) {
		Object bad = Map.of("card " + MARKER, "\ud800" + MARKER);
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.jobs.create(JobRequest.of(type, bad)))
			.satisfies((ex) -> {
				assertThat(ex.getMessage().contains(MARKER)).isEqualTo(!hidden);
				assertThat(ex.getMessage().contains("[encrypted]")).isEqualTo(hidden);
				assertThat(ex.field()).startsWith("args[0]");
			});
	}

	@Test
	void noMatterWhenItBecameSecret() {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		chain.add("renames", (job) -> job.toBuilder().type("secret.pay").args(List.of("\ud800" + MARKER)).build());
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> factory(chain, ThreadTenants.OFF).create(JobRequest.of("open.pay")))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains("[encrypted]").doesNotContain(MARKER));
	}

	@Test
	void itIsTheEncryptedJobThatHasToBeSmallEnough() {
		String large = "x".repeat(1300);
		assertThat(this.jobs.create(JobRequest.of("open.pay", large)).body()).hasSizeLessThan(2000);
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.jobs.create(JobRequest.of("secret.pay", large)))
			.withMessageContaining("larger than 2000 bytes");
	}

}
