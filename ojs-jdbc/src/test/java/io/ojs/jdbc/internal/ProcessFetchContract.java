package io.ojs.jdbc.internal;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.engine.Times;
import io.ojs.internal.fetch.FetchedRun;
import io.ojs.internal.fetch.FetchedRuns;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.internal.fetch.Reservation;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Fetches of processes of this library, which hold leases as for claims.
 */
abstract class ProcessFetchContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Duration LEASE = Duration.ofSeconds(30);

	/** The relay never publishes a job that the store delivers. */
	private static final Instant FOR_GOOD = NOW.plus(Duration.ofDays(365));

	private final JdbcFetchStore fetches = new JdbcFetchStore(this.stores.database);

	private static ProcessFetch request(String process, int now, int most) {
		return new ProcessFetch("mail", now, most, process, LEASE, HandledJobs.ALL);
	}

	private List<FetchedRun> fetch(int now, int most) {
		return this.fetches.fetch(request("process-1", now, most), NOW).runs();
	}

	private boolean leaves(int now, int most) {
		return this.fetches.fetch(request("process-1", now, most), NOW).more();
	}

	private List<FetchedRun> fetch(HandledJobs handled) {
		return this.fetches.fetch(new ProcessFetch("mail", 9, 9, "process-1", LEASE, handled), NOW).runs();
	}

	/** Keeps a job; those with a higher number are newer. */
	private String job(int number, UnaryOperator<JobBuilder> fields) {
		return job(number, 3, fields);
	}

	private String job(int number, int maxAttempts, UnaryOperator<JobBuilder> fields) {
		EncodedJob job = this.stores.encoded(this.stores.id(), maxAttempts,
				(builder) -> fields.apply(builder.enqueuedAt(TestStores.time(NOW.minusSeconds(1000 - number)))));
		return this.stores.keep(job, FOR_GOOD).job().id();
	}

	private String job(int number) {
		return job(number, (job) -> job);
	}

	private static List<String> ids(List<FetchedRun> fetched) {
		return fetched.stream().map((each) -> each.job().job().id()).toList();
	}

	private Job found(String id) {
		return this.stores.jobs.find(id).orElseThrow().job();
	}

	private @Nullable JobState state(String id) {
		return found(id).state();
	}

	private <T> T column(String name, String id, Class<T> type) {
		return this.stores.jdbc()
			.queryForObject("select " + name + " from ojs_job where id = ?", type, UUID.fromString(id));
	}

	private boolean settle(FetchedRun run) {
		return this.stores.attempts.settle(new Outcome.Completed(run.lease(), "done"), NOW.plusSeconds(1));
	}

	@Test
	void runsComeByPriorityAndThenByAge() {
		String third = job(3, (job) -> job.priority(5));
		String second = job(2, (job) -> job.priority(5));
		String last = job(1, (job) -> job.priority(-3));
		String first = job(9, (job) -> job.priority(7));
		String fourth = job(4);
		job(0, (job) -> job.queue("other"));
		assertThat(ids(fetch(2, 2))).containsExactly(first, second);
		assertThat(ids(fetch(1, 2))).containsExactly(third, fourth);
		assertThat(ids(fetch(2, 2))).containsExactly(last);
		assertThat(fetch(2, 2)).isEmpty();
	}

	@Test
	void aFetchedRunIsActiveUnderALeaseOfItsProcess() {
		String id = job(1);
		FetchedRun run = fetch(1, 1).get(0);
		assertThat(run.job().job().state()).isEqualTo(JobState.ACTIVE);
		assertThat(run.job().job().attempt()).isOne();
		assertThat(run.job().job().startedAt()).isEqualTo(TestStores.time(NOW));
		assertThat(run.job().headers()).containsEntry("x-ojs-trace-id", "abc");
		assertThat(run.job()).isEqualTo(this.stores.jobs.find(id).orElseThrow());
		assertThat(run.limited()).isFalse();
		assertThat(column("worker", id, String.class)).isEqualTo("process-1");
		assertThat(column("count(lease_ms)", id, Integer.class)).as("it is none of a worker that extends it").isZero();
		assertThat(this.fetches.find(id).orElseThrow().remote()).isFalse();
		assertThat(settle(run)).isTrue();
		assertThat(settle(run)).isFalse();
		assertThat(state(id)).isEqualTo(JobState.COMPLETED);
	}

	@Test
	void theFeedIsToldAndListenersAreNot() {
		EncodedJob job = this.stores.available();
		fetch(1, 1);
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started");
		assertThat(this.stores.told(job)).isEmpty();
	}

	@Test
	void jobsAreFetchedInAdvance() {
		List<String> ids = IntStream.range(0, 5).mapToObj(this::job).toList();
		assertThat(ids(fetch(0, 2))).isEqualTo(ids.subList(0, 2));
		assertThat(ids(fetch(1, 9))).isEqualTo(ids.subList(2, 5));
	}

	@Test
	void aJobThatHasBegunBeforeIsNotFetchedInAdvance() {
		assertThatItIsNotFetchedInAdvance(job(2), false,
				(id) -> this.stores.jdbc().update("update ojs_job set attempt = 1 where id = ?", UUID.fromString(id)));
	}

	@Test
	void aJobWithOneAttemptIsNotFetchedInAdvance() {
		assertThatItIsNotFetchedInAdvance(job(2, 1, (job) -> job), false, (id) -> {
		});
	}

	@Test
	void aJobWithARateLimitIsNotFetchedInAdvance() {
		RateLimit limit = RateLimit.of("printer").concurrency(9);
		assertThatItIsNotFetchedInAdvance(
				job(2, (job) -> job.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit)))), true, (id) -> {
				});
	}

	@Test
	void aJobOfATenantIsNotFetchedInAdvance() {
		assertThatItIsNotFetchedInAdvance(job(2, (job) -> job.meta(Map.of("tenant_id", "acme"))), false, (id) -> {
		});
	}

	@Test
	void aJobOfATenantWithALimitIsNotFetchedInAdvance() {
		this.stores.tenantConcurrency.put("acme", 5);
		assertThatItIsNotFetchedInAdvance(job(2, (job) -> job.meta(Map.of("tenant_id", "acme"))), true, (id) -> {
		});
	}

	/** It is taken if it begins at once, and stops what is taken in advance. */
	private void assertThatItIsNotFetchedInAdvance(String id, boolean limited, Consumer<String> change) {
		change.accept(id);
		String before = job(1);
		String behind = job(3);
		assertThat(ids(fetch(1, 9))).containsExactly(before);
		assertThat(state(id)).isEqualTo(JobState.AVAILABLE);
		assertThat(state(behind)).as("it keeps its place in the line").isEqualTo(JobState.AVAILABLE);
		assertThat(fetch(0, 9)).isEmpty();
		List<FetchedRun> runs = fetch(1, 9);
		assertThat(ids(runs)).containsExactly(id, behind);
		assertThat(runs).extracting(FetchedRun::limited).containsExactly(limited, false);
	}

	@Test
	void noJobOfAQueueWithALimitIsFetchedInAdvance() {
		this.stores.queueRates.put("mail", new Rate(3, Duration.ofMinutes(10)));
		List<String> ids = IntStream.range(0, 5).mapToObj(this::job).toList();
		List<FetchedRun> runs = fetch(2, 9);
		assertThat(ids(runs)).isEqualTo(ids.subList(0, 2));
		assertThat(runs).allMatch(FetchedRun::limited);
		assertThat(ids.subList(2, 5)).allMatch((id) -> state(id) == JobState.AVAILABLE);
		assertThat(ids(fetch(2, 9))).as("the limit holds").isEqualTo(ids.subList(2, 3));
	}

	@Test
	void aFetchTellsWhetherItHasLeftJobs() {
		assertThat(leaves(2, 5)).isFalse();
		job(1);
		job(2);
		assertThat(leaves(1, 1)).as("it has as many as it wanted").isTrue();
		assertThat(leaves(1, 2)).isFalse();
		job(3, 1, (job) -> job);
		job(4, 1, (job) -> job);
		assertThat(leaves(1, 5)).as("the next one is not fetched in advance").isTrue();
		assertThat(leaves(0, 5)).isTrue();
		assertThat(leaves(1, 5)).isFalse();
	}

	/** It locks limits in one order, whatever that of the jobs is. */
	@Test
	void aFetchThatHasToLetLocksGoTellsThatItHasNotSeenAll() {
		String waiting = job(1, (job) -> limited(job, "b"));
		String free = job(2, (job) -> limited(job, "a"));
		this.stores.taken(this.stores.encoded((job) -> limited(job, "b")), NOW);
		FetchedRuns first = this.fetches.fetch(request("process-1", 1, 1), NOW);
		assertThat(first.runs()).isEmpty();
		assertThat(first.more()).isTrue();
		FetchedRuns second = this.fetches.fetch(request("process-1", 1, 2), NOW);
		assertThat(ids(second.runs())).containsExactly(free);
		assertThat(second.more()).isFalse();
		assertThat(state(waiting)).isEqualTo(JobState.AVAILABLE);
	}

	private static JobBuilder limited(JobBuilder job, String key) {
		return job.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(RateLimit.of(key).concurrency(1))));
	}

	@Test
	void processesThatFetchAtTheSameTimeGetDifferentJobsAndAllOfThem() throws Exception {
		List<String> kept = IntStream.range(0, 200).mapToObj(this::job).toList();
		List<String> got = Collections.synchronizedList(new ArrayList<>());
		Threads.together(6, (thread) -> {
			while (got.size() < kept.size()) {
				got.addAll(ids(this.fetches.fetch(request("process-" + thread, 3, 7), NOW).runs()));
			}
		});
		assertThat(got).containsExactlyInAnyOrderElementsOf(kept);
	}

	@Test
	void rowsThatOthersHaveLockedArePassedOver() {
		String locked = job(1);
		String free = job(2);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.lock(locked);
			assertThat(ids(Threads.apart(() -> fetch(5, 5)))).containsExactly(free);
		});
		assertThat(ids(fetch(5, 5))).containsExactly(locked);
	}

	@Test
	void aFetchThatFindsOnlyLockedRowsIsToBeRepeated() {
		String locked = job(1);
		assertThat(leaves(5, 5)).isFalse();
		String another = job(2);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.lock(another);
			assertThat(Threads.apart(() -> leaves(5, 5))).isTrue();
		});
		assertThat(ids(fetch(5, 5))).containsExactly(another);
		assertThat(state(locked)).isEqualTo(JobState.ACTIVE);
		assertThat(leaves(5, 5)).as("nothing is there").isFalse();
	}

	@Test
	void aFetchIsNotRepeatedForVersionsThatTheProcessDoesNotHandle() {
		job(1, (job) -> job.extensions(Map.of("version", "2.0")));
		HandledJobs handled = new HandledJobs(Map.of("email.send", List.of(VersionRange.parse("<2.0"))), true);
		assertThat(this.fetches.fetch(new ProcessFetch("mail", 9, 9, "process-1", LEASE, handled), NOW))
			.isEqualTo(new FetchedRuns(List.of(), false));
	}

	@Test
	void whatHasExpiredOrCannotBeReadIsADeadLetter() {
		EncodedJob expired = this.stores
			.keep(this.stores.encoded((job) -> job.expiresAt(TestStores.time(NOW.minusSeconds(1)))), FOR_GOOD);
		EncodedJob broken = this.stores.available();
		this.stores.jdbc().update("update ojs_job set envelope = '{' where id = ?", UUID.fromString(broken.job().id()));
		EncodedJob good = this.stores
			.keep(this.stores.encoded((job) -> job.enqueuedAt(TestStores.time(NOW.plusSeconds(1)))), FOR_GOOD);
		assertThat(ids(fetch(1, 1))).containsExactly(good.job().id());
		assertThat(this.stores.told(expired)).containsExactly("job.expired", "job.dead_lettered");
		assertThat(this.stores.find(expired).deadLetteredAt()).isEqualTo(NOW);
		assertThat(this.stores.told(broken)).containsExactly("job.dead_lettered");
		assertThat(this.stores.find(broken).job().errors()).extracting(JobError::code)
			.containsExactly(JobError.INVALID_PAYLOAD);
	}

	@Test
	void whatIsDueBecomesAvailableOnceASecondAtMost() {
		EncodedJob scheduled = this.stores.scheduled(NOW.minusSeconds(1));
		EncodedJob later = this.stores.scheduled(NOW.plusSeconds(1));
		EncodedJob retried = this.stores.available();
		this.stores.attempts.settle(List.of(new Outcome.Retried(this.stores.taken(retried, NOW.minusSeconds(9)).lease(),
				TestStores.error("no luck"), NOW.minusSeconds(2), NOW.minusSeconds(2))), NOW.minusSeconds(8));
		long began = System.nanoTime();
		assertThat(ids(fetch(5, 5))).containsExactlyInAnyOrder(scheduled.job().id(), retried.job().id());
		assertThat(this.stores.state(later)).isEqualTo(JobState.SCHEDULED);
		assertThat(this.stores.told(scheduled)).containsExactly("job.enqueued");
		EncodedJob next = this.stores.scheduled(NOW.minusSeconds(1));
		List<FetchedRun> soon = fetch(5, 5);
		if (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(1)) {
			assertThat(soon).isEmpty();
			await().untilAsserted(() -> assertThat(ids(fetch(5, 5))).containsExactly(next.job().id()));
		}
	}

	@Test
	void eachQueueIsLookedAtForWhatIsDue() {
		fetch(5, 5);
		EncodedJob scheduled = this.stores.keep(this.stores.encoded((
				job) -> job.queue("other").state(JobState.SCHEDULED).scheduledAt(TestStores.time(NOW.minusSeconds(1)))),
				NOW);
		assertThat(ids(
				this.fetches.fetch(new ProcessFetch("other", 1, 1, "process-1", LEASE, HandledJobs.ALL), NOW).runs()))
			.containsExactly(scheduled.job().id());
	}

	@Test
	void versionsThatTheProcessDoesNotHandleStayAndTypesThatItDoesNotKnowAreTaken() {
		String two = job(1, (job) -> job.extensions(Map.of("version", "2.0")));
		String one = job(2, (job) -> job.extensions(Map.of("version", "1.0")));
		String none = job(3);
		String unknown = job(4, (job) -> job.type("nobody.knows").extensions(Map.of("version", "2.0")));
		HandledJobs handled = new HandledJobs(Map.of("email.send", List.of(VersionRange.parse("<2.0"))), true);
		assertThat(ids(fetch(handled))).containsExactly(one, none, unknown);
		assertThat(state(two)).isEqualTo(JobState.AVAILABLE);
		assertThat(ids(fetch(new HandledJobs(Map.of("email.send", List.of(VersionRange.parse(">=2.0"))), true))))
			.containsExactly(two);
	}

	@Test
	void aRunOfAProcessThatIsGoneIsLostWhenItsLeaseIsOver() {
		for (Instant relayAt : List.of(FOR_GOOD, NOW.minusSeconds(5), NOW.plusSeconds(3))) {
			EncodedJob job = this.stores.keep(this.stores.encoded((fields) -> fields), relayAt);
			assertThat(fetch(1, 1)).hasSize(1);
			assertThat(this.stores.attempts.reap(NOW.plus(LEASE), 10)).isEmpty();
			assertThat(this.stores.attempts.reap(NOW.plus(LEASE).plusMillis(1), 10)).as("with %s", relayAt)
				.singleElement()
				.satisfies((reaped) -> {
					assertThat(reaped.job().id()).isEqualTo(job.job().id());
					assertThat(reaped.job().state()).isEqualTo(JobState.AVAILABLE);
					assertThat(reaped.job().attempt()).isOne();
					assertThat(reaped.job().errors()).extracting(JobError::code).containsExactly("WORKER_LOST");
				});
			this.stores.jobs.cancel(job.job().id(), NOW.plusSeconds(40));
		}
	}

	@Test
	void aProcessKeepsTheRunsThatItKnowsForAsLongAsItIsSeen() {
		Instant before = Instant.now().minusSeconds(3600);
		String id = job(1);
		FetchedRun run = this.fetches.fetch(request("process-1", 1, 1), before).runs().get(0);
		this.stores.processes.beat("process-1", List.of(run.lease()));
		assertThat(this.stores.attempts.reap(Instant.now(), 10)).isEmpty();
		assertThat(state(id)).isEqualTo(JobState.ACTIVE);
	}

	/** Such as that of a fetch that was not answered, by a worker that was stopped. */
	@Test
	void aRunThatItsProcessDoesNotKnowIsLostAlthoughTheProcessIsSeen() {
		String id = job(1);
		this.fetches.fetch(request("process-1", 1, 1), Instant.now().minusSeconds(3600));
		this.stores.processes.beat("process-1", List.of());
		assertThat(this.stores.attempts.reap(Instant.now().plusSeconds(1), 10)).singleElement()
			.satisfies((reaped) -> assertThat(reaped.job().id()).isEqualTo(id));
	}

	@Test
	void whatAnUnansweredFetchHasTakenIsGivenBackAndNothingElse() {
		Instant at = NOW.plusNanos(1_234_567);
		String taken = job(1);
		String begunBefore = taken(job(2), "process-1", at.minusMillis(1));
		String begunLater = taken(job(3), "process-1", at.plusMillis(1));
		String ofAnother = taken(job(4), "process-2", at);
		String ofAnotherQueue = job(5, (job) -> job.queue("other"));
		this.fetches.fetch(new ProcessFetch("other", 1, 1, "process-1", LEASE, HandledJobs.ALL), at);
		String remote = remote(at);
		FetchedRun lost = this.fetches.fetch(request("process-1", 1, 5), at).runs().get(0);
		assertThat(lost.job().job().id()).isEqualTo(taken);
		assertThat(this.fetches.giveBack(request("process-1", 1, 5), at, NOW.plusSeconds(5))).isOne();
		assertThat(state(taken)).isEqualTo(JobState.AVAILABLE);
		assertThat(List.of(begunBefore, begunLater, ofAnother, ofAnotherQueue, remote))
			.allMatch((id) -> state(id) == JobState.ACTIVE);
		assertThat(this.fetches.giveBack(request("process-1", 1, 5), at, NOW.plusSeconds(6))).isZero();
		assertThat(settle(lost)).as("the lease is no longer valid").isFalse();
		assertThat(state(taken)).isEqualTo(JobState.AVAILABLE);
	}

	/** Fetches a job by itself. */
	private String taken(String id, String process, Instant at) {
		this.stores.jdbc().update("update ojs_job set queue = 'aside' where state = 'available' and queue = 'mail'");
		this.stores.jdbc().update("update ojs_job set queue = 'mail' where id = ?", UUID.fromString(id));
		assertThat(ids(this.fetches.fetch(request(process, 1, 1), at).runs())).containsExactly(id);
		this.stores.jdbc().update("update ojs_job set queue = 'mail' where queue = 'aside'");
		return id;
	}

	/** A job that a worker fetched over HTTP which calls itself the same. */
	private String remote(Instant at) {
		String id = job(0, (job) -> job.priority(9));
		assertThat(this.fetches.fetch(List.of("mail"), 1, "process-1", null, at,
				(job) -> new Reservation(LEASE, Duration.ofMinutes(5))))
			.hasSize(1);
		return id;
	}

	@Test
	void theAttemptDoesNotCountAndThePlaceInTheLineStays() {
		String first = job(1);
		Job before = found(first);
		fetch(1, 1);
		assertThat(this.fetches.giveBack(request("process-1", 1, 1), NOW, NOW.plusSeconds(5))).isOne();
		String second = job(2);
		Job after = found(first);
		assertThat(after.attempt()).isZero();
		assertThat(after.enqueuedAt()).isEqualTo(before.enqueuedAt());
		assertThat(column("relay_at", first, Timestamp.class).toInstant()).as("the relay looks after it")
			.isEqualTo(Times.micros(NOW.plusSeconds(5)));
		List<FetchedRun> runs = fetch(1, 9);
		assertThat(ids(runs)).containsExactly(first, second);
		assertThat(runs.get(0).job().job().attempt()).isOne();
	}

	@Test
	void whatHasEndedSinceIsNotGivenBack() {
		String id = job(1);
		settle(fetch(1, 1).get(0));
		assertThat(this.fetches.giveBack(request("process-1", 1, 1), NOW, NOW.plusSeconds(5))).isZero();
		assertThat(state(id)).isEqualTo(JobState.COMPLETED);
	}

}
