package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.jdbc.internal.queue.JdbcQueueDepths;
import io.ojs.jdbc.internal.queue.JdbcQueueFeed;
import io.ojs.jdbc.internal.queue.JdbcQueueJobs;
import io.ojs.jdbc.internal.queue.JdbcQueueStore;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.internal.Producers;
import io.ojs.queue.internal.lifecycle.AdmissionOptions;
import io.ojs.queue.internal.lifecycle.QueueAdmission;
import io.ojs.queue.internal.lifecycle.QueueEvents;
import io.ojs.queue.internal.lifecycle.QueueLayers;
import io.ojs.queue.internal.lifecycle.QueueRegistry;
import io.ojs.queue.internal.lifecycle.StoreQueues;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import org.junit.jupiter.api.BeforeEach;

/**
 * Queues, and jobs to put into them.
 */
abstract class QueuesOnStore extends StoreContract {

	static final Instant NOW = TestStores.NOW;

	final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);

	final JdbcQueueStore store = new JdbcQueueStore(this.stores.database);

	final JdbcQueueJobs jobs = new JdbcQueueJobs(this.stores.database);

	final JdbcQueueDepths depths = new JdbcQueueDepths(this.stores.database);

	final QueueEvents events = new QueueEvents(List.of(), new JdbcQueueFeed(this.stores.database));

	/** What listeners hear of jobs. */
	final List<JobEvent> told = new CopyOnWriteArrayList<>();

	/** Ids of one millisecond are in no order. */
	final AtomicInteger made = new AtomicInteger();

	final QueueRegistry registry = registry();

	final StoreQueues queues = queues(this.registry);

	@BeforeEach
	void forgetQueues() {
		this.stores.jdbc().update("delete from ojs_queue where name <> '_default'");
		this.stores.jdbc().update("update ojs_queue set version = 0, config = '{}'");
	}

	QueueRegistry registry() {
		return new QueueRegistry(this.store, new QueueLayers(QueueConfig.NONE, Map.of(), Set.of()), this.clock);
	}

	StoreQueues queues(QueueRegistry registry) {
		return queues(registry, this.clock);
	}

	StoreQueues queues(QueueRegistry registry, Clock time) {
		return new StoreQueues(this.store, this.jobs, registry, this.events, new JobEvents(List.of(this.told::add)),
				this.stores.handOver, time);
	}

	QueueAdmission admission() {
		QueueRegistry own = registry();
		own.refresh();
		return new QueueAdmission(own, this.depths, this.events,
				new AdmissionOptions(false, new Producers("test"), Duration.ofSeconds(20)),
				this.stores.transactions::afterCommit, this.clock);
	}

	boolean enqueue(QueueAdmission admission, EncodedJob... jobs) {
		return this.stores.transactions.inTransaction(() -> {
			insert(admission, jobs);
			return true;
		});
	}

	List<Insertion> insert(Admission admission, EncodedJob... jobs) {
		Admission.Decision decision = admission.lock(List.of(jobs));
		return this.stores.jobs.insert(
				List.of(jobs).stream().map((job) -> TestStores.newJob(job, NOW.plusSeconds(10))).toList(), decision);
	}

	EncodedJob job(String queue) {
		return encoded(queue, JobState.AVAILABLE);
	}

	EncodedJob encoded(String queue, JobState state) {
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

	EncodedJob inQueue(String queue, JobState state) {
		Instant relayAt = switch (state) {
			case PENDING -> null;
			case SCHEDULED -> NOW.plusSeconds(60);
			default -> NOW.plusSeconds(10);
		};
		return this.stores.keep(encoded(queue, state), relayAt);
	}

}
