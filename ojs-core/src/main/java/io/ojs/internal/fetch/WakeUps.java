package io.ojs.internal.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.ojs.store.internal.Poller;

/**
 * Wakes workers of queues whose jobs the store delivers: the worker of this process
 * first, and other processes if it has no free thread. A lost wake-up only costs time,
 * because workers fetch every second anyway.
 */
public final class WakeUps implements AutoCloseable {

	/** The shortest time between two wake-ups of other processes. */
	private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** The same, while more than one job of a queue became available in that time. */
	private static final long BUSY_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final Consumer<String> others;

	private final Map<String, BooleanSupplier> workers = new ConcurrentHashMap<>();

	private final Set<String> worked = ConcurrentHashMap.newKeySet();

	private final Set<String> waiting = ConcurrentHashMap.newKeySet();

	/** How often workers were wanted since the last wake-up of other processes. */
	private final AtomicInteger wanted = new AtomicInteger();

	private final Poller poller = new Poller("ojs-wake-ups", "Workers of other processes cannot be woken", this::tell);

	/**
	 * Creates the wake-ups.
	 * @param others wakes other processes for a queue; called on its own thread
	 */
	public WakeUps(Consumer<String> others) {
		this.others = others;
	}

	/** Starts the thread that wakes other processes. */
	public void start() {
		this.poller.start();
	}

	/**
	 * Records that this process works a queue, even while it is paused.
	 * @param queue the OJS queue, whose jobs the store delivers
	 */
	public void works(String queue) {
		this.worked.add(queue);
	}

	/**
	 * Adds the worker of a queue in this process.
	 * @param worker wakes the worker, and returns whether it has a free thread
	 */
	public void add(String queue, BooleanSupplier worker) {
		this.worked.add(queue);
		this.workers.put(queue, worker);
	}

	/** Removes the worker of a queue in this process. */
	public void remove(String queue, BooleanSupplier worker) {
		this.workers.remove(queue, worker);
	}

	/**
	 * Returns the queues that this process works.
	 * @return the OJS queues, including those that are paused
	 */
	public Set<String> queues() {
		return this.worked;
	}

	/** Wakes a worker for a job that has just become available. Does not wait. */
	public void available(String queue) {
		if (!wake(queue)) {
			more(queue);
		}
	}

	/**
	 * Wakes other processes for a queue that may have more jobs than this process can
	 * run. Does not wait.
	 */
	public void more(String queue) {
		this.wanted.incrementAndGet();
		if (this.waiting.add(queue)) {
			this.poller.wake();
		}
	}

	/**
	 * Wakes the worker of this process, because another process has reported jobs of a
	 * queue.
	 * @return whether the worker has a free thread
	 */
	public boolean wake(String queue) {
		BooleanSupplier worker = this.workers.get(queue);
		return worker != null && worker.getAsBoolean();
	}

	private Duration tell() {
		List<String> queues = new ArrayList<>(this.waiting);
		if (queues.isEmpty()) {
			return Duration.ofMinutes(1);
		}
		// Removed before the call, so that jobs which become available from now on cause
		// another one.
		queues.forEach(this.waiting::remove);
		boolean busy = this.wanted.getAndSet(0) > queues.size();
		queues.forEach(this.others);
		long pace = busy ? BUSY_PACE_NANOS : PACE_NANOS;
		long until = System.nanoTime() + pace;
		for (long left = pace; left > 0; left = until - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
		return this.waiting.isEmpty() ? Duration.ofMinutes(1) : Duration.ZERO;
	}

	/** Stops the thread. */
	@Override
	public void close() {
		this.poller.close();
	}

}
