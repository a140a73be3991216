package io.ojs.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.ojs.client.EncodedJob;
import io.ojs.event.StoredEvent;
import io.ojs.event.Transition;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.Rfc3339;
import io.ojs.store.Claim;
import io.ojs.store.ClaimRequest;
import io.ojs.store.Lease;
import io.ojs.store.Outcome;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

abstract class AttemptStoreContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	/** After every lease of this test has ended. */
	private static final Instant AFTER = NOW.plusSeconds(31);

	private void retry(Claim.Taken taken, Instant dueAt) {
		this.stores.attempts
			.settle(List.of(new Outcome.Retried(taken.lease(), TestStores.error("no luck"), dueAt, dueAt)), NOW);
	}

	@Test
	void completes() {
		Claim.Taken run = this.stores.active();
		assertThat(settle(new Outcome.Completed(run.lease(), Map.of("sum", 3)))).isTrue();
		StoredJob job = this.stores.jobs.find(run.lease().jobId()).orElseThrow();
		assertThat(job.job().state()).isEqualTo(JobState.COMPLETED);
		assertThat(job.job().result()).isEqualTo(Map.of("sum", 3));
		assertThat(job.job().completedAt()).isEqualTo(TestStores.time(NOW));
		assertThat(events(run)).containsExactly("job.enqueued", "job.started", "job.completed");
		assertThat(this.stores.events()).last().satisfies((event) -> {
			assertThat(event.data()).containsEntry("job_type", "email.send").containsEntry("attempt", 1);
			assertThat(event.data()).containsEntry("duration_ms", 0).containsEntry("result", Map.of("sum", 3));
			assertThat(event.queue()).isEqualTo("mail");
			assertThat(event.id()).startsWith("evt_");
		});
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
	void anOutcomeThatIsNoJsonIsRefusedByNameAndTheRunCanEndOtherwise() {
		refusedByName(new Object() {

			@SuppressWarnings("unused")
			public String getTitle() {
				throw new IllegalStateException("no title yet");
			}

		}, "no title yet");
	}

	@Test
	void anOutcomeThatFailsWithAnErrorIsRefusedTheSame() {
		refusedByName(new Object() {

			@SuppressWarnings("unused")
			public String getTitle() {
				throw new StackOverflowError("no title yet");
			}

		}, "StackOverflowError");
		refusedByName(new Object() {

			@SuppressWarnings("unused")
			public String getTitle() {
				throw new NoClassDefFoundError("no title yet");
			}

		}, "no title yet");
	}

	private void refusedByName(Object unwritable, String reason) {
		Claim.Taken run = this.stores.active();
		Claim.Taken other = this.stores.active();
		Outcome bad = new Outcome.Completed(run.lease(), Map.of("report", unwritable));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> settle(bad))
			.withMessageContaining("as JSON")
			.withMessageContaining(reason);
		assertThatExceptionOfType(StoreException.class).isThrownBy(
				() -> this.stores.attempts.settle(List.of(new Outcome.Completed(other.lease(), null), bad), NOW));
		assertThat(settle(new Outcome.Completed(other.lease(), null))).isTrue();
		assertThat(settle(new Outcome.Discarded(run.lease(), TestStores.error("no JSON"), Transition.REJECT))).isTrue();
	}

	@Test
	void discards() {
		Claim.Taken dead = this.stores.active();
		Claim.Taken gone = this.stores.active();
		Claim.Taken exhausted = this.stores.active();
		this.stores.attempts
			.settle(List.of(new Outcome.Discarded(dead.lease(), TestStores.error("1"), Transition.REJECT),
					new Outcome.Discarded(gone.lease(), TestStores.error("2"), Transition.REJECT_AND_DISCARD),
					new Outcome.Discarded(exhausted.lease(), TestStores.error("3"), Transition.EXHAUST)), NOW);
		assertThat(this.stores.jobs.find(dead.lease().jobId()).orElseThrow().deadLetteredAt()).isEqualTo(NOW);
		assertThat(this.stores.jobs.find(gone.lease().jobId()).orElseThrow().deadLetteredAt()).isNull();
		assertThat(events(dead)).endsWith("job.started", "job.failed", "job.dead_lettered");
		assertThat(events(gone)).endsWith("job.started", "job.failed", "job.discarded");
		assertThat(events(exhausted)).endsWith("job.failed", "job.retry_exhausted", "job.dead_lettered");
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
	void keepsTheErrorOfEachAttempt() {
		EncodedJob job = this.stores.available(100);
		for (int i = 0; i < 30; i++) {
			Claim.Taken run = this.stores.taken(job, NOW);
			settle(new Outcome.Retried(run.lease(), TestStores.error("error " + i + " \0 \ud83d"), NOW, NOW));
		}
		List<JobError> errors = this.stores.find(job).job().errors();
		assertThat(errors).hasSize(30);
		assertThat(errors.get(0).message()).startsWith("error 0 \0");
		assertThat(errors.get(0).backtrace()).isEmpty();
		assertThat(errors.get(4).details()).isEmpty();
		assertThat(errors.get(5).backtrace()).isNotEmpty();
		assertThat(errors.get(29).message()).startsWith("error 29");
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
	void takesOverALostRunAndCountsIt() {
		EncodedJob job = this.stores.available();
		this.stores.taken(job, NOW);
		assertThat(this.stores.claim(job, NOW.plusSeconds(30))).isInstanceOf(Claim.Duplicate.class);
		Claim.Taken second = this.stores.taken(job, AFTER);
		assertThat(second.job().job().attempt()).isEqualTo(2);
		assertThat(second.job().job().errors()).singleElement().satisfies((error) -> {
			assertThat(error.code()).isEqualTo("WORKER_LOST");
			assertThat(error.attempt()).isEqualTo(1);
		});
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started", "job.failed", "job.started");
	}

	@Test
	void takesNoLostRunOverUnlessItMay() {
		EncodedJob job = this.stores.available();
		Claim.Taken first = this.stores.taken(job, NOW);
		assertThat(this.stores.attempts.claim(
				List.of(new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30))), "worker", AFTER,
				false))
			.containsExactly(new Claim.Duplicate(JobState.ACTIVE));
		assertThat(settle(new Outcome.Completed(first.lease(), null))).isTrue();
	}

	@Test
	void aLostLastRunMakesADeadLetter() {
		EncodedJob job = this.stores.available(1);
		this.stores.taken(job, NOW);
		assertThat(this.stores.claim(job, AFTER)).isInstanceOfSatisfying(Claim.Exhausted.class,
				(exhausted) -> assertThat(exhausted.job().deadLetteredAt()).isEqualTo(AFTER));
		assertThat(this.stores.state(job)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.find(job).job().errors()).hasSize(1);
		assertThat(this.stores.claim(job, AFTER)).isEqualTo(new Claim.Duplicate(JobState.DISCARDED));
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started", "job.failed",
				"job.retry_exhausted", "job.dead_lettered");
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
		Instant now = Instant.now();
		assertThat(this.stores.attempts.reap(now, 10)).extracting((job) -> job.job().id())
			.containsExactly(unknown.lease().jobId());
		this.stores.processes.beat("worker-1", List.of(held.lease(), recent.lease()));
		assertThat(this.stores.attempts.reap(now, 10)).extracting((job) -> job.job().id())
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
	void processesThatHaveNothingLeftAreForgotten() {
		this.stores.taken(this.stores.available(), NOW);
		this.stores.processes.beat("nothing", List.of());
		this.stores.seen(NOW.minus(Duration.ofDays(2)));
		this.stores.processes.beat("worker-3", List.of());
		assertThat(this.stores.jdbc().queryForList("select id from ojs_process", String.class))
			.containsExactlyInAnyOrder("worker-1", "worker-3");
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
	void reapsThoseFirstThatAreLostForLongest() {
		EncodedJob second = this.stores.available();
		EncodedJob first = this.stores.available();
		this.stores.taken(second, NOW.plusSeconds(1));
		this.stores.taken(first, NOW);
		assertThat(this.stores.attempts.reap(AFTER.plusSeconds(9), 1)).containsExactly(this.stores.find(first));
		assertThat(this.stores.attempts.reap(AFTER.plusSeconds(9), 1)).containsExactly(this.stores.find(second));
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

	@Test
	void eventsOfFailuresSayWhatComesNext() {
		EncodedJob job = this.stores.available();
		settle(new Outcome.Retried(this.stores.taken(job, NOW).lease(), TestStores.error("x"), NOW.plusSeconds(5),
				NOW));
		assertThat(last("job.failed").data()).containsEntry("attempt", 1)
			.extractingByKey("error")
			.isEqualTo(
					Map.of("type", "io.ojs.TestException", "code", "HANDLER_ERROR", "message", "x", "retryable", true));
		assertThat(last("job.retrying").data()).containsEntry("max_attempts", 3)
			.containsEntry("next_retry_at", Rfc3339.format(TestStores.time(NOW.plusSeconds(5))));
		settle(new Outcome.Discarded(this.stores.taken(job, NOW.plusSeconds(5)).lease(), TestStores.error("y"),
				Transition.EXHAUST));
		assertThat(last("job.failed").data()).containsEntry("attempt", 2)
			.extractingByKey("error")
			.isEqualTo(Map.of("type", "io.ojs.TestException", "code", "HANDLER_ERROR", "message", "y", "retryable",
					false));
		assertThat(last("job.retry_exhausted").data()).containsEntry("total_attempts", 2);
	}

	private StoredEvent last(String type) {
		List<StoredEvent> events = this.stores.events().stream().filter((event) -> event.type().equals(type)).toList();
		return events.get(events.size() - 1);
	}

	private boolean settle(Outcome outcome) {
		return this.stores.attempts.settle(List.of(outcome), NOW).get(0);
	}

	private List<String> events(Claim.Taken run) {
		return this.stores.events()
			.stream()
			.filter((event) -> event.subject().equals(run.lease().jobId()))
			.map(StoredEvent::type)
			.toList();
	}

}
