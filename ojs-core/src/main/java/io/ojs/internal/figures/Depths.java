package io.ojs.internal.figures;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * How many jobs wait in each queue, at the broker and in the store.
 *
 * @param asOf when the numbers were read
 * @param outbox the jobs that are due and not published; {@code null} without a store
 * @param complete whether all jobs were counted
 * @param deadLettersComplete whether all dead letters were counted
 * @param broker the answer of the broker; {@code null} without one
 */
public record Depths(Instant asOf, List<QueueDepth> queues, StoreFigures.@Nullable Outbox outbox, boolean complete,
		boolean deadLettersComplete, BrokerFigures.@Nullable Answer broker) {

	/** How many jobs wait for a worker. */
	public long waiting() {
		return this.queues.stream().mapToLong(QueueDepth::waiting).sum();
	}

	/** How many dead letters there are. */
	public long deadLetters() {
		return this.queues.stream().mapToLong(QueueDepth::deadLetters).sum();
	}

	/**
	 * A queue.
	 *
	 * @param store its jobs in the store; {@code null} without one
	 * @param broker its messages; {@code null} if they are not known
	 * @param deadLetters its dead letters: those in the store, or at the broker without
	 * one
	 */
	public record QueueDepth(KnownQueue queue, StoreFigures.@Nullable Depth store, BrokerFigures.@Nullable Depth broker,
			long deadLetters) {

		/**
		 * How many jobs wait for a worker: those that are available in the store, or the
		 * messages at the broker if there are more. Messages of producers without a store
		 * are in the store only when they are claimed.
		 */
		public long waiting() {
			return Math.max((this.store != null) ? this.store.available() : 0,
					(this.broker != null) ? this.broker.ready() : 0);
		}

		/**
		 * How many more messages wait at the broker than jobs are available in the store.
		 * @return a negative number if messages are missing, or consumers hold them;
		 * {@code null} if there is nothing to compare, or not all jobs were counted
		 */
		public @Nullable Long difference() {
			return (this.store != null && this.store.complete() && this.broker != null
					&& this.queue.delivery().equals("broker")) ? (Long) (this.broker.ready() - this.store.available())
							: null;
		}

	}

	/**
	 * Reads depths.
	 */
	public static final class Reader {

		private final @Nullable FigureStore store;

		private final @Nullable BrokerFigures broker;

		private final Supplier<List<KnownQueue>> queues;

		private final Function<String, KnownQueue> unknown;

		private final Clock clock;

		/**
		 * Creates a reader.
		 * @param queues the queues to show, even if they have no jobs
		 * @param unknown makes the queue of a name that is not among them
		 */
		public Reader(@Nullable FigureStore store, @Nullable BrokerFigures broker, Supplier<List<KnownQueue>> queues,
				Function<String, KnownQueue> unknown, Clock clock) {
			this.store = store;
			this.broker = broker;
			this.queues = queues;
			this.unknown = unknown;
			this.clock = clock;
		}

		/** Reads the depths of all queues. */
		public Depths read() {
			Instant now = this.clock.instant();
			Map<String, KnownQueue> known = new TreeMap<>();
			this.queues.get().forEach((queue) -> known.put(queue.name(), queue));
			StoreFigures stored = (this.store != null) ? this.store.figures(now) : null;
			if (stored != null) {
				add(known, stored.queues().keySet());
				add(known, stored.deadLetters().keySet());
			}
			BrokerFigures.Answer atBroker = (this.broker != null) ? this.broker.ask(known.keySet()) : null;
			if (atBroker != null) {
				add(known, atBroker.queues().keySet());
			}
			List<QueueDepth> depths = known.values().stream().map((queue) -> depth(queue, stored, atBroker)).toList();
			return new Depths(now, depths, (stored != null) ? stored.outbox() : null,
					stored == null || stored.complete(), stored == null || stored.deadLettersComplete(), atBroker);
		}

		private void add(Map<String, KnownQueue> known, Collection<String> names) {
			names.forEach((name) -> known.computeIfAbsent(name, this.unknown));
		}

		private static QueueDepth depth(KnownQueue queue, @Nullable StoreFigures stored,
				BrokerFigures.@Nullable Answer atBroker) {
			String name = queue.name();
			BrokerFigures.Depth messages = (atBroker != null) ? atBroker.queues().get(name) : null;
			if (stored == null) {
				return new QueueDepth(queue, null, messages, (messages != null) ? messages.deadLetters() : 0);
			}
			return new QueueDepth(queue, stored.queues().getOrDefault(name, StoreFigures.Depth.NONE), messages,
					stored.deadLetters().getOrDefault(name, 0L));
		}

	}

}
