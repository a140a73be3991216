package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.event.StoredEvent;
import io.ojs.internal.engine.Times;
import io.ojs.internal.stats.JobGroup;
import io.ojs.internal.stats.MinuteRow;
import io.ojs.internal.stats.Numbers;
import io.ojs.jdbc.internal.stats.JdbcMinuteStore;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.queue.DeletionStrategy;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDeletion;
import io.ojs.queue.QueueExistsException;
import io.ojs.queue.QueueNotEmptyException;
import io.ojs.queue.QueueState;
import io.ojs.queue.QueueStats;
import io.ojs.queue.internal.lifecycle.QueueReconciler;
import io.ojs.queue.internal.lifecycle.QueueRegistry;
import io.ojs.queue.internal.lifecycle.StoreQueues;
import io.ojs.queue.internal.lifecycle.StoredQueue;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Queues, and what becomes of their jobs when they are deleted.
 */
abstract class QueueContract extends QueuesOnStore {

	@Test
	void aQueueIsReadAsItWasWritten() {
		QueueConfig config = QueueConfig.builder().maxSize(5L).allowedJobTypes(List.of("ä.*")).build();
		JobQueue queue = this.queues.create("a", config);
		assertThat(this.store.find("a"))
			.contains(new StoredQueue("a", QueueState.ACTIVE, NOW, null, config, NOW, NOW, 1));
		assertThat(this.queues.list()).containsExactly(queue);
		assertThat(this.store.find("b")).isEmpty();
		this.queues.setDefaultPolicy(config);
		assertThat(this.store.changedSince(1)).extracting(StoredQueue::name).containsExactly("_default");
		assertThat(this.store.changedSince(2)).isEmpty();
	}

	@Test
	void aQueueRemembersSinceWhenItIsPausedAndByWhom() {
		this.queues.create("a", QueueConfig.NONE);
		this.stores.actor.set("ann");
		queues(this.registry, Clock.fixed(NOW.plusSeconds(60), ZoneOffset.UTC)).pause("a");
		this.stores.actor.set("bob");
		StoreQueues later = queues(this.registry, Clock.fixed(NOW.plusSeconds(120), ZoneOffset.UTC));
		later.configure("a", QueueConfig.builder().maxSize(5L).build());
		later.pause("a");
		JobQueue paused = this.queues.get("a");
		assertThat(paused.state()).isEqualTo(QueueState.PAUSED);
		assertThat(paused.stateSince()).isEqualTo(NOW.plusSeconds(60));
		assertThat(paused.stateBy()).isEqualTo("ann");
		assertThat(paused.updatedAt()).isEqualTo(NOW.plusSeconds(120));
		JobQueue resumed = later.resume("a");
		this.stores.actor.set(null);
		assertThat(resumed.stateSince()).isEqualTo(NOW.plusSeconds(120));
		assertThat(resumed.stateBy()).isEqualTo("bob");
		assertThat(this.queues.get("a")).isEqualTo(resumed);
	}

	/** It writes what the version before the columns did. */
	@Test
	void processOfTheVersionBeforeChangesAState() {
		this.stores.actor.set("ann");
		this.queues.create("a", QueueConfig.NONE);
		this.queues.pause("a");
		this.stores.actor.set(null);
		this.stores.jdbc()
			.update("update ojs_queue set state = 'paused', updated_at = ?, version = version + 1 where name = 'a'",
					Times.utc(NOW.plusSeconds(60)));
		StoredQueue paused = this.store.find("a").orElseThrow();
		assertThat(paused.stateSince()).isEqualTo(NOW.plusSeconds(60));
		assertThat(paused.stateBy()).isNull();
		assertThat(queues(this.registry, Clock.fixed(NOW.plusSeconds(120), ZoneOffset.UTC))
			.configure("a", QueueConfig.builder().maxSize(5L).build())
			.stateSince()).isEqualTo(NOW.plusSeconds(60));
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
	void everyProcessObeysWithinTwoSeconds() {
		// What is left of them is for the database, however busy it is here.
		assertThat(QueueReconciler.DEFAULT_INTERVAL).isLessThan(Duration.ofSeconds(2));
		QueueRegistry elsewhere = registry();
		ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
		QueueReconciler refresher = new QueueReconciler(elsewhere, queues(elsewhere), scheduler,
				QueueReconciler.DEFAULT_INTERVAL);
		try {
			refresher.start();
			this.queues.create("a", QueueConfig.builder().concurrency(7).build());
			this.queues.pause("a");
			await().atMost(Duration.ofSeconds(20)).until(() -> elsewhere.get("a").state() == QueueState.PAUSED);
			assertThat(elsewhere.get("a").config().concurrency()).isEqualTo(7);
		}
		finally {
			refresher.stop();
			scheduler.shutdownNow();
		}
	}

	@Test
	@Tag("QC-10.1-1")
	void theFeedTellsOfEveryChangeOnceInTheOrderOfChanges() throws Exception {
		QueueConfig small = QueueConfig.builder().maxSize(5L).build();
		this.queues.create("a", small);
		this.queues.configure("a", QueueConfig.builder().concurrency(2).build());
		this.queues.configure("a", QueueConfig.builder().concurrency(2).build());
		this.queues.pause("a");
		this.queues.pause("a");
		this.queues.resume("a");
		assertThatExceptionOfType(QueueExistsException.class).isThrownBy(() -> this.queues.create("a", small));
		this.queues.delete("a", new DeletionStrategy.Reject());
		Clock later = Clock.offset(this.clock, Duration.ofSeconds(10));
		ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
		List<QueueReconciler> refreshers = new CopyOnWriteArrayList<>();
		try {
			Threads.together(4, (thread) -> {
				// Each as if in a process of its own, and all see that it is empty.
				QueueRegistry own = registry();
				QueueReconciler refresher = new QueueReconciler(own, queues(own, later), scheduler,
						QueueReconciler.DEFAULT_INTERVAL);
				refreshers.add(refresher);
				refresher.start();
			});
		}
		finally {
			refreshers.forEach(QueueReconciler::stop);
			scheduler.shutdownNow();
		}
		assertThat(this.stores.events()).allSatisfy((event) -> {
			assertThat(event.subject()).isEqualTo("a");
			assertThat(event.queue()).isEqualTo("a");
			assertThat(event.data()).containsEntry("queue", "a");
		})
			.extracting(StoredEvent::type)
			.containsExactly("queue.created", "queue.config_updated", "queue.paused", "queue.resumed", "queue.drained",
					"queue.deleted");
		assertThat(this.stores.events().get(1).data()).containsEntry("config", Map.of("max_size", 5, "concurrency", 2))
			.containsEntry("previous_config", Map.of("max_size", 5));
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
		List<String> ids = waiting.stream().map((job) -> job.job().id()).toList();
		assertThat(this.stores.events().stream().filter((event) -> event.type().equals("job.discarded")))
			.extracting(StoredEvent::subject)
			.containsExactlyInAnyOrderElementsOf(ids);
		assertThat(this.told).as("listeners hear what the feed says")
			.hasOnlyElementsOfType(JobEvent.Discarded.class)
			.extracting((event) -> event.job().id())
			.containsExactlyInAnyOrderElementsOf(ids);
	}

	@Test
	void jobsMoveAndArePublishedAgain() {
		this.queues.create("a", QueueConfig.NONE);
		EncodedJob available = inQueue("a", JobState.AVAILABLE);
		this.stores.relay.published("a", Map.of(available.job().id(), TestStores.LATER), NOW);
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
		assertThat(this.stores.jdbc()
			.queryForObject("select count(*) from ojs_job where published_at is not null", Integer.class))
			.as("nobody has published it to that queue")
			.isZero();
		assertThat(this.stores.relay.take(NOW, NOW.plusSeconds(5), 1000).jobs()).hasSize(601)
			.allSatisfy((relayed) -> assertThat(relayed.encoded().job().queue()).isEqualTo("b"));
		assertThat(this.stores.relay.take(NOW.plusSeconds(60), NOW.plusSeconds(65), 1000).jobs())
			.extracting((relayed) -> relayed.encoded().job().id())
			.contains(scheduled.job().id());
	}

	@Test
	void whatFailedWaitsWithTheOthers() {
		Instant dueAt = NOW.plusSeconds(60);
		EncodedJob job = inQueue("a", JobState.AVAILABLE);
		Claim.Taken run = this.stores.taken(job, NOW);
		this.stores.attempts
			.settle(List.of(new Outcome.Retried(run.lease(), TestStores.error("x"), dueAt, dueAt.plusSeconds(5))), NOW);
		assertThat(this.jobs.stats("a", NOW)).isEqualTo(new QueueStats(1, 0, 0, 1, 0, 0, 0, 0));
		assertThat(this.jobs.unfinished("a")).isOne();
		assertThat(this.jobs.moveWaiting("a", "b", NOW)).isOne();
		assertThat(this.stores.find(job).dueAt()).isEqualTo(dueAt);
		assertThat(this.stores.relay.nextAt()).as("its message is in the queue that it came from").contains(dueAt);
		assertThat(this.jobs.discardWaiting("b", NOW)).containsExactly(job.job().id());
		assertThat(this.stores.state(job)).isEqualTo(JobState.DISCARDED);
	}

	@Test
	@Tag("QC-4-1")
	void whatIsThereAlreadyStaysWhenTheConfigurationChanges() {
		EncodedJob first = inQueue("a", JobState.AVAILABLE);
		EncodedJob second = inQueue("a", JobState.AVAILABLE);
		this.queues.create("a",
				QueueConfig.builder()
					.maxSize(1L)
					.overflowPolicy(OverflowPolicy.DROP_OLDEST)
					.allowedJobTypes(List.of("other"))
					.build());
		assertThat(this.stores.state(first)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.state(second)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.claim(first)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.claim(second)).isInstanceOf(Claim.Taken.class);
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
		assertThat(this.jobs.stats("a", NOW)).isEqualTo(new QueueStats(1, 0, 1, 0, 0, 0, 0, 0));
	}

	@Test
	void statsOfTodayAreThoseThatProcessesHaveCounted() {
		Instant midnight = Instant.parse("2026-01-02T00:00:00Z");
		JdbcMinuteStore minutes = new JdbcMinuteStore(this.stores.database);
		for (String process : List.of("one", "two")) {
			minutes.write(process,
					List.of(ended("a", midnight.minusSeconds(3600), 3600), ended("a", midnight, 3600),
							ended("a", midnight.plusSeconds(7200), 3600), ended("a", midnight, 60),
							ended("b", midnight, 3600)));
		}
		assertThat(this.jobs.stats("a", midnight)).isEqualTo(new QueueStats(0, 0, 0, 0, 0, 0, 12, 4));
	}

	/** Three completed jobs, and a discarded one. */
	private static MinuteRow ended(String queue, Instant at, int seconds) {
		Numbers numbers = new Numbers();
		numbers.add(Numbers.Outcome.COMPLETED, 3);
		numbers.add(Numbers.Outcome.DISCARDED, 1);
		return new MinuteRow(seconds, at, new JobGroup(queue, "t", ""), numbers);
	}

}
