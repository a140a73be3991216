package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.TenantLimitExceededException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.event.StoredEvent;
import io.ojs.jdbc.internal.tenant.JdbcTenantUsage;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.Rate;
import io.ojs.job.UniquePolicy;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import io.ojs.tenant.TenantEvent;
import io.ojs.tenant.TenantLimits;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.tenant.internal.limit.EnqueuePeriod;
import io.ojs.tenant.internal.limit.TenantEvents;
import io.ojs.tenant.internal.limit.TenantGate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tenants that enqueue jobs into one queue, and how many they may have.
 */
abstract class TenantLimitsContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Rate RATE = new Rate(50, Duration.ofMinutes(1));

	private final Map<String, TenantLimits> limits = new ConcurrentHashMap<>();

	private final List<TenantEvent> told = new CopyOnWriteArrayList<>();

	private final JdbcTenantUsage usage = new JdbcTenantUsage(this.stores.database);

	private final BegunWork begun = new BegunWork();

	/** Each as if in a process of its own. */
	private Admission gate(Instant now) {
		return new TenantGate(new ThreadTenants(true, true, TenantResolver.NONE),
				(tenant) -> this.limits.getOrDefault(tenant, TenantLimits.NONE), this.usage, this.begun,
				new TenantEvents(List.of(this.told::add)), this.stores.transactions::afterCommit,
				Clock.fixed(now, ZoneOffset.UTC))
			.before(Admission.OPEN);
	}

	private void enqueue(EncodedJob... jobs) {
		enqueue(NOW, jobs);
	}

	private void enqueue(Instant now, EncodedJob... jobs) {
		insert(now, jobs);
	}

	private List<Insertion> insert(Instant now, EncodedJob... jobs) {
		return this.stores.transactions.inTransaction(() -> {
			Admission.Decision decision = gate(now).lock(List.of(jobs));
			return this.stores.jobs.insert(
					List.of(jobs).stream().map((job) -> TestStores.newJob(job, NOW.plusSeconds(10))).toList(),
					decision);
		});
	}

	@Test
	void aDuplicateTakesNoneOfItsTenantsPlacesAndDoesNotCountInThePeriod() {
		this.limits.put("acme", TenantLimits.NONE.maxEnqueueRate(2, Duration.ofMinutes(1)).maxQueueDepth(2));
		UniquePolicy ignore = UniquePolicy.DEFAULT.onConflict(OnConflict.IGNORE);
		EncodedJob first = unique("a", ignore);
		enqueue(first);
		for (int i = 0; i < 3; i++) {
			assertThat(insert(NOW, unique("a", ignore))).singleElement()
				.isInstanceOfSatisfying(Insertion.Ignored.class,
						(ignored) -> assertThat(ignored.existing().job().id()).isEqualTo(first.job().id()));
		}
		assertThat(this.usage.enqueued("acme").orElseThrow().jobs()).isOne();
		enqueue(unique("b", ignore));
		assertThat(insert(NOW, unique("b", UniquePolicy.DEFAULT))).as("of a tenant that has all it may have")
			.singleElement()
			.isInstanceOf(Insertion.Rejected.class);
		assertThat(insert(NOW, unique("a", ignore), unique("b", ignore))).hasSize(2);
		assertThatExceptionOfType(TenantLimitExceededException.class).isThrownBy(() -> enqueue(unique("c", ignore)));
	}

	private EncodedJob unique(String key, UniquePolicy policy) {
		return this.stores.unique(key, policy, (job) -> job.meta(Map.of("tenant_id", "acme")));
	}

	private EncodedJob of(String tenant, JobState state) {
		return this.stores.encoded((job) -> job.meta(Map.of("tenant_id", tenant))
			.state(state)
			.scheduledAt((state == JobState.SCHEDULED) ? TestStores.time(NOW.plusSeconds(60)) : null));
	}

	private EncodedJob of(String tenant) {
		return of(tenant, JobState.AVAILABLE);
	}

	private long waiting(String tenant) {
		return this.usage.waiting(tenant, Long.MAX_VALUE);
	}

	private void depth(String tenant, long most) {
		this.limits.put(tenant, TenantLimits.NONE.maxQueueDepth(most));
	}

	@Test
	@Tag("EI-R001")
	void aTenantGetsExactlyWhatItMayHaveAndOthersDoNotNotice() throws Exception {
		depth("acme", 50);
		depth("beta", 80);
		assertThat(refusedOfEighty()).isEqualTo(30);
		assertThat(waiting("acme")).isEqualTo(50);
		assertThat(waiting("beta")).isEqualTo(80);
	}

	@Test
	void soItDoesInAPeriod() throws Exception {
		this.limits.put("acme", TenantLimits.NONE.maxEnqueueRate(RATE.limit(), RATE.period()));
		assertThat(refusedOfEighty()).isEqualTo(30);
		assertThat(waiting("acme")).isEqualTo(50);
		assertThat(this.usage.enqueued("acme")).contains(new EnqueuePeriod(RATE.period(), NOW, 50));
		enqueue(NOW.plusSeconds(60), of("acme"));
		assertThat(this.usage.enqueued("acme")).contains(new EnqueuePeriod(RATE.period(), NOW.plusSeconds(60), 1));
	}

	/** Eight threads, each with ten jobs for both. */
	private int refusedOfEighty() throws Exception {
		AtomicInteger refused = new AtomicInteger();
		Threads.together(8, (thread) -> {
			for (int i = 0; i < 10; i++) {
				try {
					enqueue(of("acme"));
				}
				catch (TenantLimitExceededException ex) {
					assertThat(ex.tenant()).isEqualTo("acme");
					refused.incrementAndGet();
				}
				enqueue(of("beta"));
			}
		});
		return refused.get();
	}

	@Test
	void batchesOfSeveralTenantsAreTakenWholeAndDoNotBlockEachOther() throws Exception {
		depth("acme", 20);
		depth("beta", 20);
		AtomicInteger taken = new AtomicInteger();
		Threads.together(6, (thread) -> {
			for (int i = 0; i < 10; i++) {
				try {
					enqueue(of((thread % 2 == 0) ? "acme" : "beta"), of((thread % 2 == 0) ? "beta" : "acme"));
					taken.incrementAndGet();
				}
				catch (TenantLimitExceededException ex) {
					// As it should be.
					continue;
				}
			}
		});
		assertThat(taken).hasValue(20);
		assertThat(waiting("acme")).isEqualTo(20);
		assertThat(waiting("beta")).isEqualTo(20);
	}

	@Test
	void whoeverHoldsUpATenantHoldsUpNobodyElse() throws Exception {
		depth("acme", 20);
		depth("beta", 20);
		this.stores.users().executeWithoutResult((status) -> {
			enqueue(of("acme"));
			Threads.apart(() -> {
				enqueue(of("beta"), of("gamma"));
				return true;
			});
		});
		assertThat(waiting("beta")).isEqualTo(1);
	}

	/** A webhook tells of jobs that were taken; whoever enqueues it cannot be refused. */
	@Test
	void deliveriesOfWebhooksAreNeverRefused() {
		depth("acme", 0);
		enqueue(this.stores.encodedAs(of("acme").job().toBuilder().type("ojs.webhook.deliver").build()));
		assertThat(waiting("acme")).isOne();
		assertThatExceptionOfType(TenantLimitExceededException.class).isThrownBy(() -> enqueue(of("acme")));
	}

	@Test
	void aBatchIsTakenWholeOrNotAtAll() {
		depth("acme", 3);
		enqueue(of("acme"), of("acme"));
		EncodedJob second = of("acme");
		assertThatExceptionOfType(TenantLimitExceededException.class)
			.isThrownBy(() -> enqueue(of("beta"), of("acme"), second))
			.satisfies((ex) -> {
				assertThat(ex.limit()).isEqualTo("max_queue_depth");
				assertThat(ex.current()).isEqualTo(2);
				assertThat(ex.maximum()).isEqualTo(3);
				assertThat(ex.job().id()).isEqualTo(second.job().id());
				assertThat(ex.isRetryable()).isTrue();
				assertThat(ex.code()).isEqualTo("TENANT_LIMIT_EXCEEDED");
			})
			.withMessageContaining("'acme'")
			.withMessageContaining("max_queue_depth");
		assertThat(waiting("beta")).isZero();
		assertThatExceptionOfType(TenantLimitExceededException.class)
			.isThrownBy(() -> enqueue(of("acme"), of("acme"), of("acme"), of("acme")))
			.satisfies((ex) -> assertThat(ex.isRetryable()).isFalse());
	}

	@Test
	void whatIsAvailableOrScheduledCountsAndNothingElse() {
		this.limits.put("acme", TenantLimits.NONE.maxQueueDepth(3).maxScheduled(2));
		enqueue(of("acme", JobState.SCHEDULED), of("acme", JobState.SCHEDULED));
		assertRefused("max_scheduled", of("acme", JobState.SCHEDULED));
		EncodedJob running = of("acme");
		enqueue(running);
		assertRefused("max_queue_depth", of("acme"));
		enqueue(of("acme", JobState.PENDING));
		this.stores.claim(running);
		enqueue(of("acme"));
		assertRefused("max_queue_depth", of("acme"));
	}

	private void assertRefused(String limit, EncodedJob job) {
		assertThatExceptionOfType(TenantLimitExceededException.class).isThrownBy(() -> enqueue(job))
			.satisfies((ex) -> assertThat(ex.limit()).isEqualTo(limit));
	}

	@Test
	void whatIsRolledBackHasNotCounted() {
		this.limits.put("acme", TenantLimits.NONE.maxEnqueueRate(2, Duration.ofMinutes(1)));
		this.stores.users().executeWithoutResult((status) -> {
			enqueue(of("acme"), of("acme"));
			status.setRollbackOnly();
		});
		assertThat(this.usage.enqueued("acme")).isEmpty();
		assertThat(this.stores.events()).isEmpty();
		assertThat(this.told).isEmpty();
		enqueue(of("acme"), of("acme"));
		assertThatExceptionOfType(TenantLimitExceededException.class)
			.isThrownBy(() -> enqueue(NOW.plusSeconds(20), of("acme")))
			.satisfies((ex) -> assertThat(ex.retryAfter()).isEqualTo(Duration.ofSeconds(40)));
	}

	@Test
	void aPeriodOfAnotherLengthIsAnotherOne() {
		this.limits.put("acme", TenantLimits.NONE.maxEnqueueRate(1, Duration.ofMinutes(1)));
		enqueue(of("acme"));
		this.limits.put("acme", TenantLimits.NONE.maxEnqueueRate(1, Duration.ofMinutes(2)));
		enqueue(of("acme"));
		assertRefused("max_enqueue_rate", of("acme"));
	}

	@Test
	void whatHasBegunIsNotRefusedAndCounts() {
		depth("acme", 1);
		enqueue(of("acme"));
		this.begun.goOn(() -> {
			enqueue(of("acme"), of("acme"));
			return true;
		});
		assertRefused("max_queue_depth", of("acme"));
		assertThat(waiting("acme")).isEqualTo(3);
		depth("acme", 3);
		assertRefused("max_queue_depth", of("acme"));
	}

	@Test
	void aTenantIsToldThatItHasAllThatItMayHave() {
		depth("acme", 2);
		enqueue(of("acme"));
		assertThat(this.told).isEmpty();
		enqueue(of("acme"));
		assertThat(this.told).containsExactly(new TenantEvent.LimitReached("acme", "max_queue_depth", 2, "mail"));
		assertThat(this.stores.feed.after(0, Set.of("tenant.limit_exceeded"), Set.of(), 10)).singleElement()
			.satisfies((event) -> {
				assertThat(event.subject()).isEqualTo("acme");
				assertThat(event.data()).containsEntry("tenant_id", "acme").containsEntry("limit", "max_queue_depth");
			});
		assertThat(eventsOf("acme")).contains("tenant.limit_exceeded");
		assertThat(eventsOf("beta")).isEmpty();
		assertRefused("max_queue_depth", of("acme"));
		assertThat(this.told).endsWith(new TenantEvent.Refused("acme", "max_queue_depth", 2, 2, 1)).hasSize(2);
	}

	private List<String> eventsOf(String tenant) {
		return this.stores.events()
			.stream()
			.filter((event) -> tenant.equals(event.tenant()))
			.map(StoredEvent::type)
			.toList();
	}

	@Test
	void onlyJobsOfTenantsAreLocked() {
		EncodedJob none = this.stores.encoded((job) -> job);
		EncodedJob acme = this.stores.encoded((job) -> job.meta("tenant_id", "acme"));
		assertThat(gate(TestStores.NOW).locks(List.of(none))).isFalse();
		assertThat(gate(TestStores.NOW).locks(List.of(none, acme))).isTrue();
	}

}
