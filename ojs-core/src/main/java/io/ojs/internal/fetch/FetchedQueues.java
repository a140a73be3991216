package io.ojs.internal.fetch;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.ojs.internal.log.SafeLogger;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.store.internal.relay.StoreDelivery;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Knows the queues whose jobs the store delivers: queues that workers of this process
 * fetch from, and queues that other workers fetch from while the broker has no consumer
 * for them. A queue with {@code delivery=store} stays in this state once a worker has
 * fetched from it. Moves the messages of these queues from the broker to the store.
 * {@link #check} has to be called at short intervals.
 */
public final class FetchedQueues implements StoreDelivery {

	/** How long after its last fetch a queue counts as fetched from. */
	public static final Duration FETCHED = Duration.ofMinutes(3);

	private static final Logger logger = SafeLogger.of(FetchedQueues.class);

	/** How often fetches are recorded for other instances, and theirs are read. */
	private static final Duration SHARED = Duration.ofSeconds(5);

	/**
	 * How long the relay leaves alone jobs that it should never publish. A process that
	 * consumes their queue from the broker releases them.
	 */
	static final Duration FOR_GOOD = Duration.ofDays(365);

	/** How often a process that consumes a queue from the broker releases its jobs. */
	private static final Duration RELEASED = Duration.ofSeconds(10);

	/** How often it does so if no fetch from the queue is known. */
	private static final Duration SELDOM = Duration.ofMinutes(5);

	/**
	 * After this time without a fetch, the record of a queue that the broker delivers is
	 * removed.
	 */
	private static final Duration FORGOTTEN = Duration.ofDays(7);

	/**
	 * Jobs that the relay publishes within this time anyway are not released, or they
	 * might be published twice.
	 */
	private static final Duration SOON = Duration.ofSeconds(30);

	private final FetchedQueueStore store;

	private final BrokerQueues broker;

	private final LiveQueues queues;

	private final Clock clock;

	private final Predicate<String> configured;

	private final WakeUps wakeUps;

	/**
	 * Queues with {@code delivery=store} for which it was logged that they have
	 * consumers.
	 */
	private final Set<String> consumed = new HashSet<>();

	/**
	 * Queues that this process consumes from the broker, each with the time of the next
	 * look for jobs that other processes left to the store.
	 */
	private final Map<String, Instant> byBroker = new ConcurrentHashMap<>();

	private final Map<String, Known> fetched = new ConcurrentHashMap<>();

	private volatile Instant read = Instant.MIN;

	/**
	 * Creates the queues.
	 * @param configured whether a queue has {@code delivery=store}
	 */
	public FetchedQueues(FetchedQueueStore store, BrokerQueues broker, LiveQueues queues, Clock clock,
			Predicate<String> configured, WakeUps wakeUps) {
		this.store = store;
		this.broker = broker;
		this.queues = queues;
		this.clock = clock;
		this.configured = configured;
		this.wakeUps = wakeUps;
	}

	@Override
	public boolean delivers(String queue) {
		return this.wakeUps.queues().contains(queue) || isFetchedOnly(queue);
	}

	@Override
	public Instant relayAt(String queue, Instant now) {
		return now.plus(this.configured.test(queue) ? FOR_GOOD : HOLD);
	}

	@Override
	public void available(String queue) {
		if (this.configured.test(queue)) {
			this.wakeUps.available(queue);
		}
	}

	private boolean isFetchedOnly(String queue) {
		Known known = this.fetched.get(queue);
		return known != null && known.isWithoutConsumers() && (this.configured.test(queue)
				|| (known.isFetched(this.clock.instant()) && this.queues.get(queue).state() == QueueState.ACTIVE));
	}

	/**
	 * Publishes the jobs of queues that the store was to deliver, now and at intervals:
	 * other processes may still have the old configuration.
	 * @param queues queues that this process works; those with {@code delivery=store} are
	 * skipped
	 */
	public void workByBroker(Collection<String> queues) {
		queues.stream()
			.filter((queue) -> !this.configured.test(queue))
			.forEach((queue) -> this.byBroker.put(queue, Instant.MIN));
	}

	/**
	 * Whether HTTP workers fetch from any queue, through any instance.
	 * @return whether they do
	 */
	public boolean isUsed() {
		Instant now = this.clock.instant();
		return this.fetched.values().stream().anyMatch((known) -> known.remote && known.isFetched(now));
	}

	/** Records that workers fetch from queues over HTTP. */
	public void fetched(Collection<String> names) {
		names.forEach((name) -> known(name).remote = true);
		note(names);
	}

	private void note(Collection<String> names) {
		Instant now = this.clock.instant();
		List<String> news = names.stream().filter((name) -> known(name).fetch(now)).toList();
		if (!news.isEmpty()) {
			this.store.fetched(news, now);
		}
	}

	private Known known(String name) {
		return this.fetched.computeIfAbsent(name, (key) -> new Known());
	}

	/**
	 * Updates which queues workers fetch from and which of them have consumers, and
	 * removes the messages of those without. To be called by one thread at a time.
	 * @throws RuntimeException if the database or the broker does not answer
	 */
	public void check() {
		Instant now = this.clock.instant();
		Set<String> here = this.wakeUps.queues();
		note(here);
		if (this.read.plus(SHARED).isBefore(now)) {
			Map<String, Instant> known = this.store.fetchedSince(Instant.EPOCH);
			known.forEach((queue, at) -> {
				boolean isConfigured = this.configured.test(queue);
				if (isConfigured || at.isAfter(now.minus(FETCHED))) {
					known(queue).heard(at, !isConfigured);
				}
			});
			releaseByBroker(known, now);
			this.read = now;
		}
		Set<String> looked = new TreeSet<>(this.fetched.keySet());
		if (looked.isEmpty() || !this.broker.isReady()) {
			return;
		}
		RuntimeException failure = null;
		for (String queue : looked) {
			try {
				if (here.contains(queue)) {
					checkHere(queue);
				}
				else {
					check(queue, known(queue), now);
				}
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private void releaseByBroker(Map<String, Instant> known, Instant now) {
		for (Map.Entry<String, Instant> queue : this.byBroker.entrySet()) {
			if (queue.getValue().isAfter(now)) {
				continue;
			}
			Instant fetchedAt = known.get(queue.getKey());
			release(queue.getKey(), now, now.plus(FOR_GOOD.dividedBy(2)), "the broker delivers them");
			// A process with another configuration may keep back jobs before any worker
			// has fetched.
			queue.setValue(now.plus((fetchedAt != null) ? RELEASED : SELDOM));
			if (fetchedAt != null && fetchedAt.isBefore(now.minus(FORGOTTEN))) {
				this.store.forget(queue.getKey(), fetchedAt);
			}
		}
	}

	private void checkHere(String queue) {
		int consumers = this.broker.consumers(queue);
		if (consumers > 0 && this.consumed.add(queue)) {
			logger.warn("Queue '{}' has delivery=store and {} consumers at the broker, which get the jobs of producers "
					+ "that do not use this job store. Set the same delivery in all applications; if other programs "
					+ "work the queue, remove the delivery", queue, consumers);
		}
		if (this.queues.get(queue).state() != QueueState.DELETED && sweep(queue) > 0) {
			this.wakeUps.available(queue);
		}
	}

	private void check(String queue, Known known, Instant now) {
		if (!known.isFetched(now) && !this.configured.test(queue)) {
			release(queue, now, now.plus(SOON), "no worker fetches from it any longer");
			this.fetched.remove(queue, known);
			return;
		}
		Integer before = known.consumers;
		int consumers = this.broker.consumers(queue);
		known.consumers = consumers;
		if (consumers > 0) {
			// Repeated: a job that was enqueued before may be committed later.
			if (before == null || before == 0 || (this.configured.test(queue) && known.releaseAt.isBefore(now))) {
				release(queue, now, now.plus(SOON), "it has consumers at the broker");
				known.releaseAt = now.plus(RELEASED);
			}
		}
		else if (isFetchedOnly(queue)) {
			if (before == null || before > 0) {
				logger.info("Jobs of queue '{}' stay in the job store: workers fetch them, and the queue has no "
						+ "consumer at the broker", queue);
			}
			sweep(queue);
		}
	}

	private int sweep(String queue) {
		int taken = this.broker.sweep(queue, (messages) -> this.store.keep(this.queues.get(queue), messages,
				this.clock.instant(), relayAt(queue, this.clock.instant())));
		if (taken > 0) {
			logger.debug("{} messages of queue '{}' are in the job store now", taken, queue);
		}
		return taken;
	}

	private void release(String queue, Instant now, Instant after, String reason) {
		int released = this.store.release(queue, now, after);
		if (released > 0) {
			logger.info("{} jobs of queue '{}' are published: {}", released, queue, reason);
		}
	}

	/** The state of a queue. */
	private static final class Known {

		private volatile Instant fetchedAt = Instant.MIN;

		private volatile Instant toldAt = Instant.MIN;

		/** When to release its jobs again while it has consumers. */
		private Instant releaseAt = Instant.MIN;

		/** Whether HTTP workers fetch from it. */
		private volatile boolean remote;

		/** {@code null} until the broker was asked. */
		private volatile @Nullable Integer consumers;

		boolean isFetched(Instant now) {
			return this.fetchedAt.isAfter(now.minus(FETCHED));
		}

		boolean isWithoutConsumers() {
			Integer known = this.consumers;
			return known != null && known == 0;
		}

		/** Records a fetch. Returns whether other instances have to be informed. */
		boolean fetch(Instant now) {
			this.fetchedAt = now;
			if (this.toldAt.isAfter(now.minus(SHARED))) {
				return false;
			}
			this.toldAt = now;
			return true;
		}

		void heard(Instant at, boolean byRemote) {
			this.remote |= byRemote;
			if (at.isAfter(this.fetchedAt)) {
				this.fetchedAt = at;
			}
		}

	}

}
