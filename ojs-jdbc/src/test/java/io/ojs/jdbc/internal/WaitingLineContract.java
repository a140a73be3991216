package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.job.RateScope;
import io.ojs.job.RetryPriority;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who waits for a limit, in which order, and who shares it.
 */
abstract class WaitingLineContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private static final RateLimit ONE = RateLimit.of("printer").concurrency(1);

	private JdbcRateLimitStore limits() {
		return new JdbcRateLimitStore(this.stores.database);
	}

	private EncodedJob job(RateLimit limit, String tenant, int priority) {
		return this.stores.encoded((job) -> job.priority(priority)
			.meta(tenant.isEmpty() ? Map.of() : Map.of("tenant_id", tenant))
			.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit))));
	}

	/** Tells which of them are published at once. */
	private List<Boolean> insert(List<EncodedJob> jobs) {
		return this.stores.jobs
			.insert(jobs.stream().map((job) -> new NewJob(job, Map.of(), NOW.plusSeconds(1000), false)).toList())
			.stream()
			.map((insertion) -> insertion.equals(Insertion.Inserted.NEW))
			.toList();
	}

	private boolean insert(EncodedJob job) {
		return insert(List.of(job)).get(0);
	}

	private List<String> relayed(Instant now) {
		return this.stores.relay.take(now, now.plusSeconds(30), 100).jobs().stream().map(RelayedJob::id).toList();
	}

	private void complete(Claim.Taken run, Instant now) {
		this.stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), now);
	}

	@Test
	void ofMoreThanMayStartOnlyThoseThatMayArePublished() {
		RateLimit limit = RateLimit.of("api").rate(3, PERIOD);
		List<EncodedJob> jobs = IntStream.range(0, 10).mapToObj((i) -> job(limit, "", 0)).toList();
		assertThat(insert(jobs)).containsExactly(true, true, true, false, false, false, false, false, false, false);
		jobs.subList(0, 3).forEach((job) -> assertThat(this.stores.claim(job)).isInstanceOf(Claim.Taken.class));
		assertThat(limits().nextRelease()).as("asked at once, by whoever looks next").contains(NOW);
		assertThat(limits().release(NOW)).isZero();
		assertThat(limits().nextRelease()).contains(NOW.plus(PERIOD));
		assertThat(limits().release(NOW.plus(PERIOD))).isEqualTo(3);
	}

	@Test
	void whoeverComesWhileOthersWaitIsNotPublished() {
		EncodedJob first = job(ONE, "", 0);
		insert(first);
		Claim.Taken running = this.stores.taken(first, NOW);
		EncodedJob second = job(ONE, "", 0);
		assertThat(insert(second)).isFalse();
		complete(running, NOW);
		assertThat(relayed(NOW)).containsExactly(second.job().id());
		assertThat(insert(job(ONE, "", 0))).as("the second has the place").isFalse();
		assertThat(insert(job(RateLimit.of("other").concurrency(1), "", 0))).as("another limit").isTrue();
	}

	@Test
	void aHighPriorityJobBecomesTheFirstOfALongLineAndIsAsked() {
		RateLimit limit = RateLimit.of("api").rate(1, PERIOD);
		EncodedJob running = job(limit, "", 0);
		insert(running);
		this.stores.taken(running, NOW);
		insert(IntStream.range(0, 150).mapToObj((i) -> job(limit, "", 0)).toList());
		limits().release(NOW);
		assertThat(insert(job(limit, "", 0))).isFalse();
		assertThat(limits().nextRelease()).contains(NOW.plus(PERIOD));
		EncodedJob urgent = job(limit, "", 9);
		assertThat(insert(urgent)).isFalse();
		assertThat(limits().nextRelease()).as("for the urgent one").contains(NOW);
		limits().release(NOW);
		assertThat(limits().nextRelease()).contains(NOW.plus(PERIOD));
		limits().release(NOW.plus(PERIOD));
		assertThat(relayed(NOW.plus(PERIOD))).containsExactly(urgent.job().id());
	}

	@Test
	void whatAnotherLimitThanWaitSaysIsFoundOutByAWorker() {
		EncodedJob first = job(ONE, "", 0);
		insert(first);
		this.stores.taken(first, NOW);
		EncodedJob dropped = job(ONE.onLimit(OnLimit.DROP), "", 0);
		assertThat(insert(dropped)).isTrue();
		assertThat(this.stores.claim(dropped)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.state(dropped)).isEqualTo(JobState.DISCARDED);
	}

	@Test
	void whoIsBehindOthersIsScheduledForLaterIfThatIsWhatItsLimitSays() {
		EncodedJob first = job(ONE, "", 0);
		insert(first);
		Claim.Taken running = this.stores.taken(first, NOW);
		insert(job(ONE, "", 0));
		EncodedJob late = job(ONE.onLimit(OnLimit.RESCHEDULE), "", 0);
		insert(late);
		this.stores.jdbc()
			.update("update ojs_job set state = 'completed', has_places = false where id = cast(? as uuid)",
					first.job().id());
		assertThat(running).isNotNull();
		this.stores.claim(late);
		assertThat(this.stores.state(late)).isEqualTo(JobState.SCHEDULED);
		assertThat(this.stores.find(late).dueAt()).isAfterOrEqualTo(NOW.plusSeconds(1));
	}

	@ParameterizedTest
	@Tag("EI-R002")
	@CsvSource({ "EQUAL, first retry second", "PREFER_RETRY, retry first second", "PREFER_NEW, first second retry" })
	void retriesAreLetThroughAsTheirLimitSays(RetryPriority priority, String order) {
		RateLimit limit = ONE.retryPriority(priority);
		EncodedJob retry = job(limit, "", 0);
		EncodedJob running = job(limit, "", 0);
		insert(retry);
		Claim.Taken failed = this.stores.taken(retry, NOW);
		JobError error = TestStores.error("no paper");
		this.stores.attempts
			.settle(List.of(new Outcome.Retried(failed.lease(), error, NOW.plusSeconds(2), NOW.plusSeconds(60))), NOW);
		insert(running);
		Claim.Taken run = this.stores.taken(running, NOW);
		EncodedJob first = at(job(limit, "", 0), NOW.plusSeconds(1));
		insert(first);
		assertThat(this.stores.claim(retry, NOW.plusSeconds(2))).isInstanceOf(Claim.Limited.class);
		EncodedJob second = at(job(limit, "", 0), NOW.plusSeconds(3));
		insert(second);

		Map<String, EncodedJob> jobs = Map.of(first.job().id(), first, second.job().id(), second, retry.job().id(),
				retry);
		Map<EncodedJob, String> names = Map.of(first, "first", second, "second", retry, "retry");
		List<String> seen = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Instant now = NOW.plusSeconds(4 + i);
			complete(run, now);
			List<String> next = relayed(now);
			assertThat(next).hasSize(1);
			EncodedJob job = jobs.get(next.get(0));
			seen.add(names.get(job));
			run = this.stores.taken(job, now);
		}
		assertThat(seen).containsExactly(order.split(" "));
	}

	private EncodedJob at(EncodedJob job, Instant enqueuedAt) {
		Job changed = job.job().toBuilder().enqueuedAt(TestStores.time(enqueuedAt)).build();
		return new EncodedJob(changed, this.stores.codec.encode(changed), 3);
	}

	@Test
	@Tag("EI-003")
	@Tag("EI-R006")
	void eachTenantHasACountOfItsOwnUnlessTheLimitIsGlobal() {
		EncodedJob acme = job(ONE, "acme", 0);
		insert(acme);
		this.stores.taken(acme, NOW);
		EncodedJob beta = job(ONE.scope(RateScope.TENANT), "beta", 0);
		assertThat(insert(beta)).isTrue();
		assertThat(this.stores.claim(beta)).isInstanceOf(Claim.Taken.class);
		assertThat(insert(job(ONE, "acme", 0))).isFalse();
		assertThat(limits().find("printer@acme")).hasValueSatisfying((status) -> {
			assertThat(status.key()).isEqualTo("printer@acme");
			assertThat(status.active()).isOne();
			assertThat(status.waiting()).isOne();
		});

		RateLimit global = RateLimit.of("bank").concurrency(1).scope(RateScope.GLOBAL);
		EncodedJob first = job(global, "acme", 0);
		insert(first);
		this.stores.taken(first, NOW);
		assertThat(insert(job(global, "beta", 0))).as("another tenant's").isFalse();
	}

	@Test
	@Tag("EI-006")
	void aRetryIsCountedLikeAnyOtherStart() {
		RateLimit limit = RateLimit.of("api").rate(2, PERIOD);
		EncodedJob job = job(limit, "", 0);
		insert(job);
		Claim.Taken run = this.stores.taken(job, NOW);
		JobError error = TestStores.error("no paper");
		this.stores.attempts.settle(List.of(new Outcome.Retried(run.lease(), error, NOW, NOW.plusSeconds(60))), NOW);
		this.stores.taken(job, NOW);
		assertThat(limits().find("api").orElseThrow().windows().get(0).starts()).isEqualTo(2);
		EncodedJob third = job(limit.onLimit(OnLimit.DROP), "", 0);
		insert(third);
		assertThat(this.stores.claim(third)).isInstanceOf(Claim.Limited.class);
	}

	@Test
	void aTenantHasNoMoreRunningThanItsLimit() {
		this.stores.tenantConcurrency.put("acme", 2);
		List<EncodedJob> jobs = IntStream.range(0, 4)
			.mapToObj((i) -> this.stores.encoded((job) -> job.meta(Map.of("tenant_id", "acme"))))
			.toList();
		assertThat(insert(jobs)).containsExactly(true, true, false, false);
		Claim.Taken first = this.stores.taken(jobs.get(0), NOW);
		this.stores.taken(jobs.get(1), NOW);
		EncodedJob other = this.stores.encoded((job) -> job.meta(Map.of("tenant_id", "beta")));
		assertThat(insert(other)).as("of another tenant").isTrue();
		complete(first, NOW);
		assertThat(relayed(NOW)).containsExactly(jobs.get(2).job().id());
		assertThat(this.stores.claim(jobs.get(3))).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.claim(jobs.get(2))).isInstanceOf(Claim.Taken.class);
		assertThat(limits().list("", 10)).as("is no key of a job").isEmpty();
	}

	@Test
	void whoeverMeetsTwoLimitsIsLetThroughByBothThoughOneWasNeverAsked() {
		this.stores.tenantConcurrency.put("acme", 1);
		EncodedJob plain = this.stores.encoded((job) -> job.meta(Map.of("tenant_id", "acme")));
		insert(plain);
		Claim.Taken running = this.stores.taken(plain, NOW);
		EncodedJob both = job(RateLimit.of("new").concurrency(1), "acme", 0);
		assertThat(insert(both)).isFalse();
		complete(running, NOW);
		assertThat(relayed(NOW)).containsExactly(both.job().id());
		assertThat(this.stores.claim(both)).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void noMoreAreLetThroughThanMayStartWhileNobodyStarts() {
		RateLimit limit = RateLimit.of("api").rate(2, PERIOD);
		List<EncodedJob> jobs = IntStream.range(0, 8).mapToObj((i) -> job(limit, "", 0)).toList();
		insert(jobs);
		jobs.subList(0, 2).forEach((job) -> this.stores.taken(job, NOW));
		assertThat(limits().release(NOW)).isZero();
		assertThat(limits().release(NOW.plus(PERIOD))).isEqualTo(2);
		Instant later = NOW.plus(PERIOD.multipliedBy(2));
		assertThat(limits().release(later)).as("those before have not started").isZero();
		jobs.subList(2, 4).forEach((job) -> this.stores.taken(job, later));
		assertThat(limits().release(later.plusSeconds(1))).isEqualTo(2);
	}

	@Test
	void aPlaceThatNobodyTakesGoesToOthersAfterAMinute() {
		RateLimit limit = RateLimit.of("printer").concurrency(1);
		EncodedJob running = job(limit, "", 0);
		insert(running);
		Claim.Taken run = this.stores.taken(running, NOW);
		EncodedJob idle = job(limit, "", 0);
		EncodedJob next = job(limit, "", 0);
		insert(List.of(idle, next));
		complete(run, NOW);
		assertThat(relayed(NOW)).containsExactly(idle.job().id());
		assertThat(limits().releaseAll(NOW.plusSeconds(59))).isZero();
		Instant later = NOW.plusSeconds(61);
		limits().releaseAll(later);
		assertThat(relayed(later)).containsExactly(next.job().id());
		assertThat(this.stores.claim(idle, later)).as("its message came late").isInstanceOf(Claim.Limited.class);
		complete(this.stores.taken(next, later), later);
		assertThat(relayed(later)).containsExactly(idle.job().id());
	}

	@Test
	void aPlaceInAPausedQueueGoesToOthers() {
		RateLimit limit = RateLimit.of("printer").concurrency(1);
		EncodedJob running = job(limit, "", 0);
		insert(running);
		Claim.Taken run = this.stores.taken(running, NOW);
		EncodedJob paused = this.stores.encodedAs(Job.builder(this.stores.id(), "email.send", "paused")
			.state(JobState.AVAILABLE)
			.createdAt(TestStores.time(NOW))
			.enqueuedAt(TestStores.time(NOW))
			.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit)))
			.build());
		insert(paused);
		complete(run, NOW);
		assertThat(relayed(NOW)).containsExactly(paused.job().id());
		this.stores.jdbc()
			.update("insert into ojs_queue (name, state, config, created_at, updated_at, version) values "
					+ "('paused', 'paused', '{}', current_timestamp, current_timestamp, 1)");
		EncodedJob other = job(limit, "", 0);
		insert(other);
		limits().releaseAll(NOW.plusSeconds(1));
		assertThat(relayed(NOW.plusSeconds(1))).containsExactly(other.job().id());
		this.stores.jdbc().update("delete from ojs_queue where name = 'paused'");
	}

	@Test
	void limitOfAQueueAndOfAJobThatNamesItHoldBoth() {
		this.stores.queueRates.put("mail", new Rate(2, PERIOD));
		RateLimit limit = RateLimit.of("queue:mail").rate(2, PERIOD);
		List<EncodedJob> jobs = IntStream.range(0, 3).mapToObj((i) -> job(limit, "", 0)).toList();
		insert(jobs);
		this.stores.taken(jobs.get(0), NOW);
		this.stores.taken(jobs.get(1), NOW);
		assertThat(this.stores.claim(jobs.get(2))).isInstanceOf(Claim.Limited.class);
	}

	@Test
	void theFeedTellsWhoWaitsAndWhoIsLetThrough() {
		EncodedJob first = job(ONE, "", 0);
		EncodedJob second = job(ONE, "", 0);
		insert(first);
		Claim.Taken run = this.stores.taken(first, NOW);
		insert(second);
		complete(run, NOW);
		assertThat(this.stores.events(second)).containsSubsequence("rate_limit.exceeded", "rate_limit.released");
	}

}
