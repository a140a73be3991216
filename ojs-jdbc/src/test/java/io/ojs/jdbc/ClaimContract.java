package io.ojs.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ojs.admin.JobFilter;
import io.ojs.client.EncodedJob;
import io.ojs.deadletter.FoundDeadLetter;
import io.ojs.deadletter.Recorded;
import io.ojs.engine.JobRow;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.queue.LiveQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.store.Claim;
import io.ojs.store.ClaimRequest;
import io.ojs.store.FairShares;
import io.ojs.store.Insertion;
import io.ojs.store.Outcome;
import io.ojs.store.StoredJob;
import io.ojs.worker.TakenMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a database does with those who want to run a job.
 */
abstract class ClaimContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	/** After every lease of this test has ended. */
	private static final Instant AFTER = NOW.plusSeconds(31);

	@Test
	void takesAnAvailableJobOnce() {
		EncodedJob job = this.stores.available();
		Claim.Taken taken = this.stores.taken(job, NOW);
		assertThat(taken.adopted()).isFalse();
		assertThat(taken.lease().jobId()).isEqualTo(job.job().id());
		assertThat(taken.lease().run()).isPositive();
		assertThat(taken.job().job().attempt()).isEqualTo(1);
		assertThat(taken.job().job().state()).isEqualTo(JobState.ACTIVE);
		assertThat(taken.job().job().startedAt()).isEqualTo(TestStores.time(NOW));
		assertThat(taken.job()).isEqualTo(this.stores.find(job));
		assertThat(this.stores.claim(job)).isEqualTo(new Claim.Duplicate(JobState.ACTIVE));
		assertThat(this.stores.relay.nextAt()).isEmpty();
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started");
	}

	@Test
	void runOfAnUnansweredClaimGoesToWhoeverAsksAgain() {
		EncodedJob job = this.stores.available();
		Claim.Taken unheard = this.stores.taken(job, NOW);
		Instant again = NOW.plusSeconds(20);
		Claim.Taken taken = (Claim.Taken) claimAgain(job, "worker-1", again, NOW.minusSeconds(1), NOW);
		assertThat(taken.lease()).isEqualTo(unheard.lease());
		assertThat(taken.job()).isEqualTo(unheard.job()).isEqualTo(this.stores.find(job));
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started");
		assertThat(this.stores.attempts.reap(again.plusSeconds(29), 10)).isEmpty();
		assertThat(this.stores.attempts.settle(List.of(new Outcome.Completed(taken.lease(), null)), again))
			.containsExactly(true);
		assertThat(claimAgain(job, "worker-1", again, NOW)).isEqualTo(new Claim.Duplicate(JobState.COMPLETED));
	}

	@Test
	void runOfAnUnansweredClaimIsNoLostRunWhenItsLeaseIsOver() {
		EncodedJob job = this.stores.available(1);
		this.stores.taken(job, NOW);
		assertThat(claimAgain(job, "worker-1", AFTER, NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.find(job).job().errors()).isEmpty();
	}

	@Test
	void runOfSomebodyElseIsLeftAlone() {
		EncodedJob job = this.stores.available();
		Claim.Taken taken = this.stores.taken(job, NOW);
		Claim duplicate = new Claim.Duplicate(JobState.ACTIVE);
		assertThat(claimAgain(job, "worker-2", NOW.plusSeconds(5), NOW)).as("of another worker").isEqualTo(duplicate);
		assertThat(claimAgain(job, "worker-1", NOW.plusSeconds(5), NOW.plusNanos(1000), NOW.minusNanos(1000)))
			.as("of another message")
			.isEqualTo(duplicate);
		assertThat(this.stores.processes.beat("worker-1", List.of(taken.lease())).lost()).isEmpty();
		assertThat(this.stores.attempts.reap(AFTER, 10)).isEmpty();
	}

	private Claim claimAgain(EncodedJob job, String worker, Instant now, Instant... unanswered) {
		return this.stores.attempts
			.claim(List
				.of(new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30), Set.of(unanswered))),
					worker, now, true)
			.get(0);
	}

	@Test
	void answersInTheOrderOfTheRequests() {
		EncodedJob available = this.stores.available();
		EncodedJob pending = this.stores.pending();
		EncodedJob scheduled = this.stores.scheduled(NOW.plusSeconds(60));
		EncodedJob foreign = this.stores.encoded((job) -> job);
		List<Claim> claims = this.stores.attempts.claim(Stream.of(pending, foreign, available, scheduled)
			.map((job) -> new ClaimRequest(job, job.job().queue(), 2, Map.of(), Duration.ofSeconds(30)))
			.toList(), "worker", NOW, true);
		assertThat(claims.get(0)).isEqualTo(new Claim.Duplicate(JobState.PENDING));
		assertThat(claims.get(1)).isInstanceOfSatisfying(Claim.Taken.class, (taken) -> {
			assertThat(taken.adopted()).isTrue();
			assertThat(taken.job().job().attempt()).isEqualTo(2);
			assertThat(taken.job()).isEqualTo(this.stores.find(foreign));
		});
		assertThat(claims.get(2)).isInstanceOf(Claim.Taken.class);
		assertThat(claims.get(3)).isInstanceOfSatisfying(Claim.NotDue.class,
				(early) -> assertThat(early.dueAt()).isEqualTo(NOW.plusSeconds(60)));
		assertThat(this.stores.events(foreign)).containsExactly("job.started");
	}

	@Test
	void jobThatWasMovedIsRunFromItsNewQueueAlone() {
		EncodedJob available = this.stores.available();
		EncodedJob failed = this.stores.available();
		settle(new Outcome.Retried(this.stores.taken(failed, NOW).lease(), TestStores.error("no luck"),
				NOW.plusSeconds(5), NOW.plusSeconds(5)));
		new JdbcQueueJobs(this.stores.database).moveWaiting("mail", "other", NOW);
		for (EncodedJob job : List.of(available, failed)) {
			assertThat(this.stores.claim(job, NOW.plusSeconds(6))).isEqualTo(new Claim.Elsewhere("other"));
			assertThat(claim(job, "other", NOW.plusSeconds(6))).isInstanceOf(Claim.Taken.class);
			assertThat(this.stores.claim(job, NOW.plusSeconds(6))).isEqualTo(new Claim.Duplicate(JobState.ACTIVE));
			assertThat(this.stores.claim(job, NOW.plusSeconds(60))).as("the reaper takes care of a lost run")
				.isEqualTo(new Claim.Elsewhere("other"));
		}
	}

	@Test
	void eachLeaseIsAsLongAsItsClaimAsksFor() {
		EncodedJob slow = this.stores.available();
		EncodedJob quick = this.stores.available();
		this.stores.attempts.claim(List.of(new ClaimRequest(slow, "mail", 1, Map.of(), Duration.ofMinutes(5)),
				new ClaimRequest(quick, "mail", 1, Map.of(), Duration.ofSeconds(2))), "worker", NOW, true);
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(3), 10)).extracting((job) -> job.job().id())
			.containsExactly(quick.job().id());
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(299), 10)).isEmpty();
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(301), 10)).extracting((job) -> job.job().id())
			.containsExactly(slow.job().id());
	}

	/** Its message may be delivered again when a paused queue is resumed. */
	@Test
	void foreignJobThatWasCancelledAndDeletedDoesNotComeBack() {
		EncodedJob deleted = this.stores.encoded((job) -> job);
		EncodedJob pruned = this.stores.encoded((job) -> job);
		for (EncodedJob job : List.of(deleted, pruned)) {
			assertThat(this.stores.taken(job, NOW).adopted()).isTrue();
			this.stores.jobs.cancel(job.job().id(), NOW);
		}
		JdbcAdminStore admin = new JdbcAdminStore(this.stores.database);
		assertThat(admin.delete(JobFilter.ANY.ids(Set.of(deleted.job().id())), 10)).isOne();
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(3)), 10)).isOne();
		for (EncodedJob job : List.of(deleted, pruned)) {
			assertThat(this.stores.jobs.find(job.job().id())).isEmpty();
			assertThat(this.stores.claim(job)).isEqualTo(new Claim.Gone());
			assertThat(this.stores.jobs.find(job.job().id())).isEmpty();
		}
		JdbcFetchedQueueStore queues = new JdbcFetchedQueueStore(this.stores.database);
		queues.keep(new LiveQueue("mail", QueueState.ACTIVE, QueueConfig.NONE),
				List.of(new TakenMessage(pruned, 1, null, Map.of(), null)), NOW, NOW);
		assertThat(new JdbcDeadLetterStore(this.stores.database).record(
				List.of(new FoundDeadLetter("mail", pruned, 1, Map.of(), TestStores.error("x"), "rejected", null)),
				NOW))
			.containsExactly(Recorded.ENDED);
		assertThat(this.stores.jobs.find(pruned.job().id())).isEmpty();
		ClaimRequest replayed = this.stores.request(pruned).store("replayed");
		assertThat(this.stores.attempts.claim(List.of(replayed), "worker-1", NOW, true)).singleElement()
			.isInstanceOf(Claim.Taken.class);
		this.stores.jobs.cancel(pruned.job().id(), NOW);
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(3)), 10)).isOne();
		// Not for ever, and not for producers of this store.
		assertThat(this.stores.insert(deleted)).isEqualTo(Insertion.Inserted.NEW);
		this.stores.retention.prune(Instant.now().plus(Duration.ofDays(8)), 10);
		assertThat(this.stores.claim(pruned)).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void jobThatHasCompletedIsNotRemembered() {
		EncodedJob job = this.stores.encoded((fields) -> fields);
		settle(new Outcome.Completed(this.stores.taken(job, NOW).lease(), null));
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(9)), 10)).isOne();
		assertThat(this.stores.jdbc().queryForObject("select count(*) from ojs_deleted_job", Long.class)).isZero();
	}

	@Test
	void foreignJobIsInTheQueueThatItCameFrom() {
		EncodedJob foreign = this.stores.encoded((job) -> job);
		assertThat(claim(foreign, "other", NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.find(foreign).job().queue()).isEqualTo("other");
	}

	@Test
	void jobOfThisStoreIsNotAdoptedWhenItsRowIsGone() {
		EncodedJob job = this.stores.available();
		this.stores.jobs.cancel(job.job().id(), NOW);
		assertThat(new JdbcAdminStore(this.stores.database).delete(JobFilter.ANY, 10)).isOne();
		assertThat(claimed(job, this.stores.jobs.id())).isEqualTo(new Claim.Gone());
		assertThat(this.stores.jobs.find(job.job().id())).isEmpty();
		assertThat(claimed(job, UUID.randomUUID().toString())).as("of another store")
			.isInstanceOfSatisfying(Claim.Taken.class, (taken) -> assertThat(taken.adopted()).isTrue());
	}

	@Test
	void messagesOfOneStoreAreToldApartInOneBatch() {
		EncodedJob gone = this.stores.encoded((job) -> job);
		EncodedJob foreign = this.stores.encoded((job) -> job);
		EncodedJob known = this.stores.available();
		String store = this.stores.jobs.id();
		List<Claim> claims = this.stores.attempts.claim(
				List.of(request(gone).store(store), request(foreign), request(known).store(store)), "worker", NOW,
				true);
		assertThat(claims.get(0)).isEqualTo(new Claim.Gone());
		assertThat(claims.get(1)).isInstanceOf(Claim.Taken.class);
		assertThat(claims.get(2)).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void idOfTheStoreStaysAndIsTheSameForAllProcesses() {
		String id = this.stores.jobs.id();
		new StoreSchema(this.stores.dataSource()).migrate();
		assertThat(new JdbcJobStore(this.stores.with(new FairShares(false)).database).id()).isEqualTo(id);
	}

	@Test
	void whatTheTableOfTransitionsDoesNotHaveIsRefused() {
		JobRow row = new JobRow(UUID.randomUUID());
		row.state = JobState.COMPLETED;
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.stores.database.transitions(NOW).start(row, "worker-1", NOW))
			.withMessageContaining(row.id.toString())
			.withMessageContaining("COMPLETED")
			.withMessageContaining("START");
		assertThat(row.state).isEqualTo(JobState.COMPLETED);
	}

	private Claim claimed(EncodedJob job, String store) {
		return this.stores.attempts.claim(List.of(request(job).store(store)), "worker", NOW, true).get(0);
	}

	private static ClaimRequest request(EncodedJob job) {
		return new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30));
	}

	private Claim claim(EncodedJob job, String queue, Instant now) {
		return this.stores.attempts
			.claim(List.of(new ClaimRequest(job, queue, 1, Map.of(), Duration.ofSeconds(30))), "worker", now, true)
			.get(0);
	}

	@Test
	void theRowCountsAndNotWhatTheMessageSays() {
		EncodedJob job = this.stores.available();
		EncodedJob forged = this.stores.encoded(job.job().id(), 3, (fields) -> fields.args(List.of("forged")));
		assertThat(this.stores.taken(forged, NOW).job().job().args()).isEqualTo(job.job().args());
	}

	@Test
	void doesNotBeginWhatHasNoAttemptsLeft() {
		EncodedJob job = this.stores.available(1);
		settle(new Outcome.Released(this.stores.taken(job, NOW).lease(), NOW));
		assertThat(this.stores.claim(job)).isInstanceOfSatisfying(Claim.Exhausted.class,
				(exhausted) -> assertThat(exhausted.job().deadLetteredAt()).isEqualTo(NOW));
		assertThat(this.stores.state(job)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started", "job.retry_exhausted",
				"job.dead_lettered");
		assertThat(this.stores.told(job)).containsExactly("job.retry_exhausted", "job.dead_lettered");
	}

	@Test
	void aScheduledJobIsEnqueuedBeforeItIsBegun() {
		EncodedJob job = this.stores.scheduled(NOW.plusSeconds(5));
		this.stores.taken(job, NOW.plusSeconds(5));
		assertThat(this.stores.events(job)).containsExactly("job.scheduled", "job.enqueued", "job.started");
	}

	@Test
	void doesNotBeginWhatHasExpired() {
		EncodedJob job = this.stores
			.keep(this.stores.encoded((fields) -> fields.expiresAt(TestStores.time(NOW.plusSeconds(5)))), NOW);
		EncodedJob foreign = this.stores.encoded((fields) -> fields.expiresAt(TestStores.time(NOW.plusSeconds(5))));
		for (EncodedJob late : List.of(job, foreign)) {
			assertThat(this.stores.claim(late, NOW.plusSeconds(6))).isInstanceOf(Claim.Expired.class);
			StoredJob stored = this.stores.find(late);
			assertThat(stored.job().state()).isEqualTo(JobState.DISCARDED);
			assertThat(stored.deadLetteredAt()).isEqualTo(NOW.plusSeconds(6));
			assertThat(stored.job().errors()).singleElement()
				.satisfies((error) -> assertThat(error.code()).isEqualTo(JobError.JOB_EXPIRED));
			assertThat(this.stores.events(late)).endsWith("job.expired", "job.dead_lettered");
		}
	}

	@Test
	void eachJobIsTakenByOneOfMany() throws Exception {
		List<EncodedJob> known = IntStream.range(0, 100).mapToObj((i) -> this.stores.available()).toList();
		List<EncodedJob> foreign = IntStream.range(0, 20).mapToObj((i) -> this.stores.encoded((job) -> job)).toList();
		AtomicInteger taken = new AtomicInteger();
		Threads.together(8, (thread) -> {
			List<ClaimRequest> requests = new ArrayList<>(Stream.concat(known.stream(), foreign.stream())
				.map((job) -> new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30)))
				.toList());
			Collections.shuffle(requests);
			for (int i = 0; i < requests.size(); i += 30) {
				this.stores.attempts.claim(requests.subList(i, i + 30), "worker-" + thread, NOW, true)
					.forEach((claim) -> {
						if (claim instanceof Claim.Taken) {
							taken.incrementAndGet();
						}
					});
			}
		});
		assertThat(taken).hasValue(120);
		assertThat(this.stores.jdbc().queryForObject("select sum(attempt) from ojs_job", Long.class)).isEqualTo(120);
	}

	private void settle(Outcome outcome) {
		assertThat(this.stores.attempts.settle(List.of(outcome), NOW)).containsExactly(true);
	}

}
