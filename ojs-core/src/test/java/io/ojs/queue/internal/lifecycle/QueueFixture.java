package io.ojs.queue.internal.lifecycle;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.ojs.TestClock;
import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDepth;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueStats;
import io.ojs.queue.internal.QueueDepths;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.relay.HandOver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store in memory, for one thread, and what goes with it.
 */
final class QueueFixture implements QueueStore, QueueJobs, QueueDepths, QueueFeed {

	private final Map<String, StoredQueue> stored = new HashMap<>();

	/** What is in queues, the oldest first. */
	final List<EncodedJob> jobs = new ArrayList<>();

	final List<QueueEvent> events = new CopyOnWriteArrayList<>();

	/** What was kept, and not rolled back. */
	final List<QueueEvent> feed = new ArrayList<>();

	final List<JobEvent> jobEvents = new CopyOnWriteArrayList<>();

	final List<String> locks = new ArrayList<>();

	private final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	final TestClock clock = new TestClock();

	private long version;

	boolean broken;

	QueueRegistry registry(QueueConfig defaults, Map<String, QueueConfig> named) {
		return new QueueRegistry(this, new QueueLayers(defaults, named, Set.copyOf(named.keySet())), this.clock);
	}

	QueueRegistry registry() {
		return registry(QueueConfig.NONE, Map.of());
	}

	StoreQueues queues(QueueRegistry registry) {
		return new StoreQueues(this, this, registry, new QueueEvents(List.of(this.events::add), this),
				new JobEvents(List.of(this.jobEvents::add)), new HandOver(Set.of("foreign")), this.clock);
	}

	QueueAdmission admission(QueueRegistry registry, AdmissionOptions options) {
		return new QueueAdmission(registry, this, new QueueEvents(List.of(this.events::add), this), options,
				Runnable::run, this.clock);
	}

	EncodedJob job(String type, String queue, JobState state, int bytes) {
		Job job = Job.builder(this.ids.next(), type, queue).args(List.of()).state(state).build();
		return new EncodedJob(job, "x".repeat(bytes).getBytes(StandardCharsets.UTF_8), 3);
	}

	void put(String queue, JobState state) {
		this.jobs.add(job("a", queue, state, 10));
	}

	List<String> eventNames() {
		return this.events.stream().map(QueueEvent::name).toList();
	}

	@Override
	public Optional<StoredQueue> find(String name) {
		return Optional.ofNullable(this.stored.get(name));
	}

	@Override
	public List<StoredQueue> changedSince(long version) {
		if (this.broken) {
			throw new IllegalStateException("The database is down");
		}
		return this.stored.values()
			.stream()
			.filter((queue) -> queue.version() > version)
			.sorted(Comparator.comparing(StoredQueue::version))
			.toList();
	}

	@Override
	public List<StoredQueue> ensure(Collection<String> names, Instant now) {
		List<StoredQueue> made = new ArrayList<>();
		for (String name : names) {
			if (!this.stored.containsKey(name)) {
				made.add(write(StoredQueue.created(name, now)));
			}
		}
		return made;
	}

	@Override
	public Optional<StoredQueue> change(String name, Function<Optional<StoredQueue>, Optional<StoredQueue>> change) {
		List<QueueEvent> before = List.copyOf(this.feed);
		boolean done = false;
		try {
			Optional<StoredQueue> written = change.apply(find(name)).map(this::write);
			done = true;
			return written;
		}
		finally {
			if (!done) {
				this.feed.clear();
				this.feed.addAll(before);
			}
		}
	}

	@Override
	public void append(List<QueueEvent> events, Instant now) {
		this.feed.addAll(events);
	}

	private StoredQueue write(StoredQueue queue) {
		StoredQueue written = queue.version(++this.version);
		this.stored.put(queue.name(), written);
		return written;
	}

	@Override
	public QueueStats stats(String queue, Instant startOfDay) {
		long available = count(queue, Set.of(JobState.AVAILABLE));
		return new QueueStats(unfinished(queue), available, count(queue, Set.of(JobState.ACTIVE)), 0, 0, 0, 0, 0);
	}

	private long count(String queue, Set<JobState> states) {
		return this.jobs.stream()
			.filter((job) -> job.job().queue().equals(queue) && states.contains(job.job().state()))
			.count();
	}

	@Override
	public long unfinished(String queue) {
		return count(queue, Set.of(JobState.AVAILABLE, JobState.ACTIVE, JobState.SCHEDULED));
	}

	@Override
	public Map<String, Map<JobState, Long>> unfinished() {
		return Map.of();
	}

	@Override
	public List<String> discardWaiting(String queue, Instant now) {
		JobError error = new JobError("queue_deleted", "QUEUE_DELETED", "gone", 0, Rfc3339.utc(now), List.of(),
				Map.of());
		List<String> waiting = this.jobs.stream()
			.filter((job) -> job.job().queue().equals(queue) && job.job().state() == JobState.AVAILABLE)
			.map((job) -> job.job().id())
			.toList();
		replaceWaiting(queue, (job) -> job.toBuilder().state(JobState.DISCARDED).errors(List.of(error)).build());
		return waiting;
	}

	@Override
	public List<StoredJob> find(Collection<String> jobIds) {
		assertThat(jobIds).as("one page").hasSizeLessThanOrEqualTo(500);
		return this.jobs.stream()
			.filter((job) -> jobIds.contains(job.job().id()))
			.map((job) -> new StoredJob(job.job(), 3, Map.of(), null, null, null, 0))
			.toList();
	}

	@Override
	public long moveWaiting(String queue, String target, Instant now) {
		return replaceWaiting(queue,
				(job) -> Job.builder(job.id(), job.type(), target).args(job.args()).state(JobState.AVAILABLE).build());
	}

	private long replaceWaiting(String queue, Function<Job, Job> change) {
		long changed = 0;
		for (int i = 0; i < this.jobs.size(); i++) {
			EncodedJob job = this.jobs.get(i);
			if (job.job().queue().equals(queue) && job.job().state() == JobState.AVAILABLE) {
				this.jobs.set(i, new EncodedJob(change.apply(job.job()), job.body(), job.maxAttempts()));
				changed++;
			}
		}
		return changed;
	}

	@Override
	public void lock(String queue, Instant now) {
		this.locks.add(queue);
	}

	@Override
	public QueueDepth depth(String queue) {
		List<EncodedJob> there = this.jobs.stream().filter((job) -> job.job().queue().equals(queue)).toList();
		return new QueueDepth(there.size(), there.stream().mapToLong((job) -> job.body().length).sum());
	}

	@Override
	public Optional<List<Job>> dropOldest(String queue, QueueDepth excess, Instant now) {
		List<EncodedJob> dropped = new ArrayList<>();
		long bytes = 0;
		for (EncodedJob job : this.jobs) {
			if (dropped.size() >= excess.jobs() && bytes >= excess.bytes()) {
				break;
			}
			if (job.job().queue().equals(queue) && job.job().state() != JobState.ACTIVE) {
				dropped.add(job);
				bytes += job.body().length;
			}
		}
		if (dropped.size() < excess.jobs() || bytes < excess.bytes()) {
			return Optional.empty();
		}
		this.jobs.removeAll(dropped);
		JobError error = new JobError("overflow", "QUEUE_FULL", "full", 0, Rfc3339.utc(now), List.of(), Map.of());
		return Optional.of(dropped.stream()
			.map((job) -> job.job().toBuilder().state(JobState.DISCARDED).errors(List.of(error)).build())
			.toList());
	}

}
