package io.ojs.client.internal;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.job.UniqueDimension;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.JobDroppedException;
import io.ojs.middleware.JobRejectedException;
import io.ojs.middleware.MiddlewareChain;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.middleware.internal.OrderedMiddleware;
import io.ojs.retry.RetryPolicy;
import io.ojs.tenant.internal.ThreadTenants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

/**
 * What middleware may do with a job, and what it may not.
 */
class MiddlewareJobFactoryTests {

	private static final Instant NOW = Instant.parse("2026-03-15T09:30:00Z");

	private static final String OTHER_ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private final List<String> seen = new ArrayList<>();

	private static JobFactory factory(ThreadTenants tenants, Consumer<MiddlewareChain<EnqueueMiddleware>> customizer) {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		customizer.accept(chain);
		JobHandlers handlers = new JobHandlers(List.of());
		return new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), new JsonJobCodec(), Clock.fixed(NOW, ZoneOffset.UTC), 2000)
			.tenants(tenants)
			.middleware(new EnqueueChain(chain));
	}

	private static EncodedJob create(JobRequest request, EnqueueMiddleware middleware) {
		return factory(ThreadTenants.OFF, (chain) -> chain.add("mine", middleware)).create(request);
	}

	@Test
	void eachSeesWhatTheOneBeforeHasMade() {
		JobFactory jobs = factory(ThreadTenants.OFF, (chain) -> {
			chain.add("first", (job) -> job.toBuilder().meta("by", "first").build());
			chain.add("second", (job) -> job.toBuilder().meta("by", job.meta().get("by") + ", second").build());
			chain.insertAfter("encrypt", "third",
					(job) -> job.toBuilder().meta("by", job.meta().get("by") + ", third").build());
		});
		EncodedJob encoded = jobs.create(JobRequest.of("a.b", "x").meta("kept", 1));
		assertThat(encoded.job().meta()).containsExactly(entry("kept", 1), entry("by", "first, second, third"));
		assertThat(new JsonJobCodec().decode(encoded.body())).isEqualTo(encoded.job());
	}

	@Test
	void theWholeEnvelopeIsThere() {
		List<Job> got = new ArrayList<>();
		JobRequest request = JobRequest.of("a.b", Map.of("x", 1)).queue("q").priority(3).meta("m", true);
		create(request, (job) -> {
			got.add(job);
			return job;
		});
		assertThat(got).singleElement().satisfies((job) -> {
			assertThat(job.args()).containsExactly(Map.of("x", 1));
			assertThat(job.queue()).isEqualTo("q");
			assertThat(job.priority()).isEqualTo(3);
			assertThat(job.meta()).containsEntry("m", true);
			assertThat(job.createdAt().toInstant()).isEqualTo(NOW);
		});
	}

	@Test
	void whatItChangesIsWhatIsSent() {
		Job job = create(JobRequest.of("a.b", 1).rateLimit(RateLimit.of("k").perSecond(1)),
				(before) -> before.toBuilder()
					.type("c.d")
					.queue("other")
					.args(List.of(new Invoice(4711)))
					.priority(7)
					.scheduledAt(NOW.plusSeconds(60).atOffset(ZoneOffset.UTC))
					.extensions(Map.of("rate_limit", Map.of("concurrency", 2), "mine", new Invoice(1)))
					.build())
			.job();
		assertThat(job.type()).isEqualTo("c.d");
		assertThat(job.queue()).isEqualTo("other");
		assertThat(job.args()).containsExactly(Map.of("number", 4711));
		assertThat(job.priority()).isEqualTo(7);
		assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
		assertThat(job.extensions()).containsEntry("mine", Map.of("number", 1))
			.hasEntrySatisfying("rate_limit",
					(limit) -> assertThat(limit).asString().contains("queue:other").contains("concurrency=2"));
	}

	@Test
	void whatItHasNoBusinessWithStays() {
		EnqueueMiddleware busy = (job) -> job.toBuilder()
			.state(JobState.COMPLETED)
			.attempt(7)
			.result("done")
			.createdAt(null)
			.completedAt(job.createdAt())
			.build();
		Job job = create(JobRequest.of("a.b"), busy).job();
		assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
		assertThat(job.attempt()).isZero();
		assertThat(job.result()).isNull();
		assertThat(job.completedAt()).isNull();
		assertThat(job.createdAt()).isNotNull();
		assertThat(create(JobRequest.of("a.b").pending(), busy).job().state()).isEqualTo(JobState.PENDING);
	}

	@Test
	void theIdStays() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(
					() -> create(JobRequest.of("a.b"), (job) -> Job.builder(OTHER_ID, job.type(), job.queue()).build()))
			.withMessageContaining("the middleware 'mine' has changed it")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("id"));
	}

	@Test
	void everyRuleIsCheckedAgain() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> create(JobRequest.of("a.b"), (job) -> job.toBuilder().queue("No Queue").build()))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("queue"));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(
				() -> create(JobRequest.of("a.b"), (job) -> job.toBuilder().args(List.of("x".repeat(2000))).build()))
			.withMessageContaining("2000 bytes");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> create(JobRequest.of("a.b"),
					(job) -> job.toBuilder().extensions(Map.of("rate_limit", Map.of("concurrency", -1))).build()))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("rate_limit.concurrency"));
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> create(JobRequest.of("a.b"), (job) -> job.toBuilder().meta("x", Double.NaN).build()));
	}

	@Test
	void whoIsDroppedHasNoState() {
		JobFactory jobs = factory(ThreadTenants.OFF, (chain) -> {
			chain.add("drops", (job) -> job.type().equals("a.b") ? null : job);
			chain.add("tells", this::tell);
		});
		assertThatExceptionOfType(JobDroppedException.class).isThrownBy(() -> jobs.create(JobRequest.of("a.b", 1)))
			.withMessageContaining("dropped by the middleware 'drops'")
			.satisfies((ex) -> assertThat(ex.job().state()).isNull())
			.satisfies((ex) -> assertThat(ex.job().args()).containsExactly(1));
		assertThat(this.seen).isEmpty();
		jobs.create(JobRequest.of("c.d"));
		assertThat(this.seen).containsExactly("c.d");
	}

	private Job tell(Job job) {
		this.seen.add(job.type());
		return job;
	}

	@Test
	void whatItThrowsReachesTheCaller() {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> create(JobRequest.of("a.b"), (job) -> {
			throw new JobRejectedException("not on Sundays");
		})).withMessage("not on Sundays");
		assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> create(JobRequest.of("a.b"), (job) -> {
			throw new ArithmeticException();
		}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "trace", "tenant", "validate" })
	@Tag("EI-012")
	void jobThatMiddlewareHasMadeInvalidReachesNoFurtherStep(String after) {
		JobFactory factory = factory(ThreadTenants.OFF, (chain) -> {
			chain.insertAfter(after, "breaks", (job) -> job.toBuilder().meta("live", new Object()).build());
			chain.insertBefore("unique", "at unique", (job) -> {
				this.seen.add("unique");
				return job;
			});
			chain.insertAfter("unique", "behind unique", (job) -> {
				this.seen.add("behind unique");
				return job;
			});
		});
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> factory.create(JobRequest.of("a.b", "same")
				.unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS))))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("meta.live"));
		assertThat(this.seen).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "trace", "tenant", "validate" })
	@Tag("EI-012")
	void uniqueJobsAreTheSameByWhatMiddlewareHasMadeOfThem(String after) {
		JobFactory lower = factory(ThreadTenants.OFF, (chain) -> chain.insertAfter(after, "lower",
				(job) -> job.toBuilder().args(List.of(job.args().get(0).toString().toLowerCase())).build()));
		JobRequest request = JobRequest.of("a.b", "SAME")
			.unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS));
		assertThat(lower.create(request).uniqueKey()).isNotNull()
			.isEqualTo(lower
				.create(JobRequest.of("a.b", "same")
					.unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS)))
				.uniqueKey())
			.isNotEqualTo(factory(ThreadTenants.OFF, (chain) -> {
			}).create(request).uniqueKey());
	}

	@Test
	@Tag("EI-012")
	void butNotByWhatComesLater() {
		JobFactory random = factory(ThreadTenants.OFF, (chain) -> chain.insertAfter("unique", "random",
				(job) -> job.toBuilder().args(List.of(Math.random())).build()));
		JobRequest request = JobRequest.of("a.b", "same")
			.unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS));
		EncodedJob one = random.create(request);
		EncodedJob other = random.create(request);
		assertThat(one.uniqueKey()).isEqualTo(other.uniqueKey());
		assertThat(one.job().args()).isNotEqualTo(other.job().args());
	}

	@Test
	@Tag("EI-012")
	void whoseJobItIsIsKnownBehindTheStepThatSaysSo() {
		ThreadTenants tenants = new ThreadTenants(true, true, () -> Optional.of("acme"));
		factory(tenants, (chain) -> {
			chain.insertBefore("tenant", "before", (job) -> {
				this.seen.add("before " + job.meta().get("tenant_id"));
				return job;
			});
			chain.insertAfter("tenant", "after", (job) -> {
				this.seen.add("after " + job.meta().get("tenant_id"));
				return job;
			});
		}).create(JobRequest.of("a.b"));
		assertThat(this.seen).containsExactly("before null", "after acme");
	}

	@Test
	void noneMakesAJobSomebodyElses() {
		ThreadTenants withoutTenant = new ThreadTenants(true, false, Optional::empty);
		EnqueueMiddleware gives = (job) -> job.toBuilder().meta("tenant_id", "evil").build();
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> factory(withoutTenant, (chain) -> chain.add("gives", gives))
				.create(JobRequest.of("a.b").meta("tenant_id", "acme")))
			.withMessageContaining("the middleware 'gives' has done it")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("meta.tenant_id"));
		Job early = factory(withoutTenant, (chain) -> chain.insertBefore("tenant", "gives", gives))
			.create(JobRequest.of("a.b"))
			.job();
		assertThat(early.meta()).containsEntry("tenant_id", "evil");
		ThreadTenants acme = new ThreadTenants(true, true, () -> Optional.of("acme"));
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> factory(acme, (chain) -> chain.insertBefore("tenant", "gives", gives))
				.create(JobRequest.of("a.b")))
			.withMessageContaining("must be 'acme'");
	}

	@Test
	void aCheckPassesNone() {
		JobFactory jobs = factory(ThreadTenants.OFF, (chain) -> chain.add("tells", this::tell));
		assertThat(jobs.check(JobRequest.of("a.b", new Invoice(1))).args()).containsExactly(Map.of("number", 1));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> jobs.check(JobRequest.of("A B")));
		assertThat(this.seen).isEmpty();
	}

	@Test
	void whatWasKeptPassesNoneAndStaysWhoseItWas() {
		ThreadTenants tenants = new ThreadTenants(true, true, () -> Optional.of("other"));
		JobFactory jobs = factory(tenants, (chain) -> chain.add("tells", this::tell));
		JobRequest kept = JobRequest.of("a.b", 1)
			.meta("tenant_id", "acme")
			.unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS));
		EncodedJob again = jobs.again(kept);
		assertThat(again.job().meta()).containsEntry("tenant_id", "acme");
		assertThat(again.uniqueKey())
			.isEqualTo(factory(new ThreadTenants(true, true, () -> Optional.of("acme")), (chain) -> {
			}).create(
					JobRequest.of("a.b", 1).unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS)))
				.uniqueKey());
		assertThat(this.seen).isEmpty();
	}

	record Invoice(int number) {
	}

}
