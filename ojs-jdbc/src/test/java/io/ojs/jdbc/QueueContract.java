package io.ojs.jdbc;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.EncodedJob;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.queue.AdmissionOptions;
import io.ojs.queue.DeletionStrategy;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.Queue;
import io.ojs.queue.QueueAdmission;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDeletion;
import io.ojs.queue.QueueDepth;
import io.ojs.queue.QueueEvents;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.QueueLayers;
import io.ojs.queue.QueueNotEmptyException;
import io.ojs.queue.QueueRegistry;
import io.ojs.queue.QueueState;
import io.ojs.queue.QueueStats;
import io.ojs.queue.Queues;
import io.ojs.queue.StoredQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Queues, their limits and what becomes of their jobs.
 */
abstract class QueueContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final QueueEvents EVENTS = new QueueEvents(List.of());

	private final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);

	private final JdbcQueueStore store = new JdbcQueueStore(this.stores.database);

	private final JdbcQueueJobs jobs = new JdbcQueueJobs(this.stores.database);

	private final JdbcQueueDepths depths = new JdbcQueueDepths(this.stores.database);

	/** Ids of one millisecond are in no order. */
	private final AtomicInteger made = new AtomicInteger();

	private final QueueRegistry registry = registry();

	private final Queues queues = queues(this.registry);

	@BeforeEach
	void forgetQueues() {
		this.stores.jdbc().update("delete from ojs_queue where name <> '_default'");
		this.stores.jdbc().update("update ojs_queue set version = 0, config = '{}'");
	}

	@Test
	void aQueueIsReadAsItWasWritten() {
		QueueConfig config = QueueConfig.builder().maxSize(5L).allowedJobTypes(List.of("ä.*")).build();
		Queue queue = this.queues.create("a", config);
		assertThat(this.store.find("a")).contains(new StoredQueue("a", QueueState.ACTIVE, config, NOW, NOW, 1));
		assertThat(this.queues.list()).containsExactly(queue);
		assertThat(this.store.find("b")).isEmpty();
		this.queues.setDefaultPolicy(config);
		assertThat(this.store.changedSince(1)).extracting(StoredQueue::name).containsExactly("_default");
		assertThat(this.store.changedSince(2)).isEmpty();
	}

	@Test
	void queuesAreMadeOnce() {
		assertThat(this.store.ensure(List.of("a", "b", "a"), NOW)).extracting(StoredQueue::name)
			.containsExactly("a", "b");
		assertThat(this.store.ensure(List.of("a", "b", "c"), NOW)).extracting(StoredQueue::name).containsExactly("c");
	}

	@Test
	void aChangeThatFailsChangesNothing() {
		EncodedJob job = inQueue("a", JobState.AVAILABLE);
		this.store.ensure(List.of("a"), NOW);
		assertThatIllegalStateException().isThrownBy(() -> this.store.change("a", (queue) -> {
			this.jobs.discardWaiting("a", NOW);
			throw new IllegalStateException("No");
		}));
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.store.change("a", (queue) -> Optional.empty())).isEmpty();
		assertThat(this.store.changedSince(1)).isEmpty();
	}

	@Test
	void aChangeIsNotPartOfTheCallersTransaction() {
		this.queues.create("a", QueueConfig.NONE);
		this.stores.users().executeWithoutResult((status) -> {
			this.queues.pause("a");
			status.setRollbackOnly();
		});
		assertThat(this.queues.get("a").state()).isEqualTo(QueueState.PAUSED);
	}

	@Test
	void whoeverReadsChangesMissesNone() throws Exception {
		QueueRegistry reader = registry();
		AtomicBoolean over = new AtomicBoolean();
		CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
			while (!over.get()) {
				reader.refresh();
			}
		});
		Threads.together(6, (thread) -> {
			for (int i = 0; i < 25; i++) {
				this.queues.configure("q" + (thread * 25 + i), QueueConfig.builder().concurrency(i + 1).build());
				this.queues.configure("shared", QueueConfig.builder().concurrency(thread * 25 + i + 1).build());
			}
		});
		over.set(true);
		reading.get(30, TimeUnit.SECONDS);
		reader.refresh();
		for (int i = 0; i < 150; i++) {
			assertThat(reader.get("q" + i).config().concurrency()).isEqualTo(i % 25 + 1);
		}
		assertThat(reader.get("shared").config().concurrency())
			.isEqualTo(this.queues.get("shared").explicit().concurrency());
		assertThat(this.store.changedSince(0)).extracting(StoredQueue::version).doesNotHaveDuplicates();
	}

	@Test
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
		assertThat(this.queues.list()).extracting(Queue::name).containsExactly("new");
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
	void bytesAreThoseOfEnvelopes() {
		EncodedJob job = inQueue("a", JobState.AVAILABLE);
		inQueue("other", JobState.AVAILABLE);
		assertThat(this.depths.depth("a")).isEqualTo(new QueueDepth(1, job.body().length));
		this.queues.create("a", QueueConfig.builder().maxSizeBytes(2L * job.body().length).build());
		enqueue(admission(), job("a"));
		assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> enqueue(admission(), job("a")));
	}

	@Test
	void theOldestAvailableJobsAreDiscarded() {
		this.queues.create("a", QueueConfig.builder().maxSize(4L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
		EncodedJob active = inQueue("a", JobState.AVAILABLE);
		this.stores.claim(active);
		EncodedJob scheduled = inQueue("a", JobState.SCHEDULED);
		EncodedJob oldest = inQueue("a", JobState.AVAILABLE);
		EncodedJob younger = inQueue("a", JobState.AVAILABLE);
		EncodedJob youngest = job("a");
		enqueue(admission(), youngest);
		assertThat(this.stores.state(oldest)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.find(oldest).job().errors()).extracting(JobError::type).containsExactly("overflow");
		assertThat(this.stores.find(oldest).deadLetteredAt()).isNull();
		assertThat(this.stores.events(oldest)).endsWith("job.discarded");
		assertThat(List.of(active, scheduled, younger, youngest)).extracting(this.stores::state)
			.containsExactly(JobState.ACTIVE, JobState.SCHEDULED, JobState.AVAILABLE, JobState.AVAILABLE);
		enqueue(admission(), job("a"), job("a"));
		assertThat(this.stores.state(youngest)).isEqualTo(JobState.DISCARDED);
		// What is left cannot go.
		assertThat(this.depths.dropOldest("a", new QueueDepth(3, 0), NOW)).isEmpty();
		assertThat(this.depths.depth("a").jobs()).isEqualTo(4);
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
		assertThat(this.jobs.stats("a", NOW.minusSeconds(60)).failedToday()).isEqualTo(50);
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

	@Test
	void whatRunsIsLeftAloneWhenAQueueIsDeleted() {
		this.queues.create("a", QueueConfig.NONE);
		EncodedJob active = inQueue("a", JobState.AVAILABLE);
		this.stores.claim(active);
		List<EncodedJob> waiting = List.of(inQueue("a", JobState.AVAILABLE), inQueue("a", JobState.SCHEDULED),
				inQueue("a", JobState.PENDING));
		assertThatExceptionOfType(QueueNotEmptyException.class)
			.isThrownBy(() -> this.queues.delete("a", new DeletionStrategy.Reject()))
			.satisfies((ex) -> assertThat(ex.jobs()).isEqualTo(4));
		QueueDeletion deletion = this.queues.delete("a", new DeletionStrategy.Discard());
		assertThat(deletion.jobsAffected()).isEqualTo(3);
		assertThat(waiting).extracting(this.stores::state).containsOnly(JobState.DISCARDED);
		assertThat(waiting)
			.allSatisfy((job) -> assertThat(this.stores.find(job).job().errors()).extracting(JobError::type)
				.containsExactly("queue_deleted"));
		assertThat(this.stores.state(active)).isEqualTo(JobState.ACTIVE);
		assertThat(this.queues.get("a").state()).isEqualTo(QueueState.DRAINING);
	}

	@Test
	void jobsMoveAndArePublishedAgain() {
		this.queues.create("a", QueueConfig.NONE);
		EncodedJob available = inQueue("a", JobState.AVAILABLE);
		this.stores.relay.published(List.of(available.job().id()), NOW);
		EncodedJob scheduled = inQueue("a", JobState.SCHEDULED);
		EncodedJob pending = inQueue("a", JobState.PENDING);
		List<EncodedJob> many = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 600; i++) {
			many.add(inQueue("a", JobState.AVAILABLE));
		}
		assertThat(this.queues.delete("a", new DeletionStrategy.Move("b")).jobsAffected()).isEqualTo(603);
		assertThat(this.jobs.unfinished("a")).isZero();
		assertThat(this.stores.find(available).job().queue()).isEqualTo("b");
		assertThat(this.stores.state(scheduled)).isEqualTo(JobState.SCHEDULED);
		assertThat(this.stores.state(pending)).isEqualTo(JobState.PENDING);
		assertThat(this.stores.relay.take(NOW, NOW.plusSeconds(5), 1000)).hasSize(601)
			.allSatisfy((relayed) -> assertThat(relayed.encoded().job().queue()).isEqualTo("b"));
		assertThat(this.stores.relay.take(NOW.plusSeconds(60), NOW.plusSeconds(65), 1000))
			.extracting((relayed) -> relayed.encoded().job().id())
			.contains(scheduled.job().id());
	}

	@Test
	void statsCountStates() {
		this.queues.create("a", QueueConfig.NONE);
		EncodedJob active = inQueue("a", JobState.AVAILABLE);
		this.stores.claim(active);
		inQueue("a", JobState.AVAILABLE);
		inQueue("a", JobState.AVAILABLE);
		inQueue("a", JobState.SCHEDULED);
		inQueue("a", JobState.PENDING);
		inQueue("other", JobState.AVAILABLE);
		assertThat(this.queues.stats("a")).isEqualTo(new QueueStats(5, 2, 1, 0, 1, 1, 0, 0));
		this.jobs.discardWaiting("a", NOW);
		assertThat(this.jobs.stats("a", NOW.minusSeconds(1))).isEqualTo(new QueueStats(1, 0, 1, 0, 0, 0, 0, 4));
		assertThat(this.jobs.stats("a", NOW.plusSeconds(1)).failedToday()).isZero();
	}

	private QueueRegistry registry() {
		return new QueueRegistry(this.store, new QueueLayers(QueueConfig.NONE, Map.of(), Set.of()), this.clock);
	}

	private Queues queues(QueueRegistry registry) {
		return new Queues(this.store, this.jobs, registry, EVENTS, this.clock);
	}

	private QueueAdmission admission() {
		QueueRegistry own = registry();
		own.refresh();
		return new QueueAdmission(own, this.depths, EVENTS, new JobEvents(List.of()),
				new AdmissionOptions(false, "test", Duration.ofSeconds(20)), this.stores.transactions::afterCommit,
				this.clock);
	}

	private boolean enqueue(QueueAdmission admission, EncodedJob... jobs) {
		return this.stores.transactions.inTransaction(() -> {
			admission.admit(List.of(jobs));
			this.stores.jobs
				.insert(List.of(jobs).stream().map((job) -> TestStores.newJob(job, NOW.plusSeconds(10))).toList());
			return true;
		});
	}

	private EncodedJob job(String queue) {
		return encoded(queue, JobState.AVAILABLE);
	}

	private EncodedJob encoded(String queue, JobState state) {
		String id = this.stores.id();
		Job job = Job.builder(id, "email.send", queue)
			.args(List.of("ä€😀", 1))
			.state(state)
			.createdAt(TestStores.time(NOW.minusSeconds(60).plusMillis(this.made.incrementAndGet())))
			.enqueuedAt(TestStores.time(NOW))
			.scheduledAt((state == JobState.SCHEDULED) ? TestStores.time(NOW.plusSeconds(60)) : null)
			.build();
		return new EncodedJob(job, this.stores.codec.encode(job), 3);
	}

	private EncodedJob inQueue(String queue, JobState state) {
		Instant relayAt = switch (state) {
			case PENDING -> null;
			case SCHEDULED -> NOW.plusSeconds(60);
			default -> NOW.plusSeconds(10);
		};
		return this.stores.keep(encoded(queue, state), relayAt);
	}

}
