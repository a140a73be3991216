package io.ojs.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.ojs.log.SafeLogger;
import io.ojs.queue.LiveQueues;
import io.ojs.queue.QueueState;
import io.ojs.store.HoldingRelayStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Knows which queues are held: workers fetch from them, and nobody at the broker consumes
 * them. Their jobs stay in the store, and messages that they have at the broker are
 * brought there. Somebody has to call {@link #check} all the time.
 */
public final class HeldQueues implements Predicate<String> {

	/** How long after the last fetch a queue counts as one that is fetched from. */
	public static final Duration FETCHED = Duration.ofMinutes(3);

	private static final Logger logger = SafeLogger.of(HeldQueues.class);

	/** How often other instances are told of fetches, and asked for theirs. */
	private static final Duration SHARED = Duration.ofSeconds(5);

	/** What is to be published soon anyway is not released, or it might come twice. */
	private static final Duration SOON = Duration.ofSeconds(30);

	private final FetchedQueueStore store;

	private final BrokerQueues broker;

	private final LiveQueues queues;

	private final Clock clock;

	private final Map<String, Held> fetched = new ConcurrentHashMap<>();

	private volatile Instant read = Instant.MIN;

	/**
	 * Creates it.
	 * @param store tells other instances of fetches, and keeps jobs
	 * @param broker knows consumers, and hands out messages
	 * @param queues know whether jobs are worked
	 * @param clock tells the time
	 */
	public HeldQueues(FetchedQueueStore store, BrokerQueues broker, LiveQueues queues, Clock clock) {
		this.store = store;
		this.broker = broker;
		this.queues = queues;
		this.clock = clock;
	}

	/**
	 * Whether jobs of a queue stay in the store for now.
	 * @param queue the queue
	 * @return whether it is held
	 */
	@Override
	public boolean test(String queue) {
		Held held = this.fetched.get(queue);
		return held != null && held.isWithoutConsumers() && held.isFetched(this.clock.instant())
				&& this.queues.get(queue).state() == QueueState.ACTIVE;
	}

	/**
	 * Whether any queue is fetched from, by workers of any instance.
	 * @return whether there are workers that fetch
	 */
	public boolean isUsed() {
		Instant now = this.clock.instant();
		return this.fetched.values().stream().anyMatch((held) -> held.isFetched(now));
	}

	/**
	 * Notes that somebody fetches from queues.
	 * @param names the queues
	 */
	void fetched(Collection<String> names) {
		Instant now = this.clock.instant();
		List<String> news = names.stream().filter((name) -> held(name).fetch(now)).toList();
		if (!news.isEmpty()) {
			this.store.fetched(news, now);
		}
	}

	private Held held(String name) {
		return this.fetched.computeIfAbsent(name, (key) -> new Held());
	}

	/**
	 * Looks which queues are fetched from, which of them have consumers, and what the
	 * broker has of those that have none. To be called by one thread at a time.
	 * @throws RuntimeException if the database or the broker does not answer
	 */
	public void check() {
		Instant now = this.clock.instant();
		if (this.read.plus(SHARED).isBefore(now)) {
			this.store.fetchedSince(now.minus(FETCHED)).forEach((queue, at) -> held(queue).heard(at));
			this.read = now;
		}
		if (this.fetched.isEmpty() || !this.broker.isReady()) {
			return;
		}
		RuntimeException failure = null;
		for (String queue : List.copyOf(this.fetched.keySet())) {
			try {
				check(queue, held(queue), now);
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private void check(String queue, Held held, Instant now) {
		if (!held.isFetched(now)) {
			release(queue, now, "nobody fetches from it any longer");
			this.fetched.remove(queue, held);
			return;
		}
		Integer before = held.consumers;
		int consumers = this.broker.consumers(queue);
		held.consumers = consumers;
		if (consumers > 0) {
			if (before == null || before == 0) {
				release(queue, now, "it has consumers at the broker");
			}
		}
		else if (test(queue)) {
			if (before == null || before > 0) {
				logger.info("Jobs of queue '{}' stay in the job store: workers fetch them, and the queue has no "
						+ "consumer at the broker", queue);
			}
			int taken = this.broker.sweep(queue, (messages) -> this.store.keep(this.queues.get(queue), messages,
					this.clock.instant(), this.clock.instant().plus(HoldingRelayStore.HOLD)));
			if (taken > 0) {
				logger.debug("{} messages of queue '{}' are in the job store now", taken, queue);
			}
		}
	}

	private void release(String queue, Instant now, String reason) {
		int released = this.store.release(queue, now, now.plus(SOON));
		if (released > 0) {
			logger.info("{} jobs of queue '{}' are published: {}", released, queue, reason);
		}
	}

	/** What is known of a queue. */
	private static final class Held {

		private volatile Instant fetchedAt = Instant.MIN;

		private volatile Instant toldAt = Instant.MIN;

		/** Not known before the broker was asked. */
		private volatile @Nullable Integer consumers;

		boolean isFetched(Instant now) {
			return this.fetchedAt.isAfter(now.minus(FETCHED));
		}

		boolean isWithoutConsumers() {
			Integer known = this.consumers;
			return known != null && known == 0;
		}

		/** Returns whether others are to be told. */
		boolean fetch(Instant now) {
			this.fetchedAt = now;
			if (this.toldAt.isAfter(now.minus(SHARED))) {
				return false;
			}
			this.toldAt = now;
			return true;
		}

		void heard(Instant at) {
			if (at.isAfter(this.fetchedAt)) {
				this.fetchedAt = at;
			}
		}

	}

}
