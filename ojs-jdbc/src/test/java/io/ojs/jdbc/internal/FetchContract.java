package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.LeasedRun;
import io.ojs.internal.fetch.Reservation;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.worker.JdbcProgressStore;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.attempt.Progress;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

abstract class FetchContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Reservation RESERVATION = new Reservation(Duration.ofSeconds(30), Duration.ofMinutes(30));

	private JdbcFetchStore fetches() {
		return new JdbcFetchStore(this.stores.database);
	}

	private List<FetchedJob> fetch(int count, String... queues) {
		return fetch(NOW, count, RESERVATION, queues);
	}

	private List<FetchedJob> fetch(Instant now, int count, Reservation reservation, String... queues) {
		return fetches().fetch(List.of(queues), count, "fetcher", null, now, (job) -> reservation);
	}

	private String job(String queue, int priority, Instant enqueuedAt) {
		Job in = Job.builder(this.stores.id(), "email.send", queue)
			.priority(priority)
			.state(JobState.AVAILABLE)
			.createdAt(TestStores.time(enqueuedAt))
			.enqueuedAt(TestStores.time(enqueuedAt))
			.build();
		this.stores.keep(new EncodedJob(in, this.stores.codec.encode(in), 3), TestStores.LATER);
		return in.id();
	}

	private static List<String> ids(List<FetchedJob> fetched) {
		return fetched.stream().map((each) -> each.job().job().id()).toList();
	}

	@Test
	void handsOutExactlyByPriorityAndThenByTime() {
		String third = job("mail", 5, NOW.minusSeconds(1));
		String second = job("mail", 5, NOW.minusSeconds(2));
		String last = job("mail", -3, NOW.minusSeconds(10));
		String first = job("mail", 7, NOW);
		String fourth = job("mail", 0, NOW.minusSeconds(5));
		assertThat(ids(fetch(2, "mail"))).containsExactly(first, second);
		assertThat(ids(fetch(2, "mail"))).containsExactly(third, fourth);
		assertThat(ids(fetch(2, "mail"))).containsExactly(last);
		assertThat(fetch(2, "mail")).isEmpty();
	}

	@Test
	void aJobThatMayTakeForEverIsHandedOut() {
		String id = job("mail", 0, NOW);
		Reservation forEver = new Reservation(Duration.ofDays(7), Duration.ofSeconds(Long.MAX_VALUE));
		assertThat(ids(fetch(NOW, 1, forEver, "mail"))).containsExactly(id);
	}

	@Test
	void emptiesQueuesFromLeftToRight() {
		String low = job("low", 50, NOW.minusSeconds(9));
		String high = job("high", 0, NOW);
		job("other", 100, NOW.minusSeconds(9));
		assertThat(ids(fetch(5, "high", "low"))).containsExactly(high, low);
	}

	@Test
	void aFetchedJobIsActiveAndItsWorkers() {
		String id = job("mail", 0, NOW);
		FetchedJob fetched = fetch(1, "mail").get(0);
		Job job = fetched.job().job();
		assertThat(job.state()).isEqualTo(JobState.ACTIVE);
		assertThat(job.attempt()).isOne();
		assertThat(job.startedAt()).isEqualTo(TestStores.time(NOW));
		assertThat(fetched.job().headers()).containsEntry("x-ojs-trace-id", "abc");
		assertThat(fetched.retryDelay()).isNull();
		LeasedRun run = fetches().find(id).orElseThrow();
		assertThat(run).isEqualTo(new LeasedRun(fetched.job(), fetched.lease(), "fetcher", true));
		assertThat(run.isActive()).isTrue();
		assertThat(this.stores.relay.nextAt()).isEmpty();
		assertThat(settle(new Outcome.Completed(run.lease(), Map.of("sum", 3)))).isTrue();
		assertThat(settle(new Outcome.Completed(run.lease(), null))).isFalse();
		assertThat(fetches().find(id).orElseThrow().worker()).isNull();
	}

	@Test
	void thoseWhoFetchAtTheSameTimeGetDifferentJobsAndAllOfThem() throws Exception {
		List<String> kept = IntStream.range(0, 200).mapToObj((number) -> job("mail", number % 3, NOW)).toList();
		List<String> got = Collections.synchronizedList(new ArrayList<>());
		Threads.together(8, (thread) -> {
			// Whoever gets nothing may have met only what others were about to take.
			while (got.size() < kept.size()) {
				got.addAll(
						ids(fetches().fetch(List.of("mail"), 7, "fetcher-" + thread, null, NOW, (job) -> RESERVATION)));
			}
		});
		assertThat(got).containsExactlyInAnyOrderElementsOf(kept);
	}

	@Test
	void whatIsLockedForAMomentIsNotOverlooked() throws Exception {
		String id = job("mail", 0, NOW);
		CountDownLatch locked = new CountDownLatch(1);
		Thread relay = new Thread(() -> this.stores.users().executeWithoutResult((status) -> {
			this.stores.jdbc().update("update ojs_job set relay_at = null where id = ?", UUID.fromString(id));
			locked.countDown();
			try {
				TimeUnit.MILLISECONDS.sleep(15);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}));
		relay.start();
		locked.await();
		assertThat(ids(fetch(1, "mail"))).containsExactly(id);
		relay.join();
	}

	@Test
	void whatIsDueIsAvailableBefore() {
		Instant due = NOW.minusSeconds(1);
		EncodedJob scheduled = this.stores.scheduled(due);
		EncodedJob later = this.stores.scheduled(NOW.plusSeconds(1));
		EncodedJob retried = this.stores.available();
		Claim.Taken run = this.stores.taken(retried, NOW.minusSeconds(10));
		this.stores.attempts.settle(
				List.of(new Outcome.Retried(run.lease(), TestStores.error("no luck"), due, due.plusSeconds(10))),
				NOW.minusSeconds(5));
		List<FetchedJob> fetched = fetch(5, "mail");
		assertThat(ids(fetched)).containsExactlyInAnyOrder(scheduled.job().id(), retried.job().id());
		assertThat(this.stores.told(scheduled)).containsExactly("job.enqueued");
		assertThat(this.stores.told(retried)).isEmpty();
		assertThat(fetched).filteredOn((each) -> each.job().job().id().equals(retried.job().id()))
			.singleElement()
			.satisfies((each) -> {
				assertThat(each.job().job().attempt()).isEqualTo(2);
				assertThat(each.retryDelay()).isEqualTo(Duration.ofSeconds(4));
			});
		assertThat(this.stores.state(later)).isEqualTo(JobState.SCHEDULED);
		assertThat(this.stores.events(scheduled)).containsExactly("job.scheduled", "job.enqueued", "job.started");
	}

	@Test
	void whatHasExpiredOrCannotBeReadIsADeadLetter() {
		EncodedJob expired = this.stores
			.keep(this.stores.encoded((job) -> job.expiresAt(TestStores.time(NOW.minusSeconds(1)))), null);
		EncodedJob broken = this.stores.available();
		this.stores.jdbc().update("update ojs_job set envelope = '{' where id = ?", UUID.fromString(broken.job().id()));
		EncodedJob good = this.stores
			.keep(this.stores.encoded((job) -> job.enqueuedAt(TestStores.time(NOW.plusSeconds(1)))), null);
		List<FetchedJob> fetched = fetch(1, "mail");
		assertThat(ids(fetched)).containsExactly(good.job().id());
		assertThat(this.stores.told(expired)).containsExactly("job.expired", "job.dead_lettered");
		assertThat(this.stores.told(broken)).containsExactly("job.dead_lettered");
		assertThat(this.stores.find(expired).deadLetteredAt()).isEqualTo(NOW);
		assertThat(this.stores.state(broken)).isEqualTo(JobState.DISCARDED);
	}

	@Test
	void whatHasExpiredBeforeItWasDueIsNeverEnqueued() {
		EncodedJob expired = this.stores.keep(this.stores.encoded((job) -> job.state(JobState.SCHEDULED)
			.scheduledAt(TestStores.time(NOW.minusSeconds(2)))
			.expiresAt(TestStores.time(NOW.minusSeconds(1)))), NOW);
		assertThat(fetch(1, "mail")).isEmpty();
		assertThat(this.stores.told(expired)).containsExactly("job.expired", "job.dead_lettered");
		assertThat(this.stores.events(expired)).doesNotContain("job.enqueued");
	}

	@Test
	void whatHasNoAttemptLeftIsADeadLetter() {
		EncodedJob tried = this.stores.available();
		this.stores.jdbc().update("update ojs_job set attempt = 3");
		assertThat(fetch(1, "mail")).isEmpty();
		assertThat(this.stores.told(tried)).containsExactly("job.retry_exhausted", "job.dead_lettered");
		assertThat(this.stores.find(tried).deadLetteredAt()).isEqualTo(NOW);
	}

	@Test
	void aLeaseThatIsNotExtendedLosesTheRun() {
		String id = job("mail", 0, NOW);
		fetch(1, "mail");
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(30), 10)).isEmpty();
		assertThat(fetches().extend("another", List.of(id), null, NOW.plusSeconds(20))).isEmpty();
		assertThat(fetches().extend("fetcher", List.of(id, this.stores.id()), null, NOW.plusSeconds(20)))
			.containsExactly(id);
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(50), 10)).isEmpty();
		assertThat(fetches().extend("fetcher", List.of(id), Duration.ofSeconds(5), NOW.plusSeconds(50)))
			.containsExactly(id);
		assertThat(fetches().timedOut(NOW.plusSeconds(56), 10)).as("it was lost, and did not take too long").isEmpty();
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(56), 10)).singleElement()
			.satisfies((job) -> assertThat(job.job().state()).isEqualTo(JobState.AVAILABLE));
		assertThat(fetches().extend("fetcher", List.of(id), null, NOW.plusSeconds(57))).isEmpty();
	}

	@Test
	void heartbeatWaitsForNoRowThatIsLocked() {
		String locked = job("mail", 0, NOW);
		String free = job("mail", 0, NOW);
		fetch(2, "mail");
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.lock(locked);
			assertThat(
					Threads.apart(() -> fetches().extend("fetcher", List.of(locked, free), null, NOW.plusSeconds(20))))
				.containsExactlyInAnyOrder(locked, free);
		});
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(40), 10)).extracting((job) -> job.job().id())
			.doesNotContain(free);
	}

	@Test
	void handlerThatTakesOverALostRunIsReapedAndTimedOutAsHandlersAre() {
		String id = job("mail", 0, NOW);
		fetch(NOW, 1, new Reservation(Duration.ofSeconds(30), Duration.ofSeconds(40)), "mail");
		assertThat(this.stores.claim(this.stores.encoded(id, 3, (job) -> job), NOW.plusSeconds(31)))
			.isInstanceOf(Claim.Taken.class);
		assertThat(fetches().find(id).orElseThrow().remote()).isFalse();
		this.stores.seen(NOW.plusSeconds(60));
		assertThat(fetches().timedOut(NOW.plusSeconds(80), 10)).isEmpty();
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(80), 10)).as("its process lives").isEmpty();
	}

	@Test
	void noLeaseGoesBeyondTheTimeout() {
		String id = job("mail", 0, NOW);
		fetch(NOW, 1, new Reservation(Duration.ofSeconds(3), Duration.ofSeconds(5)), "mail");
		assertThat(fetches().extend("fetcher", List.of(id), Duration.ofHours(1), NOW.plusSeconds(2)))
			.containsExactly(id);
		assertThat(fetches().timedOut(NOW.plusMillis(4999), 10)).isEmpty();
		assertThat(fetches().timedOut(NOW.plusSeconds(5), 10)).extracting((run) -> run.job().job().id())
			.containsExactly(id);
		// It has failed and was not lost.
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(60), 10)).isEmpty();
		assertThat(this.stores.claim(this.stores.encoded(id, 3, (job) -> job), NOW.plusSeconds(60)))
			.isEqualTo(new Claim.Duplicate(JobState.ACTIVE));
	}

	@Test
	void handlersOfTheApplicationWatchTheirTimeoutsThemselves() {
		this.stores.active();
		assertThat(fetches().timedOut(NOW.plusSeconds(100_000), 10)).isEmpty();
		assertThat(fetches().extend("worker-1", ids(), null, NOW)).isEmpty();
	}

	private List<String> ids() {
		return this.stores.jdbc().queryForList("select cast(id as varchar(36)) from ojs_job", String.class);
	}

	@Test
	void whatIsGivenBackIsWhereItWasAndHasNotBeenTried() {
		String first = job("mail", 0, NOW.minusSeconds(2));
		job("mail", 0, NOW.minusSeconds(1));
		FetchedJob fetched = fetch(1, "mail").get(0);
		assertThat(settle(new Outcome.Requeued(fetched.lease(), NOW))).isTrue();
		LeasedRun run = fetches().find(first).orElseThrow();
		assertThat(run.job().job().state()).isEqualTo(JobState.AVAILABLE);
		assertThat(run.job().job().attempt()).isZero();
		assertThat(run.job().job().errors()).isEmpty();
		FetchedJob again = fetch(1, "mail").get(0);
		assertThat(again.job().job().id()).isEqualTo(first);
		assertThat(again.job().job().attempt()).isOne();
		assertThat(again.lease()).isNotEqualTo(fetched.lease());
		assertThat(settle(new Outcome.Completed(fetched.lease(), null))).isFalse();
	}

	@Test
	void aFetchSpoilsNothingForTheBroker() {
		EncodedJob job = this.stores.available();
		fetch(1, "mail");
		assertThat(this.stores.claim(job, NOW.plusSeconds(1))).isEqualTo(new Claim.Duplicate(JobState.ACTIVE));
		this.stores.relay.published("mail", Map.of(job.job().id(), TestStores.LATER), NOW);
		assertThat(this.stores.state(job)).isEqualTo(JobState.ACTIVE);
	}

	@Test
	void progressIsKeptOfARunThatGoesOn() {
		JdbcProgressStore progress = new JdbcProgressStore(this.stores.database);
		String id = job("mail", 0, NOW);
		assertThat(progress.find(id)).isEmpty();
		Lease lease = fetch(1, "mail").get(0).lease();
		Progress half = new Progress(0.5, "hälf", Map.of("rows", 7), NOW);
		assertThat(progress.report(lease, half)).isTrue();
		assertThat(progress.report(new Lease(id, 7), new Progress(0.9, null, null, NOW))).isFalse();
		settle(new Outcome.Completed(lease, null));
		assertThat(progress.report(lease, new Progress(0.9, null, null, NOW))).isFalse();
		assertThat(progress.find(id)).contains(half);
		assertThat(progress.find(this.stores.id())).isEmpty();
	}

	private boolean settle(Outcome outcome) {
		return this.stores.attempts.settle(List.of(outcome), NOW).get(0);
	}

}
