package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.ReplayDecision;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.Reservation;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits hold, and nobody is forgotten, whatever comes in between.
 */
abstract class RateLimitTroubleContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Reservation RESERVATION = new Reservation(Duration.ofSeconds(30), Duration.ofMinutes(30));

	private static final RateLimit ONE = RateLimit.of("printer").concurrency(1);

	private final JdbcRateLimitStore limits = new JdbcRateLimitStore(this.stores.database);

	private EncodedJob limited(RateLimit limit) {
		return limited(limit, (Instant) null);
	}

	private EncodedJob limited(RateLimit limit, @Nullable Instant expiresAt) {
		return this.stores
			.keep(this.stores.encoded((job) -> job.expiresAt((expiresAt != null) ? TestStores.time(expiresAt) : null)
				.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit)))), NOW.plusSeconds(10));
	}

	private List<String> relayed(Instant now) {
		return this.stores.relay.take(now, now.plusSeconds(30), 100).jobs().stream().map(RelayedJob::id).toList();
	}

	private void complete(Claim.Taken run, Instant now) {
		this.stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), now);
	}

	@Test
	void periodIsCountedToItsEndHoweverLong() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofDays(30));
		complete(this.stores.taken(limited(limit), NOW), NOW);
		Instant later = NOW.plus(Duration.ofDays(29));
		this.limits.releaseAll(later);
		assertThat(this.stores.claim(limited(limit), later)).isInstanceOf(Claim.Limited.class);
	}

	@Test
	void keysThatNobodyNamesAnyMoreAreForgotten() {
		complete(this.stores.taken(limited(RateLimit.of("api").rate(1, Duration.ofDays(30))), NOW), NOW);
		EncodedJob closed = limited(RateLimit.of("closed").concurrency(0));
		this.stores.claim(closed);
		this.stores.jobs.cancel(closed.job().id(), NOW);
		this.limits.releaseAll(NOW.plus(Duration.ofDays(32)));
		assertThat(this.limits.list("", 10)).isEmpty();
	}

	@Test
	void replayedJobHasToAskAgain() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob expiring = limited(ONE, NOW.plusSeconds(5));
		assertThat(this.stores.claim(expiring)).isInstanceOf(Claim.Limited.class);
		complete(running, NOW.plusSeconds(1));
		assertThat(relayed(NOW.plusSeconds(6))).as("it was let through, and has expired").isEmpty();
		assertThat(this.stores.state(expiring)).isEqualTo(JobState.DISCARDED);
		EncodedJob other = limited(ONE);
		Claim.Taken next = this.stores.taken(other, NOW.plusSeconds(7));

		EncodedJob again = replayed(expiring);

		assertThat(this.limits.find("printer").orElseThrow().active()).isOne();
		assertThat(this.stores.claim(again, NOW.plusSeconds(8))).isInstanceOf(Claim.Limited.class);
		complete(next, NOW.plusSeconds(9));
		assertThat(this.stores.claim(again, NOW.plusSeconds(9))).isInstanceOf(Claim.Taken.class);
	}

	private EncodedJob replayed(EncodedJob job) {
		EncodedJob again = this.stores.encoded(job.job().id(), 3,
				(fields) -> fields.extensions(job.job().extensions()));
		Instant now = NOW.plusSeconds(8);
		// Those that have expired are not replayed, others that were let through are.
		this.stores.jdbc().update("update ojs_job set expires_at = null");
		new JdbcDeadLetterStore(this.stores.database).replay(DeadLetterFilter.ANY.ids(Set.of(job.job().id())), null, 1,
				now, (letter) -> new ReplayDecision.Replayed(again, now));
		return again;
	}

	@Test
	void thoseBehindTheFirstAreNotLookedAtBeforeItMayStart() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofSeconds(10));
		List<EncodedJob> jobs = IntStream.range(0, 4).mapToObj((i) -> limited(limit)).toList();
		jobs.forEach((job) -> this.stores.claim(job, NOW));
		Instant next = NOW.plusSeconds(10);
		assertThat(this.limits.release(next)).isOne();
		this.stores.claim(jobs.get(1), next);

		assertThat(this.limits.nextRelease()).contains(next.plusSeconds(10));
		assertThat(this.limits.release(next.plusSeconds(10))).isOne();
		this.stores.claim(jobs.get(2), next.plusSeconds(10));
		assertThat(this.limits.nextRelease()).contains(next.plusSeconds(20));
		assertThat(this.limits.release(next.plusSeconds(20))).isOne();
		assertThat(this.limits.nextRelease()).isEqualTo(Optional.empty());
	}

	private EncodedJob limited(RateLimit limit, String queue) {
		Job job = Job.builder(this.stores.id(), "email.send", queue)
			.state(JobState.AVAILABLE)
			.createdAt(TestStores.time(NOW))
			.enqueuedAt(TestStores.time(NOW))
			.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit)))
			.build();
		return this.stores.keep(new EncodedJob(job, this.stores.codec.encode(job), 3), NOW.plusSeconds(10));
	}

	private static List<String> ids(List<FetchedJob> fetched) {
		return fetched.stream().map((each) -> each.job().job().id()).toList();
	}

	@Test
	void jobsOfAPausedQueueKeepNobodyElseFromStarting() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob halted = limited(ONE, "halted");
		EncodedJob other = limited(ONE, "other");
		List.of(halted, other).forEach((job) -> assertThat(this.stores.claim(job)).isInstanceOf(Claim.Limited.class));
		pause("halted");
		try {
			complete(running, NOW.plusSeconds(1));
			assertThat(relayed(NOW.plusSeconds(1))).containsExactly(other.job().id());
			complete(this.stores.taken(other, NOW.plusSeconds(2)), NOW.plusSeconds(2));
			complete(this.stores.taken(limited(ONE, "other"), NOW.plusSeconds(3)), NOW.plusSeconds(3));
		}
		finally {
			resume("halted");
		}
		assertThat(this.limits.releaseAll(NOW.plusSeconds(4))).isOne();
		assertThat(relayed(NOW.plusSeconds(4))).containsExactly(halted.job().id());
	}

	@Test
	void placeThatAPausedQueueHasIsPassedOn() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob halted = limited(ONE, "halted");
		this.stores.claim(halted);
		complete(running, NOW.plusSeconds(1));
		assertThat(relayed(NOW.plusSeconds(1))).containsExactly(halted.job().id());
		EncodedJob other = limited(ONE, "other");
		assertThat(this.stores.claim(other)).isInstanceOf(Claim.Limited.class);
		pause("halted");
		try {
			this.limits.releaseAll(NOW.plusSeconds(2));
			assertThat(relayed(NOW.plusSeconds(2))).containsExactly(other.job().id());
		}
		finally {
			resume("halted");
		}
		assertThat(this.stores.claim(halted, NOW.plusSeconds(3))).as("its message, after the pause")
			.isInstanceOf(Claim.Limited.class);
		complete(this.stores.taken(other, NOW.plusSeconds(3)), NOW.plusSeconds(4));
		assertThat(relayed(NOW.plusSeconds(4))).containsExactly(halted.job().id());
	}

	private void pause(String queue) {
		this.stores.jdbc()
			.update("insert into ojs_queue (name, state, config, created_at, updated_at, version) "
					+ "values (?, 'paused', '{}', current_timestamp, current_timestamp, 1)", queue);
	}

	private void resume(String queue) {
		this.stores.jdbc().update("delete from ojs_queue where name = ?", queue);
	}

	@Test
	void fetchAndClaimDoNotWaitForEachOther() throws Exception {
		RateLimit first = RateLimit.of("a").concurrency(10);
		RateLimit second = RateLimit.of("b").concurrency(10);
		String left = limited(second, "left").job().id();
		String right = limited(first, "right").job().id();
		List<ClaimRequest> requests = List.of(limited(first), limited(second))
			.stream()
			.map((job) -> new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30)))
			.toList();
		JdbcFetchStore fetches = new JdbcFetchStore(this.stores.database);
		CountDownLatch fetching = new CountDownLatch(1);
		FutureTask<List<Claim>> claims = new FutureTask<>(() -> {
			fetching.await();
			return this.stores.attempts.claim(requests, "worker-1", NOW, true);
		});
		new Thread(claims, "claims").start();
		List<FetchedJob> fetched = fetches.fetch(List.of("left", "right"), 2, "fetcher", null, NOW, (job) -> {
			// It has locked one key; the other one has time to lock the other.
			fetching.countDown();
			LockSupport.parkNanos(Duration.ofMillis(400).toNanos());
			return RESERVATION;
		});
		assertThat(ids(fetched)).contains(left);
		assertThat(claims.get(30, TimeUnit.SECONDS)).allMatch(Claim.Taken.class::isInstance);
		if (fetched.size() == 1) {
			assertThat(ids(fetches.fetch(List.of("left", "right"), 2, "fetcher", null, NOW, (job) -> RESERVATION)))
				.containsExactly(right);
		}
	}

	@Test
	void manyWhoMayNotStartAreSetAsideTogether() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofHours(1));
		IntStream.range(0, 300).forEach((i) -> limited(limit, "mail"));
		EncodedJob free = this.stores.keep(this.stores.encoded((job) -> job.priority(-5)), NOW);
		CountedStatements statements = new CountedStatements(this.stores.database);
		JdbcFetchStore fetches = new JdbcFetchStore(statements.database());
		assertThat(ids(fetches.fetch(List.of("mail"), 1, "fetcher", null, NOW, (job) -> RESERVATION))).hasSize(1);
		assertThat(ids(fetches.fetch(List.of("mail"), 1, "fetcher", null, NOW, (job) -> RESERVATION)))
			.containsExactly(free.job().id());
		assertThat(this.limits.find("api").orElseThrow().waiting()).isEqualTo(299);
		assertThat(statements.count()).isLessThan(100);

		statements.reset();
		assertThat(fetches.fetch(List.of("mail"), 1, "fetcher", null, NOW, (job) -> RESERVATION)).isEmpty();
		assertThat(statements.count()).as("nobody waits for those that wait").isLessThan(10);
	}

}
