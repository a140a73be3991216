package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.Reservation;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.rate.LimitedJobs;
import io.ojs.internal.rate.LimitedJobs.LimitedJob;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a database lets start, and when.
 */
abstract class RateLimitContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final RateLimit TWO = RateLimit.of("printer").concurrency(2);

	private JdbcRateLimitStore limits() {
		return new JdbcRateLimitStore(this.stores.database);
	}

	private EncodedJob limited(RateLimit limit) {
		return limited(limit, 0, NOW);
	}

	private EncodedJob limited(RateLimit limit, int priority, Instant enqueuedAt) {
		return this.stores.keep(this.stores.encoded((job) -> job.priority(priority)
			.enqueuedAt(TestStores.time(enqueuedAt))
			.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit)))), NOW.plusSeconds(10));
	}

	private List<String> relayed(Instant now) {
		return this.stores.relay.take(now, now.plusSeconds(30), 100).jobs().stream().map(RelayedJob::id).toList();
	}

	@Test
	void noMoreRunAtOnceThanTheLimitSays() {
		Claim.Taken first = this.stores.taken(limited(TWO), NOW);
		this.stores.taken(limited(TWO), NOW);
		EncodedJob third = limited(TWO);
		assertThat(this.stores.claim(third)).isEqualTo(new Claim.Limited(this.stores.find(third), "printer"));
		assertThat(this.stores.state(third)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.find(third).job().attempt()).isZero();
		assertThat(relayed(NOW.plusSeconds(60))).as("waits for no relay").isEmpty();
		assertThat(limits().nextRelease()).as("waits for no time").isEmpty();
		assertThat(this.stores.claim(third)).as("asked again").isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.relayable).hasValue(0);

		this.stores.attempts.settle(List.of(new Outcome.Completed(first.lease(), null)), NOW);

		assertThat(this.stores.relayable).hasValue(1);
		assertThat(relayed(NOW)).containsExactly(third.job().id());
		assertThat(this.stores.claim(third)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.claim(limited(TWO))).isInstanceOf(Claim.Limited.class);
	}

	@Test
	void jobThatComesWhileOthersWaitIsBehindThem() {
		RateLimit one = RateLimit.of("printer").concurrency(1);
		Claim.Taken running = this.stores.taken(limited(one), NOW);
		EncodedJob waiting = limited(one);
		this.stores.claim(waiting);
		this.stores.attempts.settle(List.of(new Outcome.Completed(running.lease(), null)), NOW);
		EncodedJob late = limited(one);
		assertThat(this.stores.claim(late)).isInstanceOf(Claim.Limited.class);
		Claim.Taken next = this.stores.taken(waiting, NOW);
		this.stores.attempts.settle(List.of(new Outcome.Completed(next.lease(), null)), NOW);
		assertThat(this.stores.claim(late)).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void noteOfAMessageThatIsGoneKeepsNobodyFromBeingPublishedAgain() {
		RateLimit one = RateLimit.of("printer").concurrency(1);
		Claim.Taken running = this.stores.taken(limited(one), NOW);
		EncodedJob waiting = limited(one);
		assertThat(this.stores.claim(waiting)).as("its message, which is acked").isInstanceOf(Claim.Limited.class);
		Instant letThrough = NOW.plusSeconds(3);
		this.stores.attempts.settle(List.of(new Outcome.Completed(running.lease(), null)), letThrough);

		this.stores.relay.published("mail", Map.of(waiting.job().id(), TestStores.LATER), letThrough.minusSeconds(1));

		assertThat(relayed(letThrough)).containsExactly(waiting.job().id());
		this.stores.relay.published("mail", Map.of(waiting.job().id(), letThrough.plusSeconds(30)),
				letThrough.plusSeconds(1));
		assertThat(relayed(letThrough.plusSeconds(60))).as("its second message, of which it is the note").isEmpty();
	}

	@Test
	void highestPriorityIsLetThroughFirstAndThenTheOldest() {
		RateLimit one = RateLimit.of("printer").concurrency(1);
		Claim.Taken running = this.stores.taken(limited(one), NOW);
		List<EncodedJob> waiting = new ArrayList<>(List.of(limited(one, 0, NOW.plusMillis(5)),
				limited(one, 0, NOW.plusMillis(1)), limited(one, 7, NOW.plusMillis(9))));
		waiting.forEach((job) -> assertThat(this.stores.claim(job)).isInstanceOf(Claim.Limited.class));
		List<String> order = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			this.stores.attempts.settle(List.of(new Outcome.Completed(running.lease(), null)), NOW);
			List<String> next = relayed(NOW);
			assertThat(next).hasSize(1);
			order.addAll(next);
			running = this.stores.taken(
					waiting.stream().filter((job) -> job.job().id().equals(next.get(0))).findFirst().orElseThrow(),
					NOW);
		}
		assertThat(order).containsExactly(id(waiting, 2), id(waiting, 1), id(waiting, 0));
	}

	private static String id(List<EncodedJob> jobs, int index) {
		return jobs.get(index).job().id();
	}

	@Test
	void jobsAreListedInTheOrderInWhichTheyGo() {
		RateLimit one = RateLimit.of("printer").concurrency(1);
		EncodedJob running = limited(one, 0, NOW.minusSeconds(5));
		this.stores.taken(running, NOW);
		List<EncodedJob> waiting = List.of(limited(one, 0, NOW.plusMillis(5)), limited(one, 0, NOW.plusMillis(1)),
				limited(one, 7, NOW.plusMillis(9)));
		limited(RateLimit.of("other").concurrency(1));
		LimitedJobs jobs = limits().jobs("printer", 20);
		assertThat(jobs.running()).containsExactly(new LimitedJob(id(running), running.job().type(), null, NOW));
		assertThat(jobs.waiting()).extracting(LimitedJob::id)
			.containsExactly(id(waiting, 2), id(waiting, 1), id(waiting, 0));
		assertThat(jobs.waiting()).extracting(LimitedJob::since)
			.containsExactly(NOW.plusMillis(9), NOW.plusMillis(1), NOW.plusMillis(5));
		assertThat(limits().jobs("printer", 1).waiting()).extracting(LimitedJob::id).containsExactly(id(waiting, 2));
		assertThat(limits().jobs("none", 20)).isEqualTo(new LimitedJobs(List.of(), List.of()));
	}

	private static String id(EncodedJob job) {
		return job.job().id();
	}

	@Test
	void noMoreStartInAPeriodThanTheLimitSays() {
		RateLimit limit = RateLimit.of("api").rate(2, Duration.ofSeconds(10));
		List<EncodedJob> jobs = IntStream.range(0, 5).mapToObj((i) -> limited(limit, 0, NOW.plusMillis(i))).toList();
		List<Claim> claims = jobs.stream().map((job) -> this.stores.claim(job, NOW)).toList();
		assertThat(claims.subList(0, 2)).allMatch(Claim.Taken.class::isInstance);
		assertThat(claims.subList(2, 5)).allMatch(Claim.Limited.class::isInstance);
		Instant next = NOW.plusSeconds(10);
		assertThat(limits().nextRelease()).contains(next);
		assertThat(limits().release(next.minusMillis(1))).isZero();
		assertThat(limits().release(next)).isEqualTo(2);
		assertThat(relayed(next)).containsExactlyInAnyOrder(id(jobs, 2), id(jobs, 3));
		assertThat(limits().nextRelease()).contains(next.plusSeconds(10));
		assertThat(this.stores.claim(jobs.get(2), next)).isInstanceOf(Claim.Taken.class);
		assertThat(limits().find("api").orElseThrow().windows()).singleElement()
			.satisfies((counted) -> assertThat(counted.starts()).isEqualTo(2));
		assertThat(limits().find("api").orElseThrow().waiting()).isOne();
	}

	@Test
	void startsAreSpreadEvenly() {
		RateLimit limit = RateLimit.of("api").throttle(10, Duration.ofSeconds(1));
		List<EncodedJob> jobs = IntStream.range(0, 3).mapToObj((i) -> limited(limit)).toList();
		assertThat(this.stores.claim(jobs.get(0), NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.claim(jobs.get(1), NOW.plusMillis(99))).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.claim(jobs.get(2), NOW.plusMillis(99))).isInstanceOf(Claim.Limited.class);
		assertThat(limits().nextRelease()).contains(NOW.plusMillis(100));
		assertThat(limits().release(NOW.plusMillis(100))).isOne();
		assertThat(limits().nextRelease()).contains(NOW.plusMillis(200));
	}

	@Test
	void retryCountsAsAStart() {
		RateLimit limit = RateLimit.of("api").rate(2, Duration.ofSeconds(10));
		EncodedJob job = limited(limit);
		Claim.Taken first = this.stores.taken(job, NOW);
		this.stores.attempts.settle(List.of(new Outcome.Retried(first.lease(), TestStores.error("no luck"), NOW, NOW)),
				NOW);
		assertThat(this.stores.claim(job)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.claim(limited(limit))).isInstanceOf(Claim.Limited.class);
	}

	@Test
	void jobThatStartedAtLastWaitsNoMoreWhenItFails() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofSeconds(10));
		this.stores.taken(limited(limit), NOW);
		EncodedJob job = limited(limit);
		assertThat(this.stores.claim(job)).isInstanceOf(Claim.Limited.class);
		Instant later = NOW.plusSeconds(20);
		Claim.Taken taken = this.stores.taken(job, later);
		this.stores.attempts
			.settle(List.of(new Outcome.Retried(taken.lease(), TestStores.error("no luck"), later, later)), later);
		assertThat(relayed(later)).containsExactly(job.job().id());
		assertThat(limits().find("api").orElseThrow().waiting()).isZero();
		assertThat(limits().releaseAll(later.plusSeconds(60))).isZero();
	}

	@Test
	void workersThatFetchAreHeldBackAsWell() {
		JdbcFetchStore fetches = new JdbcFetchStore(this.stores.database);
		Reservation reservation = new Reservation(Duration.ofSeconds(30), Duration.ofMinutes(30));
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofSeconds(1));
		List<EncodedJob> jobs = IntStream.range(0, 3).mapToObj((i) -> limited(limit, 0, NOW.plusMillis(i))).toList();
		EncodedJob free = this.stores
			.keep(this.stores.encoded((job) -> job.priority(-5).enqueuedAt(TestStores.time(NOW))), NOW);
		assertThat(ids(fetches.fetch(List.of("mail"), 3, "fetcher", null, NOW, (job) -> reservation)))
			.containsExactly(id(jobs, 0), free.job().id());
		assertThat(ids(fetches.fetch(List.of("mail"), 3, "fetcher", null, NOW, (job) -> reservation))).isEmpty();
		assertThat(limits().release(NOW.plusSeconds(1))).isOne();
		assertThat(ids(fetches.fetch(List.of("mail"), 3, "fetcher", null, NOW.plusSeconds(1), (job) -> reservation)))
			.containsExactly(id(jobs, 1));
	}

	private static List<String> ids(List<FetchedJob> fetched) {
		return fetched.stream().map((each) -> each.job().job().id()).toList();
	}

	@Test
	void keyIsKnownBeforeAnyOfItsJobsStarts() {
		assertThat(limits().find("api")).isEmpty();
		limited(RateLimit.of("api").concurrency(5));
		assertThat(limits().find("api")).hasValueSatisfying((status) -> {
			assertThat(status.limit()).isEqualTo(RateLimit.of("api").concurrency(5));
			assertThat(status.active()).isZero();
		});
	}

	@Test
	void keyOfConcurrencyZeroLetsNobodyStart() {
		EncodedJob job = limited(RateLimit.of("closed").concurrency(0));
		assertThat(this.stores.claim(job)).isInstanceOf(Claim.Limited.class);
		assertThat(limits().releaseAll(NOW.plusSeconds(60))).isZero();
	}

	@Test
	void jobMayBeScheduledForLaterInstead() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofSeconds(10)).onLimit(OnLimit.RESCHEDULE);
		this.stores.taken(limited(limit), NOW);
		EncodedJob second = limited(limit);
		assertThat(this.stores.claim(second)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.state(second)).isEqualTo(JobState.SCHEDULED);
		assertThat(this.stores.find(second).dueAt()).isEqualTo(NOW.plusSeconds(10));
		assertThat(relayed(NOW.plusSeconds(10))).containsExactly(second.job().id());
		assertThat(this.stores.claim(second, NOW.plusSeconds(10))).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void jobMayBeDroppedInstead() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofSeconds(10)).onLimit(OnLimit.DROP);
		this.stores.taken(limited(limit), NOW);
		EncodedJob second = limited(limit);
		assertThat(this.stores.claim(second)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.find(second).job().errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).contains("'api'"));
		assertThat(this.stores.state(second)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.find(second).deadLetteredAt()).isNull();
	}

	@Test
	void jobCannotChangeTheLimitOfItsQueue() {
		this.stores.queueRates.put("mail", new Rate(5, Duration.ofSeconds(10)));
		EncodedJob closing = limited(RateLimit.of("queue:mail").concurrency(0));
		assertThat(this.stores.claim(closing)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.claim(this.stores.available())).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void queueLimitsAllOfItsJobs() {
		this.stores.queueRates.put("mail", new Rate(2, Duration.ofSeconds(10)));
		assertThat(this.stores.claim(this.stores.available())).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.claim(limited(RateLimit.of("api").concurrency(5)))).isInstanceOf(Claim.Taken.class);
		EncodedJob third = this.stores.available();
		assertThat(this.stores.claim(third)).isInstanceOfSatisfying(Claim.Limited.class,
				(limited) -> assertThat(limited.key()).isEqualTo("@queue@mail"));
		assertThat(limits().release(NOW.plusSeconds(10))).isOne();
		assertThat(this.stores.claim(third, NOW.plusSeconds(10))).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void jobThatWaitsForOneLimitWaitsForTheOtherOneNext() {
		this.stores.queueRates.put("mail", new Rate(2, Duration.ofSeconds(10)));
		RateLimit one = RateLimit.of("printer").concurrency(1);
		Claim.Taken running = this.stores.taken(limited(one), NOW);
		EncodedJob waiting = limited(one);
		assertThat(this.stores.claim(waiting)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.claim(this.stores.available())).isInstanceOf(Claim.Taken.class);
		this.stores.attempts.settle(List.of(new Outcome.Completed(running.lease(), null)), NOW);
		assertThat(relayed(NOW)).isEmpty();
		assertThat(limits().nextRelease()).contains(NOW.plusSeconds(10));
		assertThat(limits().release(NOW.plusSeconds(10))).isOne();
		assertThat(this.stores.claim(waiting, NOW.plusSeconds(10))).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void placeOfARunThatWasCancelledOrLostIsFree() {
		RateLimit one = RateLimit.of("printer").concurrency(1);
		EncodedJob cancelled = limited(one);
		this.stores.taken(cancelled, NOW);
		EncodedJob second = limited(one);
		EncodedJob third = limited(one, -1, NOW);
		this.stores.claim(second);
		this.stores.claim(third);
		this.stores.jobs.cancel(cancelled.job().id(), NOW);
		this.stores.jobs.cancel(second.job().id(), NOW);
		assertThat(relayed(NOW)).as("the second was let through, and its place passed on")
			.containsExactly(third.job().id());
		this.stores.taken(third, NOW);
		EncodedJob fourth = limited(one);
		this.stores.claim(fourth);
		this.stores.attempts.reap(NOW.plusSeconds(31), 10);
		assertThat(relayed(NOW.plusSeconds(31))).contains(fourth.job().id());
	}

	@Test
	void nobodyIsForgottenWhenTheFirstInTheQueueIsGone() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofSeconds(10));
		this.stores.taken(limited(limit), NOW);
		EncodedJob head = limited(limit);
		EncodedJob behind = limited(limit);
		this.stores.claim(head);
		this.stores.claim(behind);
		this.stores.jobs.cancel(head.job().id(), NOW);
		assertThat(limits().release(NOW.plusSeconds(10))).isOne();
		assertThat(relayed(NOW.plusSeconds(10))).containsExactly(behind.job().id());
	}

	@Test
	void manyWhoClaimAtOnceDoNotPassTheLimit() throws Exception {
		RateLimit three = RateLimit.of("printer").concurrency(3);
		ConcurrentLinkedQueue<EncodedJob> jobs = new ConcurrentLinkedQueue<>(
				IntStream.range(0, 60).mapToObj((i) -> limited(three)).toList());
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		AtomicInteger done = new AtomicInteger();
		Threads.together(6, (thread) -> {
			while (done.get() < 60) {
				EncodedJob job = jobs.poll();
				if (job == null) {
					continue;
				}
				if (!(this.stores.claim(job, Instant.now()) instanceof Claim.Taken taken)) {
					jobs.add(job);
					continue;
				}
				most.accumulateAndGet(running.incrementAndGet(), Math::max);
				// As long as it takes others to come.
				LockSupport.parkNanos(1_000_000);
				running.decrementAndGet();
				this.stores.attempts.settle(List.of(new Outcome.Completed(taken.lease(), null)), Instant.now());
				done.incrementAndGet();
			}
		});
		assertThat(done).hasValue(60);
		assertThat(most.get()).isLessThanOrEqualTo(3);
		assertThat(limits().find("printer").orElseThrow().active()).isZero();
	}

}
