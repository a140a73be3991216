package io.ojs.boot.it;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;

/**
 * What the broker confirmed, and what ran. Every tenth job fails the first time, so that
 * retries are on their way as well when something breaks.
 */
final class FaultLedger {

	private final Set<String> confirmed = ConcurrentHashMap.newKeySet();

	private final Map<String, Integer> begun = new ConcurrentHashMap<>();

	private final Map<String, Integer> ran = new ConcurrentHashMap<>();

	private final AtomicInteger failed = new AtomicInteger();

	private volatile CountDownLatch hold = new CountDownLatch(0);

	@OjsJobHandler(value = "fault.work", queue = FaultRun.QUEUE)
	void work(int number, JobContext context) throws InterruptedException {
		this.begun.merge(context.job().id(), 1, Integer::sum);
		this.hold.await();
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		if (number % 10 == 0 && context.attempt() == 1) {
			this.failed.incrementAndGet();
			throw new IllegalStateException("every tenth fails once");
		}
		this.ran.merge(context.job().id(), 1, Integer::sum);
	}

	/** Lets no handler get any further. */
	void hold() {
		this.hold = new CountDownLatch(1);
	}

	void release() {
		this.hold.countDown();
	}

	void confirmed(String id) {
		this.confirmed.add(id);
	}

	int confirmed() {
		return this.confirmed.size();
	}

	Set<String> allConfirmed() {
		return Set.copyOf(this.confirmed);
	}

	int ran() {
		return this.ran.size();
	}

	/** How often a handler began with a job, whether or not it succeeded. */
	int begun(String id) {
		return this.begun.getOrDefault(id, 0);
	}

	/** How often a job ran to its end. */
	int ran(String id) {
		return this.ran.getOrDefault(id, 0);
	}

	/** Confirmed, and not seen by a handler. */
	Set<String> missing() {
		Set<String> missing = new TreeSet<>(this.confirmed);
		missing.removeAll(this.ran.keySet());
		return missing;
	}

	/** How often a job ran to its end that had done so before. */
	int duplicates() {
		return this.ran.values().stream().mapToInt((times) -> times - 1).sum();
	}

	int failed() {
		return this.failed.get();
	}

}
