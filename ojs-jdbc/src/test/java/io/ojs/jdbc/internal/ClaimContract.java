package io.ojs.jdbc.internal;

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

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.deadletter.internal.Recorded;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.fetch.TakenMessage;
import io.ojs.jdbc.internal.admin.JdbcAdminStore;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.jdbc.internal.queue.JdbcQueueJobs;
import io.ojs.jdbc.internal.schema.StoreSchema;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.job.JobState;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.tenant.internal.limit.FairShares;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The same, and what only a database has.
 */
abstract class ClaimContract extends EngineClaimContract<TestStores> {

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
		assertThat(new JdbcDeadLetterStore(this.stores.database).record(List
			.of(new FoundDeadLetter("mail", pruned, 1, Map.of(), TestStores.error("x"), null, "rejected", null)), NOW))
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

}
