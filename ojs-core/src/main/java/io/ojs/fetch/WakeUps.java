package io.ojs.fetch;

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

import io.ojs.store.Poller;

/**
 * Tells workers that a queue has available jobs, where the store delivers them: those of
 * this process first, and others if none of these has a free thread. A wake-up may be
 * lost. It saves time and nothing else: workers look by themselves every second.
 */
public final class WakeUps implements AutoCloseable {

	/** Other processes are told of a queue once in that time at most. */
	private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** The same while jobs become available faster than that. */
	private static final long BUSY_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final Consumer<String> others;

	private final Map<String, BooleanSupplier> workers = new ConcurrentHashMap<>();

	private final Set<String> worked = ConcurrentHashMap.newKeySet();

	private final Set<String> waiting = ConcurrentHashMap.newKeySet();

	/** How often workers were wanted since other processes were told last. */
	private final AtomicInteger wanted = new AtomicInteger();

	private final Poller poller = new Poller("ojs-wake-ups", "Workers of other processes cannot be woken", this::tell);

	/**
	 * Creates it.
	 * @param others tells other processes that a queue has jobs; called on a thread of
	 * its own
	 */
	public WakeUps(Consumer<String> others) {
		this.others = others;
	}

	/** Starts to tell other processes. */
	public void start() {
		this.poller.start();
	}

	/**
	 * This process works a queue, even while it is paused.
	 * @param queue the OJS queue, whose jobs the store delivers
	 */
	public void works(String queue) {
		this.worked.add(queue);
	}

	/**
	 * Adds the worker of a queue in this process.
	 * @param queue the OJS queue
	 * @param worker wakes it, and says whether it has a free thread
	 */
	public void add(String queue, BooleanSupplier worker) {
		this.worked.add(queue);
		this.workers.put(queue, worker);
	}

	/**
	 * Removes the worker of a queue in this process.
	 * @param queue the OJS queue
	 * @param worker the worker that was added
	 */
	public void remove(String queue, BooleanSupplier worker) {
		this.workers.remove(queue, worker);
	}

	/**
	 * The queues that this process works.
	 * @return the OJS queues, those included that are paused
	 */
	public Set<String> queues() {
		return this.worked;
	}

	/**
	 * A queue has a job that became available just now. Waits for nothing.
	 * @param queue the OJS queue
	 */
	public void available(String queue) {
		if (!wake(queue)) {
			more(queue);
		}
	}

	/**
	 * A queue may have more jobs than this process can run. Waits for nothing.
	 * @param queue the OJS queue
	 */
	public void more(String queue) {
		this.wanted.incrementAndGet();
		if (this.waiting.add(queue)) {
			this.poller.wake();
		}
	}

	/**
	 * Another process has told of a queue.
	 * @param queue the OJS queue
	 * @return whether this process has a free thread for it
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
		// Removed first: what becomes available from now on is told again.
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

	/** Tells nothing more. */
	@Override
	public void close() {
		this.poller.close();
	}

}
