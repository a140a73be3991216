package io.ojs.queue.internal.lifecycle;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.event.internal.Listeners;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.LiveQueueListener;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of queues: the content of the {@link QueueStore} at the last
 * refresh, with all layers of configuration. Reads use memory only. {@link #refresh} has
 * to be called at short intervals; changes of this process are known at once.
 */
public final class QueueRegistry implements LiveQueues {

	private final QueueStore store;

	private final QueueLayers layers;

	private final Clock clock;

	private final Listeners<LiveQueueListener> listeners = new Listeners<>(List.of());

	/** Queues that jobs were enqueued to and that may not be in the store. */
	private final Set<String> noticed = ConcurrentHashMap.newKeySet();

	/** Orders changes, so that listeners are notified in this order. */
	private final ReentrantLock changes = new ReentrantLock();

	private volatile View view;

	/**
	 * The number of queues that this process has created for a job, a property or a
	 * handler.
	 */
	private final LongAdder made = new LongAdder();

	/** The latest version that was read. */
	private long read;

	public QueueRegistry(QueueStore store, QueueLayers layers, Clock clock) {
		this.store = store;
		this.layers = layers;
		this.clock = clock;
		this.view = new View(layers, Map.of());
		this.noticed.addAll(layers.known());
	}

	/**
	 * Creates queues that are new to the store, and reads the changes there.
	 */
	public void refresh() {
		Set<String> missing = new HashSet<>(this.noticed);
		missing.removeAll(this.view.stored.keySet());
		if (!missing.isEmpty()) {
			this.made.add(this.store.ensure(missing, this.clock.instant()).size());
		}
		this.changes.lock();
		try {
			List<StoredQueue> changed = this.store.changedSince(this.read);
			if (!changed.isEmpty()) {
				this.read = changed.get(changed.size() - 1).version();
				take(changed);
			}
		}
		finally {
			this.changes.unlock();
		}
		this.noticed.removeAll(this.view.stored.keySet());
	}

	/** Applies a change of this process, without waiting for the next refresh. */
	void written(StoredQueue written) {
		this.changes.lock();
		try {
			take(List.of(written));
		}
		finally {
			this.changes.unlock();
		}
	}

	private void take(List<StoredQueue> changed) {
		View before = this.view;
		Map<String, StoredQueue> stored = new HashMap<>(before.stored);
		for (StoredQueue queue : changed) {
			stored.merge(queue.name(), queue, (one, other) -> (other.version() > one.version()) ? other : one);
		}
		View now = new View(this.layers, Map.copyOf(stored));
		this.view = now;
		Set<String> names = new HashSet<>(stored.keySet());
		names.addAll(this.layers.known());
		names.addAll(before.live.keySet());
		names.remove(JobQueue.DEFAULT_POLICY);
		for (String name : names) {
			LiveQueue old = before.get(name);
			LiveQueue live = now.get(name);
			if (!old.equals(live)) {
				this.listeners.notifyOf(() -> "a change of queue '%s'".formatted(name),
						(listener) -> listener.changed(old, live));
			}
		}
	}

	/**
	 * Returns the number of queues that this process has created for a job, a property or
	 * a handler.
	 */
	public long made() {
		return this.made.sum();
	}

	@Override
	public LiveQueue get(String name) {
		return this.view.get(name);
	}

	@Override
	public void listen(LiveQueueListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Whether a queue is known: an operator has created it, it had a job, or an
	 * application has a property or a handler for it.
	 * @return whether it is known to this process; deleted queues are
	 */
	public boolean isKnown(String name) {
		return this.view.stored.containsKey(name) || this.layers.known().contains(name);
	}

	@Override
	public boolean exists(String name) {
		return isKnown(name) || this.noticed.contains(name);
	}

	@Override
	public int count() {
		Set<String> names = new HashSet<>(this.noticed);
		names.addAll(this.view.stored.keySet());
		names.addAll(this.layers.known());
		names.remove(JobQueue.DEFAULT_POLICY);
		return names.size();
	}

	@Override
	public void notice(String name) {
		if (!this.view.stored.containsKey(name)) {
			this.noticed.add(name);
		}
	}

	/**
	 * Returns how long attempts of a queue's jobs may take, for
	 * {@link io.ojs.handler.internal.Timeouts}.
	 */
	public Duration timeout(String name) {
		return Objects.requireNonNull(get(name).config().defaultTimeout());
	}

	/**
	 * Returns the retry policy of a queue, for
	 * {@link io.ojs.handler.internal.RetryPolicies}.
	 * @return the policy for jobs and handlers that do not set one
	 */
	public RetryPolicy retryPolicy(String name) {
		return get(name).config().retryPolicy();
	}

	/**
	 * Returns what each layer of the configuration sets for a queue.
	 * @return the configurations by the names of the layers, the strongest first
	 */
	public Map<String, QueueConfig> layers(String name) {
		StoredQueue stored = this.view.stored.get(name);
		return this.layers.of(name, this.view.policy(), (stored != null) ? stored.config() : null);
	}

	/** Returns the current default policy. */
	QueueConfig policy() {
		return this.layers.policy(this.view.policy());
	}

	/**
	 * Returns the configuration that a queue would have.
	 * @param explicit the configuration of this queue by the API
	 */
	QueueConfig effective(String name, QueueConfig policy, QueueConfig explicit) {
		return this.layers.effective(name, policy, explicit);
	}

	/** Adds the configuration from all layers to a stored queue. */
	JobQueue queue(StoredQueue stored) {
		QueueConfig config = this.layers.effective(stored.name(), this.view.policy(), stored.config());
		return new JobQueue(stored.name(), stored.state(), stored.stateSince(), stored.stateBy(), stored.config(),
				config, stored.createdAt(), stored.updatedAt());
	}

	/** Returns the draining queues, which may be deleted if they are empty. */
	List<StoredQueue> draining() {
		List<StoredQueue> draining = new ArrayList<>();
		for (StoredQueue queue : this.view.stored.values()) {
			if (queue.state() == QueueState.DRAINING) {
				draining.add(queue);
			}
		}
		return draining;
	}

	/**
	 * The queues at one moment.
	 */
	private static final class View {

		private final QueueLayers layers;

		private final Map<String, StoredQueue> stored;

		/** Computed on the first request for each queue. */
		private final Map<String, LiveQueue> live = new ConcurrentHashMap<>();

		View(QueueLayers layers, Map<String, StoredQueue> stored) {
			this.layers = layers;
			this.stored = stored;
		}

		@Nullable QueueConfig policy() {
			StoredQueue policy = this.stored.get(JobQueue.DEFAULT_POLICY);
			return (policy != null) ? policy.config() : null;
		}

		LiveQueue get(String name) {
			return this.live.computeIfAbsent(name, this::make);
		}

		private LiveQueue make(String name) {
			StoredQueue queue = this.stored.get(name);
			QueueState state = (queue != null) ? queue.state() : QueueState.ACTIVE;
			return new LiveQueue(name, state,
					this.layers.effective(name, policy(), (queue != null) ? queue.config() : null));
		}

	}

}
