package io.ojs.jdbc.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.StoredEvent;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDepth;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.QueueRefusedException;
import io.ojs.queue.internal.lifecycle.QueueAdmission;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The limits of queues.
 */
abstract class QueueLimitsContract extends QueuesOnStore {

	@Test
	@Tag("QC-6.1-1")
	@Tag("QC-11.2-2")
	void limitsAreExactHoweverManyEnqueue() throws Exception {
		this.queues.create("a", QueueConfig.builder().maxSize(50L).build());
		AtomicInteger refused = new AtomicInteger();
		Threads.together(8, (thread) -> {
			// Each as if in a process of its own.
			QueueAdmission admission = admission();
			for (int i = 0; i < 10; i++) {
				try {
					enqueue(admission, job("a"));
				}
				catch (QueueFullException ex) {
					refused.incrementAndGet();
				}
			}
		});
		assertThat(this.depths.depth("a").jobs()).isEqualTo(50);
		assertThat(refused).hasValue(30);
	}

	@Test
	@Tag("EI-012")
	void aDuplicateThrowsNoOtherJobAwayAndFindsTheExistingOneInAFullQueue() {
		UniquePolicy ignore = UniquePolicy.DEFAULT.onConflict(OnConflict.IGNORE);
		for (OverflowPolicy policy : List.of(OverflowPolicy.DROP_OLDEST, OverflowPolicy.REJECT)) {
			String queue = policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
			this.queues.create(queue, QueueConfig.builder().maxSize(2L).overflowPolicy(policy).build());
			EncodedJob first = unique(queue, "1" + policy.ordinal(), ignore);
			EncodedJob second = unique(queue, "2" + policy.ordinal(), ignore);
			enqueue(admission(), first);
			enqueue(admission(), second);
			assertThat(meet(unique(queue, "2" + policy.ordinal(), ignore))).isInstanceOfSatisfying(
					Insertion.Ignored.class,
					(ignored) -> assertThat(ignored.existing().job().id()).isEqualTo(second.job().id()));
			assertThat(meet(unique(queue, "1" + policy.ordinal(), UniquePolicy.DEFAULT)))
				.isInstanceOf(Insertion.Rejected.class);
			assertThat(this.stores.state(first)).isEqualTo(JobState.AVAILABLE);
			assertThat(this.stores.state(second)).isEqualTo(JobState.AVAILABLE);
			UniquePolicy replace = UniquePolicy.DEFAULT.onConflict(OnConflict.REPLACE);
			assertThat(meet(unique(queue, "2" + policy.ordinal(), replace))).as("what gives way makes room")
				.isInstanceOf(Insertion.Inserted.class);
			assertThat(this.stores.state(first)).isEqualTo(JobState.AVAILABLE);
			assertThat(this.stores.state(second)).isEqualTo(JobState.CANCELLED);
		}
	}

	@Test
	void aMergeIntoAnotherQueueIsAdmittedThere() {
		this.queues.create("full", QueueConfig.builder().maxSize(1L).build());
		inQueue("full", JobState.AVAILABLE);
		this.queues.create("dropping",
				QueueConfig.builder().maxSize(1L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
		EncodedJob kept = inQueue("dropping", JobState.AVAILABLE);
		this.queues.create("narrow", QueueConfig.builder().maxSizeBytes(10L).build());
		this.queues.create("picky", QueueConfig.builder().allowedJobTypes(List.of("report.*")).build());
		this.queues.create("roomy", QueueConfig.builder().maxSize(1L).maxSizeBytes(10_000L).build());
		UniquePolicy merges = UniquePolicy.DEFAULT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE);
		EncodedJob scheduled = scheduled("first", merges);
		meet(scheduled);
		for (String queue : List.of("full", "dropping", "narrow", "picky")) {
			assertThatExceptionOfType(QueueRefusedException.class).as(queue)
				.isThrownBy(() -> meet(unique(queue, "77", merges)));
			assertThat(this.stores.find(scheduled).job().queue()).isEqualTo("first");
		}
		assertThat(this.stores.state(kept)).isEqualTo(JobState.AVAILABLE);
		for (int i = 0; i < 2; i++) {
			assertThat(meet(unique("roomy", "77", merges))).isInstanceOf(Insertion.Merged.class);
			assertThat(this.stores.find(scheduled).job().queue()).isEqualTo("roomy");
			assertThat(this.depths.depth("roomy").jobs()).isOne();
		}
	}

	private EncodedJob scheduled(String queue, UniquePolicy policy) {
		Job job = job(queue).job()
			.toBuilder()
			.state(JobState.SCHEDULED)
			.scheduledAt(TestStores.time(NOW.plusSeconds(3600)))
			.unique(policy)
			.build();
		return new EncodedJob(job, this.stores.codec.encode(job), 3, "77".repeat(32));
	}

	private Insertion meet(EncodedJob job) {
		return this.stores.transactions.inTransaction(() -> insert(admission(), job)).get(0);
	}

	private EncodedJob unique(String queue, String key, UniquePolicy policy) {
		Job job = job(queue).job().toBuilder().unique(policy).build();
		return new EncodedJob(job, this.stores.codec.encode(job), 3, key.repeat(32));
	}

	@Test
	void limitsOfQueuesThatNobodyHasCreatedAreExactToo() throws Exception {
		this.queues.setDefaultPolicy(QueueConfig.builder().maxSize(3L).build());
		AtomicInteger refused = new AtomicInteger();
		Threads.together(8, (thread) -> {
			try {
				enqueue(admission(), job("new"));
			}
			catch (QueueFullException ex) {
				refused.incrementAndGet();
			}
		});
		assertThat(this.depths.depth("new").jobs()).isEqualTo(3);
		assertThat(refused).hasValue(5);
		this.registry.notice("new");
		assertThat(this.queues.list()).extracting(JobQueue::name).containsExactly("new");
	}

	@Test
	void batchesOverSeveralQueuesAreTakenWholeAndDoNotBlockEachOther() throws Exception {
		this.queues.setDefaultPolicy(QueueConfig.builder().maxSize(20L).build());
		AtomicInteger taken = new AtomicInteger();
		Threads.together(6, (thread) -> {
			QueueAdmission admission = admission();
			for (int i = 0; i < 10; i++) {
				EncodedJob first = job((thread % 2 == 0) ? "a" : "b");
				EncodedJob second = job((thread % 2 == 0) ? "b" : "a");
				try {
					enqueue(admission, first, second);
					taken.incrementAndGet();
				}
				catch (QueueFullException ex) {
					// As it should be.
					continue;
				}
			}
		});
		assertThat(taken).hasValue(20);
		assertThat(this.depths.depth("a").jobs()).isEqualTo(20);
		assertThat(this.depths.depth("b").jobs()).isEqualTo(20);
	}

	@Test
	@Tag("QC-6.1-2")
	@Tag("QC-11.3-2")
	void bytesAreThoseOfEnvelopes() {
		EncodedJob job = inQueue("a", JobState.AVAILABLE);
		inQueue("other", JobState.AVAILABLE);
		assertThat(this.depths.depth("a")).isEqualTo(new QueueDepth(1, job.body().length));
		this.queues.create("a", QueueConfig.builder().maxSizeBytes(2L * job.body().length).build());
		enqueue(admission(), job("a"));
		assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> enqueue(admission(), job("a")));
	}

	@Test
	@Tag("QC-6.1-4")
	void theOldestJobsThatDoNotRunAreDiscarded() {
		this.queues.create("a", QueueConfig.builder().maxSize(5L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
		EncodedJob active = inQueue("a", JobState.AVAILABLE);
		this.stores.claim(active);
		EncodedJob oldest = inQueue("a", JobState.SCHEDULED);
		EncodedJob pending = inQueue("a", JobState.PENDING);
		EncodedJob retryable = inQueue("a", JobState.AVAILABLE);
		this.stores.attempts.settle(List.of(new Outcome.Retried(this.stores.taken(retryable, NOW).lease(),
				TestStores.error("x"), NOW.plusSeconds(60), NOW.plusSeconds(65))), NOW);
		EncodedJob younger = inQueue("a", JobState.AVAILABLE);
		EncodedJob youngest = job("a");
		enqueue(admission(), youngest);
		assertThat(this.stores.state(oldest)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.find(oldest).job().errors()).extracting(JobError::type).containsExactly("overflow");
		assertThat(this.stores.find(oldest).deadLetteredAt()).isNull();
		assertThat(this.stores.events(oldest)).endsWith("job.discarded");
		assertThat(List.of(active, pending, retryable, younger, youngest)).extracting(this.stores::state)
			.containsExactly(JobState.ACTIVE, JobState.PENDING, JobState.RETRYABLE, JobState.AVAILABLE,
					JobState.AVAILABLE);
		enqueue(admission(), job("a"));
		assertThat(this.stores.state(pending)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.state(retryable)).isEqualTo(JobState.RETRYABLE);
		enqueue(admission(), job("a"));
		assertThat(this.stores.state(retryable)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.find(retryable).job().errors()).extracting(JobError::type).endsWith("overflow");
		enqueue(admission(), job("a"), job("a"));
		assertThat(this.stores.state(youngest)).isEqualTo(JobState.DISCARDED);
		// A job that runs is not dropped.
		assertThat(this.depths.dropOldest("a", new QueueDepth(5, 0), NOW)).isEmpty();
		assertThat(this.depths.depth("a").jobs()).isEqualTo(5);
	}

	@Test
	@Tag("QC-10.1-1")
	void theFeedTellsWhenAQueueIsFullAndWhatHadToGoUnlessItIsRolledBack() {
		this.queues.create("a", QueueConfig.builder().maxSize(2L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
		QueueAdmission admission = admission();
		EncodedJob oldest = job("a");
		enqueue(admission, oldest);
		this.stores.users().executeWithoutResult((status) -> {
			enqueue(admission, job("a"));
			status.setRollbackOnly();
		});
		assertThat(queueEvents()).containsExactly("queue.created");
		enqueue(admission, job("a"));
		enqueue(admission, job("a"));
		assertThat(queueEvents()).containsExactly("queue.created", "queue.full", "queue.overflow");
		assertThat(this.stores.events().stream().filter((event) -> event.type().equals("queue.overflow")))
			.singleElement()
			.satisfies((event) -> assertThat(event.data()).containsEntry("job_id", oldest.job().id()));
	}

	private List<String> queueEvents() {
		return this.stores.events()
			.stream()
			.map(StoredEvent::type)
			.filter((type) -> type.startsWith("queue."))
			.toList();
	}

	@Test
	void asManyBytesGoAsAreNeeded() {
		List<EncodedJob> waiting = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			waiting.add(inQueue("a", JobState.AVAILABLE));
		}
		long bytes = waiting.get(0).body().length;
		assertThat(this.depths.dropOldest("a", new QueueDepth(0, bytes + 1), NOW).orElseThrow()).extracting(Job::id)
			.containsExactly(waiting.get(0).job().id(), waiting.get(1).job().id());
	}

	@Test
	void droppingKeepsTheLimitHoweverManyEnqueue() throws Exception {
		this.queues.create("a", QueueConfig.builder().maxSize(10L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
		Threads.together(6, (thread) -> {
			QueueAdmission admission = admission();
			for (int i = 0; i < 10; i++) {
				enqueue(admission, job("a"));
			}
		});
		assertThat(this.depths.depth("a").jobs()).isEqualTo(10);
		assertThat(this.stores.jdbc()
			.queryForObject("select count(*) from ojs_job where state = 'discarded'", Integer.class)).isEqualTo(50);
	}

	@Test
	void blockWaitsUntilAJobHasEnded() throws Exception {
		this.queues.create("a", QueueConfig.builder().maxSize(1L).overflowPolicy(OverflowPolicy.BLOCK).build());
		EncodedJob first = inQueue("a", JobState.AVAILABLE);
		QueueAdmission admission = admission();
		CompletableFuture<Boolean> second = CompletableFuture
			.supplyAsync(() -> admission.patiently(false, () -> enqueue(admission, job("a"))));
		assertThat(second.isDone()).isFalse();
		this.stores.jobs.cancel(first.job().id(), NOW);
		assertThat(second.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.depths.depth("a").jobs()).isOne();
	}

}
