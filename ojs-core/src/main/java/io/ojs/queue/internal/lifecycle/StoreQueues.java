package io.ojs.queue.internal.lifecycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.ojs.event.internal.JobEvents;
import io.ojs.queue.DeletionStrategy;
import io.ojs.queue.IllegalQueueStateException;
import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDeletion;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueExistsException;
import io.ojs.queue.QueueNotFoundException;
import io.ojs.queue.QueueState;
import io.ojs.queue.QueueStats;
import io.ojs.queue.Queues;
import io.ojs.store.internal.relay.HandOver;
import org.jspecify.annotations.Nullable;

/**
 * The queues of the job store.
 */
public final class StoreQueues implements Queues {

	/**
	 * The shortest time for which a queue is draining, so that all processes learn of it.
	 */
	static final Duration QUIET = Duration.ofSeconds(3);

	private final QueueStore store;

	private final QueueJobs jobs;

	private final QueueRegistry registry;

	private final QueueEvents events;

	private final QueueDisposal disposal;

	private final HandOver handOver;

	private final Clock clock;

	public StoreQueues(QueueStore store, QueueJobs jobs, QueueRegistry registry, QueueEvents events,
			JobEvents jobEvents, HandOver handOver, Clock clock) {
		this.store = store;
		this.jobs = jobs;
		this.registry = registry;
		this.events = events;
		this.disposal = new QueueDisposal(store, jobs, registry, jobEvents);
		this.handOver = handOver;
		this.clock = clock;
	}

	@Override
	public JobQueue create(String name, QueueConfig config) {
		JobQueue.requireName(name);
		Instant now = this.clock.instant();
		QueueEvent created = new QueueEvent.Created(name, config);
		StoredQueue written = write(name, (before) -> {
			checkHandOver(name, config);
			checkDeadLetterQueue(name, config);
			this.events.keep(now, List.of(created));
			StoredQueue queue = before.orElseGet(() -> StoredQueue.created(name, now));
			if (queue.state() == QueueState.DELETED) {
				return StoredQueue.created(name, now).config(config, now);
			}
			if (queue.state() != QueueState.ACTIVE || !queue.config().equals(QueueConfig.NONE)) {
				throw new QueueExistsException(name, queue.state());
			}
			return queue.config(config, now);
		});
		makeDeadLetterQueue(config);
		this.events.publish(created);
		return this.registry.queue(written);
	}

	@Override
	public JobQueue get(String name) {
		JobQueue.requireName(name);
		this.registry.refresh();
		return this.registry.queue(existing(name, this.store.find(name)));
	}

	@Override
	public List<JobQueue> list() {
		this.registry.refresh();
		return this.store.changedSince(0)
			.stream()
			.filter((queue) -> !queue.name().equals(JobQueue.DEFAULT_POLICY) && queue.state() != QueueState.DELETED)
			.sorted((one, other) -> one.name().compareTo(other.name()))
			.map(this.registry::queue)
			.toList();
	}

	@Override
	public JobQueue configure(String name, QueueConfig config) {
		return configure(name, config::over);
	}

	@Override
	public JobQueue configure(String name, UnaryOperator<QueueConfig> change) {
		JobQueue.requireName(name);
		return this.registry.queue(changeConfig(name, change));
	}

	private StoredQueue changeConfig(String name, UnaryOperator<QueueConfig> change) {
		Instant now = this.clock.instant();
		AtomicReference<@Nullable QueueEvent> updated = new AtomicReference<>();
		StoredQueue written = write(name, (before) -> {
			StoredQueue queue = before.orElseGet(() -> StoredQueue.created(name, now));
			existing(name, Optional.of(queue));
			QueueConfig config = change.apply(queue.config());
			checkHandOver(name, config);
			if (!Objects.equals(config.deadLetterQueue(), queue.config().deadLetterQueue())) {
				checkDeadLetterQueue(name, config);
			}
			if (!config.equals(queue.config())) {
				QueueEvent event = new QueueEvent.ConfigUpdated(name, queue.config(), config);
				this.events.keep(now, List.of(event));
				updated.set(event);
			}
			return queue.config(config, now);
		});
		makeDeadLetterQueue(written.config());
		QueueEvent event = updated.get();
		if (event != null) {
			this.events.publish(event);
		}
		return written;
	}

	/** Applies the rules that the properties of such a queue have. */
	private void checkHandOver(String name, QueueConfig config) {
		if (this.handOver.test(name)) {
			String workers = "its workers do not ask before they begin";
			leftOut("rate_limit", config.rateLimit(), workers);
			leftOut("concurrency", config.concurrency(), workers);
			String ends = "the job store does not learn when its jobs end";
			leftOut("max_size", config.maxSize(), ends);
			leftOut("max_size_bytes", config.maxSizeBytes(), ends);
			leftOut("overflow_policy", config.overflowPolicy(), ends);
		}
	}

	private static void leftOut(String field, @Nullable Object value, String reason) {
		if (value != null) {
			throw new InvalidQueueConfigException(field, value,
					"must be left out of a queue whose delivery is hand-over: " + reason);
		}
	}

	/**
	 * Called in the transaction that changes the queue, so no other queue changes
	 * meanwhile.
	 */
	private void checkDeadLetterQueue(String name, QueueConfig config) {
		String target = config.deadLetterQueue();
		if (target == null) {
			return;
		}
		Optional<StoredQueue> other = this.store.find(target);
		if (other.isPresent() && !other.get().state().acceptsJobs()) {
			throw new IllegalQueueStateException(target, other.get().state(), "takes no dead letters of other queues");
		}
		boolean isPolicy = name.equals(JobQueue.DEFAULT_POLICY);
		QueueConfig policy = isPolicy ? config : explicit(JobQueue.DEFAULT_POLICY);
		Function<String, @Nullable String> next = (queue) -> this.registry.effective(queue, policy, explicit(queue))
			.deadLetterQueue();
		String first = isPolicy ? target : name;
		String second = isPolicy ? next.apply(target) : target;
		// The target of a policy may name itself by that policy: it keeps its own dead
		// letters.
		if (second != null && !(isPolicy && second.equals(first))) {
			DeadLetterQueues.check(first, second, next);
		}
	}

	private QueueConfig explicit(String name) {
		return this.store.find(name).map(StoredQueue::config).orElse(QueueConfig.NONE);
	}

	private void makeDeadLetterQueue(QueueConfig config) {
		String target = config.deadLetterQueue();
		if (target != null && !this.registry.isKnown(target)) {
			this.registry.notice(target);
			this.registry.refresh();
		}
	}

	@Override
	public QueueConfig defaultPolicy() {
		this.registry.refresh();
		return this.registry.policy();
	}

	@Override
	public QueueConfig setDefaultPolicy(QueueConfig policy) {
		changeConfig(JobQueue.DEFAULT_POLICY, (before) -> policy);
		return this.registry.policy();
	}

	@Override
	public JobQueue pause(String name) {
		if (this.handOver.test(name)) {
			throw new IllegalQueueStateException(name, get(name).state(),
					"cannot be paused: its delivery is hand-over, and its workers are not this library's");
		}
		return state(name, QueueState.PAUSED, new QueueEvent.Paused(name));
	}

	@Override
	public JobQueue resume(String name) {
		return state(name, QueueState.ACTIVE, new QueueEvent.Resumed(name));
	}

	@Override
	public JobQueue drain(String name) {
		return state(name, QueueState.DRAINING, null);
	}

	private JobQueue state(String name, QueueState state, @Nullable QueueEvent event) {
		JobQueue.requireName(name);
		this.registry.refresh();
		Instant now = this.clock.instant();
		Optional<StoredQueue> written = this.store.change(name, (before) -> {
			StoredQueue queue = existing(name, before);
			if (queue.state() == state) {
				return Optional.empty();
			}
			if (!queue.state().canBecome(state)) {
				throw new IllegalQueueStateException(name, queue.state(), "cannot become " + state.wireName());
			}
			if (event != null) {
				this.events.keep(now, List.of(event));
			}
			return Optional.of(queue.state(state, now));
		});
		written.ifPresent(this.registry::written);
		if (written.isPresent() && event != null) {
			this.events.publish(event);
		}
		return written.map(this.registry::queue).orElseGet(() -> get(name));
	}

	@Override
	public QueueDeletion delete(String name, DeletionStrategy strategy) {
		JobQueue.requireName(name);
		this.registry.refresh();
		Instant now = this.clock.instant();
		AtomicLong affected = new AtomicLong();
		List<String> discarded = new ArrayList<>();
		StoredQueue written = write(name, (before) -> {
			StoredQueue queue = existing(name, before);
			discarded.clear();
			affected.set(this.disposal.dispose(name, strategy, now, discarded));
			return queue.state(QueueState.DRAINING, now);
		});
		this.disposal.tell(name, discarded);
		return new QueueDeletion(name, strategy, affected.get(), written.state());
	}

	@Override
	public QueueStats stats(String name) {
		get(name);
		Instant midnight = LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC)
			.atStartOfDay(ZoneOffset.UTC)
			.toInstant();
		return this.jobs.stats(name, midnight);
	}

	/**
	 * Deletes the queues that are drained. To be called at intervals.
	 */
	void deleteDrained() {
		Instant now = this.clock.instant();
		for (StoredQueue draining : this.registry.draining()) {
			if (isDrained(draining, now)) {
				List<QueueEvent> events = List.of(new QueueEvent.Drained(draining.name()),
						new QueueEvent.Deleted(draining.name()));
				// Of all processes that see the drained queue, the first one changes it.
				Optional<StoredQueue> written = this.store.change(draining.name(),
						(before) -> before.filter((queue) -> isDrained(queue, now)).map((queue) -> {
							this.events.keep(now, events);
							return queue.state(QueueState.DELETED, now);
						}));
				written.ifPresent((deleted) -> {
					this.registry.written(deleted);
					events.forEach(this.events::publish);
				});
			}
		}
	}

	private boolean isDrained(StoredQueue queue, Instant now) {
		return queue.state() == QueueState.DRAINING && !queue.updatedAt().plus(QUIET).isAfter(now)
				&& this.jobs.unfinished(queue.name()) == 0;
	}

	private StoredQueue write(String name, Function<Optional<StoredQueue>, StoredQueue> change) {
		StoredQueue written = this.store.change(name, (before) -> Optional.of(change.apply(before))).orElseThrow();
		this.registry.written(written);
		return written;
	}

	private static StoredQueue existing(String name, Optional<StoredQueue> queue) {
		return queue.filter((found) -> found.state() != QueueState.DELETED)
			.orElseThrow(() -> new QueueNotFoundException(name));
	}

}
