package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.job.JobState;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The same, and what only a database has.
 */
abstract class AttemptStoreContract extends EngineAttemptStoreContract<TestStores> {

	private void retry(Claim.Taken taken, Instant dueAt) {
		this.stores.attempts
			.settle(List.of(new Outcome.Retried(taken.lease(), TestStores.error("no luck"), dueAt, dueAt)), NOW);
	}

	@Test
	void retriesAndTakesAgainWhenDue() {
		EncodedJob job = this.stores.available();
		Claim.Taken first = this.stores.taken(job, NOW);
		Instant dueAt = NOW.plusSeconds(20);
		assertThat(settle(new Outcome.Retried(first.lease(), TestStores.error("first"), dueAt, dueAt.plusSeconds(5))))
			.isTrue();
		assertThat(this.stores.find(job).dueAt()).isEqualTo(dueAt);
		assertThat(this.stores.relay.nextAt()).contains(dueAt.plusSeconds(5));
		assertThat(this.stores.claim(job, dueAt.minusSeconds(2))).isInstanceOf(Claim.NotDue.class);
		Claim.Taken second = this.stores.taken(job, dueAt.minusMillis(900));
		assertThat(second.job().job().attempt()).isEqualTo(2);
		assertThat(second.job().job().errors()).containsExactly(TestStores.error("first"));
		assertThat(second.lease()).isNotEqualTo(first.lease());
		assertThat(events(first)).containsExactly("job.enqueued", "job.started", "job.failed", "job.retrying",
				"job.started");
	}

	@Test
	void ofTwoWorkersThatHoldAJobAfterTheDatabaseHasLostACommitOneLoses() {
		EncodedJob job = this.stores.available();
		Claim.Taken lost = this.stores.taken(job, NOW);
		// What a replica has that took over before it heard of the claim.
		this.stores.jdbc()
			.update("update ojs_job set state = 'available', attempt = 0, run = 0, lease_until = null, worker = null, "
					+ "started_at = null where id = ?", UUID.fromString(job.job().id()));
		Claim.Taken held = this.stores.taken(job, NOW.plusSeconds(1));
		assertThat(held.job().job().attempt()).isOne();
		assertThat(held.lease()).isNotEqualTo(lost.lease());
		assertThat(this.stores.processes.beat("worker-1", List.of(lost.lease(), held.lease())).lost())
			.isEqualTo(Map.of(lost.lease(), false));
		assertThat(settle(new Outcome.Completed(lost.lease(), "late"))).isFalse();
		assertThat(this.stores.state(job)).isEqualTo(JobState.ACTIVE);
		assertThat(settle(new Outcome.Completed(held.lease(), "done"))).isTrue();
		assertThat(this.stores.find(job).job().result()).isEqualTo("done");
	}

	@Test
	void runIsLookedAtWhenItsLeaseEndsAtTheLatestWheneverItsJobWasToBePublished() {
		EncodedJob soon = this.stores.available();
		EncodedJob published = this.stores.available();
		this.stores.relay.published("mail", TestStores.until(TestStores.LATER, List.of(published.job().id())), NOW);
		EncodedJob late = this.stores.keep(this.stores.encoded((job) -> job), NOW.plusSeconds(3600));
		EncodedJob together = this.stores.keep(this.stores.encoded((job) -> job), NOW.plusSeconds(3600));
		this.stores.taken(late, NOW);
		assertThat(this.stores.attempts.claim(Stream.of(soon, published, together).map(this.stores::request).toList(),
				"worker-1", NOW, true))
			.hasOnlyElementsOfType(Claim.Taken.class);
		assertThat(relayAt(soon)).as("no index changes").isEqualTo(TestStores.LATER);
		assertThat(List.of(published, late, together)).extracting(this::relayAt).containsOnly(NOW.plusSeconds(30));
		assertThat(this.stores.relay.nextAt()).as("what runs is not published").isEmpty();
		assertThat(this.stores.relay.nextAfter(NOW)).isEmpty();
		assertThat(this.stores.relay.take(AFTER, AFTER.plusSeconds(30), 10).isEmpty()).isTrue();
		assertThat(this.stores.attempts.reap(AFTER, 10)).hasSize(4);
	}

	@Test
	void runOfALongLeaseIsFoundLostThoughLooksForLostOnesSkipWhatWasDueLongBefore() {
		EncodedJob job = this.stores.available();
		JdbcAttemptStore attempts = new JdbcAttemptStore(this.stores.database);
		assertThat(attempts.claim(List.of(new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofMinutes(4))), "gone",
				NOW, true))
			.hasOnlyElementsOfType(Claim.Taken.class);
		assertThat(attempts.reap(NOW.plusSeconds(100), 10)).isEmpty();
		assertThat(attempts.reap(NOW.plusSeconds(200), 10)).isEmpty();
		assertThat(attempts.reap(NOW.plusSeconds(250), 10)).hasSize(1);
	}

	@Test
	void beatHasItsRunsThatAreDueLookedAtLaterAndNoOthers() {
		// Not the beginning of all tests, which may be long ago.
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		EncodedJob held = this.stores.available();
		EncodedJob unknown = this.stores.available();
		Lease lease = this.stores.taken(held, now).lease();
		this.stores.taken(unknown, now);
		Instant due = now.minusSeconds(1);
		this.stores.jdbc().update("update ojs_job set relay_at = ?", Times.utc(due));
		this.stores.processes.beat("worker-2", List.of());
		assertThat(List.of(held, unknown)).extracting(this::relayAt).containsOnly(due);
		this.stores.processes.beat("worker-1", List.of(lease));
		assertThat(relayAt(held)).isAfterOrEqualTo(now.plusSeconds(30));
		assertThat(relayAt(unknown)).isEqualTo(due);
	}

	private Instant relayAt(EncodedJob job) {
		return this.stores.jdbc()
			.query("select relay_at from ojs_job where id = ?", (row, index) -> SqlTimes.instant(row, "relay_at"),
					UUID.fromString(job.job().id()))
			.get(0);
	}

	@Test
	void cancelsAndReleases() {
		Claim.Taken cancelled = this.stores.active();
		EncodedJob job = this.stores.available();
		Claim.Taken released = this.stores.taken(job, NOW);
		this.stores.attempts.settle(List.of(new Outcome.Cancelled(cancelled.lease()),
				new Outcome.Released(released.lease(), TestStores.LATER)), NOW);
		assertThat(events(cancelled)).endsWith("job.cancelled");
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.relay.nextAt()).contains(TestStores.LATER);
		assertThat(this.stores.taken(job, NOW).job().job().attempt()).isEqualTo(2);
	}

	@Test
	void aStaleLeaseSettlesNothing() {
		EncodedJob job = this.stores.available();
		Claim.Taken first = this.stores.taken(job, NOW);
		Claim.Taken second = this.stores.taken(job, AFTER);
		for (Outcome outcome : List.of(new Outcome.Completed(first.lease(), null),
				new Outcome.Retried(first.lease(), TestStores.error("x"), NOW, NOW),
				new Outcome.Discarded(first.lease(), TestStores.error("x"), Transition.EXHAUST),
				new Outcome.Cancelled(first.lease()), new Outcome.Released(first.lease(), NOW))) {
			assertThat(settle(outcome)).isFalse();
		}
		assertThat(this.stores.find(job)).isEqualTo(second.job());
		assertThat(this.stores.processes.beat("worker-1", List.of(first.lease(), second.lease())).lost())
			.isEqualTo(Map.of(first.lease(), false));
		assertThat(settle(new Outcome.Completed(second.lease(), null))).isTrue();
		assertThat(settle(new Outcome.Completed(second.lease(), null))).isFalse();
	}

	@Test
	void aStaleLeaseExtendsNothing() {
		EncodedJob job = this.stores.available();
		Lease first = this.stores.taken(job, NOW).lease();
		Lease second = this.stores.taken(job, AFTER).lease();
		// By another process: a beat gives back the runs of its own that it does not
		// name,
		// once they are old enough, and this class may be.
		assertThat(this.stores.processes.beat("worker-2", List.of(first)).lost()).isEqualTo(Map.of(first, false));
		// The process that lost a run may have the next one, too.
		assertThat(this.stores.processes.beat("worker-1", List.of(second, first)).lost())
			.isEqualTo(Map.of(first, false));
		assertThat(this.stores.attempts.reap(AFTER.plusSeconds(61), 10)).isEmpty();
		this.stores.seen(NOW.minusSeconds(60));
		assertThat(this.stores.attempts.reap(AFTER.plusSeconds(61), 10)).hasSize(1);
	}

	@Test
	void leasesOfAProcessThatIsSeenAreNotTakenOver() {
		EncodedJob job = this.stores.available();
		Claim.Taken run = this.stores.taken(job, NOW);
		assertThat(this.stores.processes.beat("worker-1", List.of(run.lease())).lost()).isEmpty();
		assertThat(this.stores.claim(job, AFTER)).isInstanceOf(Claim.Duplicate.class);
		assertThat(this.stores.attempts.reap(AFTER, 10)).isEmpty();
		this.stores.seen(NOW.minusSeconds(31));
		assertThat(this.stores.attempts.reap(AFTER, 10)).as("as long as the lease was at first").hasSize(1);
	}

	@Test
	void presentThatIsAheadOfTheDatabaseEndsNoLeaseOfAProcessThatIsSeen() {
		EncodedJob job = this.stores.available();
		Claim.Taken run = this.stores.taken(job, NOW);
		this.stores.processes.beat("worker-1", List.of(run.lease()));
		Instant ahead = NOW.plus(Duration.ofMinutes(10));
		assertThat(this.stores.attempts.reap(ahead, 10)).isEmpty();
		assertThat(this.stores.claim(job, ahead)).isInstanceOf(Claim.Duplicate.class);
	}

	@Test
	void rowsThatAreLockedAreLeftOut() {
		EncodedJob locked = this.stores.available();
		EncodedJob free = this.stores.available();
		Lease held = this.stores.active().lease();
		Lease other = this.stores.active().lease();
		this.stores.users().executeWithoutResult((status) -> {
			lock(locked.job().id());
			lock(held.jobId());
			List<Claim> claims = Threads.apart(() -> this.stores.attempts
				.claim(List.of(this.stores.request(locked), this.stores.request(free)), "worker-1", NOW, true));
			assertThat(claims.get(0)).isNull();
			assertThat(claims.get(1)).isInstanceOf(Claim.Taken.class);
			assertThat(Threads.apart(() -> this.stores.attempts
				.settle(List.of(new Outcome.Completed(held, null), new Outcome.Completed(other, null)), NOW)))
				.containsExactly(null, true);
		});
		assertThat(this.stores.claim(locked, NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(settle(new Outcome.Completed(held, null))).isTrue();
	}

	@Test
	void outcomeThatIsToldAloneWaitsForItsRow() throws Exception {
		Lease run = this.stores.active().lease();
		CompletableFuture<Boolean> settled = new CompletableFuture<>();
		this.stores.users().executeWithoutResult((status) -> {
			lock(run.jobId());
			new Thread(() -> settled.complete(this.stores.attempts.settle(new Outcome.Completed(run, null), NOW)))
				.start();
			await().during(Duration.ofMillis(300)).until(() -> !settled.isDone());
		});
		assertThat(settled.get(15, TimeUnit.SECONDS)).isTrue();
	}

	private void lock(String id) {
		this.stores.lock(id);
	}

	@Test
	void runsThatTheirProcessDoesNotKnowAreLostWhenTheirLeaseIsOverTwice() {
		// Not by the beginning of all tests, which may be long ago.
		Claim.Taken recent = this.stores.taken(this.stores.available(), Instant.now().minusSeconds(31));
		Claim.Taken held = this.stores.taken(this.stores.available(), NOW.minusSeconds(90));
		Claim.Taken locked = this.stores.taken(this.stores.available(), NOW.minusSeconds(90));
		Claim.Taken unknown = this.stores.taken(this.stores.available(), NOW.minusSeconds(90));
		this.stores.users().executeWithoutResult((status) -> {
			lock(locked.lease().jobId());
			assertThat(Threads.apart(() -> this.stores.processes.beat("worker-1", List.of(held.lease()))).lost())
				.isEmpty();
		});
		assertThat(this.stores.attempts.reap(Instant.now(), 10)).extracting((job) -> job.job().id())
			.containsExactly(unknown.lease().jobId());
		this.stores.processes.beat("worker-1", List.of(held.lease(), recent.lease()));
		assertThat(this.stores.attempts.reap(Instant.now(), 10)).extracting((job) -> job.job().id())
			.containsExactly(locked.lease().jobId());
	}

	@Test
	void anotherProcessThatIsSeenExtendsNothing() {
		EncodedJob job = this.stores.available();
		this.stores.taken(job, NOW);
		this.stores.processes.beat("worker-2", List.of());
		assertThat(this.stores.claim(job, AFTER)).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void processesThatWereNotSeenForLongAreForgottenAndTheirRunsAreLost() {
		this.stores.taken(this.stores.available(), NOW);
		this.stores.processes.beat("nothing", List.of());
		this.stores.seen(NOW.minus(Duration.ofDays(9)));
		this.stores.processes.beat("worker-3", List.of());
		assertThat(this.stores.jdbc().queryForList("select id from ojs_process", String.class))
			.containsExactly("worker-3");
		assertThat(this.stores.attempts.reap(AFTER, 10)).hasSize(1);
	}

	@Test
	void cancelledRunsAreLostAndSaidToBe() {
		Lease cancelled = this.stores.active().lease();
		Lease ended = this.stores.active().lease();
		Lease held = this.stores.active().lease();
		this.stores.jobs.cancel(cancelled.jobId(), NOW);
		settle(new Outcome.Completed(ended, null));
		assertThat(this.stores.processes.beat("worker-1", List.of(cancelled, ended, held)).lost())
			.isEqualTo(Map.of(cancelled, true, ended, false));
	}

	@Test
	void leaseThatIsOverIsExtendedAsLongAsNobodyElseHasTheJob() {
		EncodedJob job = this.stores.available();
		Claim.Taken run = this.stores.taken(job, NOW);
		this.stores.seen(NOW.minusSeconds(31));
		assertThat(this.stores.attempts.reap(AFTER, 0)).as("only asked whether it is there").isEmpty();
		assertThat(this.stores.processes.beat("worker-1", List.of(run.lease())).lost()).isEmpty();
		assertThat(this.stores.attempts.reap(AFTER, 10)).isEmpty();
		assertThat(settle(new Outcome.Completed(run.lease(), null))).isTrue();
	}

	@Test
	void reapsLostRuns() {
		EncodedJob again = this.stores.available();
		EncodedJob last = this.stores.available(1);
		EncodedJob held = this.stores.available();
		Claim.Taken lost = this.stores.taken(again, NOW);
		this.stores.taken(last, NOW);
		this.stores.taken(held, NOW.plusSeconds(10));
		assertThat(this.stores.attempts.reap(AFTER, 10)).containsExactlyInAnyOrder(this.stores.find(again),
				this.stores.find(last));
		assertThat(this.stores.state(again)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.find(again).job().enqueuedAt()).isEqualTo(TestStores.time(AFTER));
		assertThat(this.stores.relay.nextAt()).contains(AFTER);
		assertThat(this.stores.find(last).deadLetteredAt()).isEqualTo(AFTER);
		assertThat(this.stores.state(held)).isEqualTo(JobState.ACTIVE);
		assertThat(this.stores.events(last)).endsWith("job.failed", "job.retry_exhausted", "job.dead_lettered");
		assertThat(settle(new Outcome.Completed(lost.lease(), null))).isFalse();
	}

	@Test
	void waitsForNobodyWhoIsReaping() {
		EncodedJob first = this.stores.available();
		EncodedJob second = this.stores.available();
		this.stores.taken(first, NOW);
		this.stores.taken(second, NOW.plusSeconds(1));
		this.stores.users().executeWithoutResult((status) -> {
			assertThat(this.stores.attempts.reap(AFTER.plusSeconds(9), 1)).hasSize(1);
			// Some databases lock more than is reaped.
			assertThat(Threads.apart(() -> this.stores.attempts.reap(AFTER.plusSeconds(9), 10)))
				.extracting((job) -> job.job().id())
				.doesNotContain(first.job().id());
		});
		this.stores.attempts.reap(AFTER.plusSeconds(9), 10);
		assertThat(List.of(first, second)).allSatisfy((job) -> assertThat(this.stores.events(job))
			.containsExactly("job.enqueued", "job.started", "job.failed"));
	}

	@Test
	void nobodyHoldsWhatDoesNotRun() {
		settle(new Outcome.Completed(this.stores.active().lease(), null));
		settle(new Outcome.Retried(this.stores.active().lease(), TestStores.error("x"), NOW, NOW));
		settle(new Outcome.Released(this.stores.active().lease(), NOW));
		this.stores.active();
		assertThat(this.stores.jdbc()
			.queryForList("select state from ojs_job where lease_until is not null or worker is not null",
					String.class))
			.containsExactly("active");
	}

}
