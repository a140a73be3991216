package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;

/**
 * The consumers of one queue. A container that stops waits for the jobs of its consumers,
 * and cannot be started meanwhile. So a pause retires the containers, and each ends in
 * its own time. New containers take only the places that are free by then, so that no
 * more jobs run at a time than configured.
 */
final class WorkedQueue {

	private static final Logger logger = SafeLogger.of(WorkedQueue.class);

	/** Jobs that run when a queue is paused may go on without a limit. */
	private static final Duration HOWEVER_LONG = Duration.ofDays(3650);

	/**
	 * Limited, so that a broker that goes away meanwhile does not hold up other queues.
	 */
	private static final Duration START = Duration.ofSeconds(5);

	private final String name;

	private final IntFunction<List<QueueConsumers>> factory;

	/** Whether the broker makes sure that one job runs at a time. */
	private final boolean ordered;

	private final boolean needsBroker;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile List<QueueConsumers> current = List.of();

	private final List<Retired> retired = new CopyOnWriteArrayList<>();

	/** The number of consumers that the current containers are made for. */
	private int concurrency;

	/** How many of them have a place already. */
	private int started;

	private boolean stopped;

	WorkedQueue(String name, boolean ordered, boolean needsBroker, IntFunction<List<QueueConsumers>> factory) {
		this.name = name;
		this.ordered = ordered;
		this.needsBroker = needsBroker;
		this.factory = factory;
	}

	/** Whether the broker delivers the jobs of this queue. */
	boolean needsBroker() {
		return this.needsBroker;
	}

	/** The consumers that work the queue now. */
	List<QueueConsumers> containers() {
		return this.current;
	}

	/**
	 * Creates containers without starting them.
	 */
	void prepare(int consumers) {
		this.lock.lock();
		try {
			this.current = List.copyOf(this.factory.apply(consumers));
			this.concurrency = consumers;
			this.started = consumers;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Starts the prepared containers, unless they were stopped or paused meanwhile.
	 */
	void start() {
		this.lock.lock();
		try {
			this.current.forEach((consumers) -> consumers.start(null));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes sure that the queue is worked.
	 * @param consumers how many jobs run at a time
	 * @return whether that is so now; if not, too few places are free, and the caller
	 * must try again later
	 */
	boolean work(int consumers) {
		this.lock.lock();
		try {
			if (this.stopped) {
				return true;
			}
			if (this.concurrency != consumers && !this.ordered) {
				retire();
			}
			int free = this.ordered ? consumers : Math.min(consumers, consumers - busy());
			if (free > 0 && this.current.isEmpty()) {
				begin(consumers, free);
			}
			else if (free > this.started && !this.current.isEmpty()) {
				grow(free);
			}
			return !this.current.isEmpty() && this.started >= consumers;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void begin(int consumers, int free) {
		List<QueueConsumers> made = this.factory.apply(consumers);
		this.concurrency = consumers;
		this.started = free;
		this.current = List.copyOf(made);
		for (QueueConsumers each : made) {
			if (free < consumers) {
				each.concurrency(free);
			}
			each.start(START);
		}
	}

	private void grow(int free) {
		try {
			this.current.forEach((each) -> each.concurrency(free));
		}
		catch (IllegalArgumentException ex) {
			logger.warn("Queue '{}' cannot have {} consumers, since a customizer of its container allows less",
					this.name, free, ex);
		}
		this.started = free;
	}

	/** Active consumers of retired containers. */
	private int busy() {
		return this.retired.stream().mapToInt((retired) -> retired.consumers.active()).sum();
	}

	/**
	 * Takes no more jobs. Running jobs go on, and prefetched ones return to the broker.
	 * Does not wait for either.
	 */
	void pause() {
		this.lock.lock();
		try {
			retire();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void retire() {
		for (QueueConsumers consumers : this.current) {
			Retired entry = new Retired(consumers, new CompletableFuture<>());
			this.retired.add(entry);
			consumers.stop(HOWEVER_LONG, () -> {
				this.retired.remove(entry);
				entry.ended.complete(null);
			});
		}
		// Cleared last: an empty list means that no job begins.
		this.current = List.of();
		this.concurrency = 0;
		this.started = 0;
	}

	/**
	 * Stops for good.
	 * @param patience how long running jobs may go on
	 * @return completes when no job runs any more
	 */
	CompletableFuture<Void> stop(Duration patience) {
		List<CompletableFuture<?>> ends = new ArrayList<>();
		this.lock.lock();
		try {
			this.stopped = true;
			for (Retired entry : this.retired) {
				ends.add(entry.ended.copy().completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS));
			}
			List<QueueConsumers> stopping = this.current;
			this.current = List.of();
			for (QueueConsumers consumers : stopping) {
				CompletableFuture<Void> ended = new CompletableFuture<>();
				ends.add(ended);
				consumers.stop(patience, () -> ended.complete(null));
			}
		}
		finally {
			this.lock.unlock();
		}
		return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * Consumers that are stopping.
	 *
	 */
	private record Retired(QueueConsumers consumers, CompletableFuture<Void> ended) {
	}

}
