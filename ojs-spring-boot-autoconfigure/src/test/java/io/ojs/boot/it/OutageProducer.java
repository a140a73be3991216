package io.ojs.boot.it;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ojs.client.EnqueueException;
import io.ojs.client.OjsOperations;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs into a store, and knows of each what it was told: that it is accepted,
 * that it is not, or that nobody can say. What was not accepted is enqueued again as
 * another job, so that it shows if the first one runs all the same.
 */
final class OutageProducer {

	private static final int BATCH = 10;

	private static final Duration RETRY = Duration.ofMillis(50);

	private final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	private final OjsOperations ojs;

	private final FaultLedger ledger;

	private final long pauseNanos;

	private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

	/** Open unless it is to pause halfway. */
	private volatile CountDownLatch halfway = new CountDownLatch(0);

	private volatile boolean over;

	/**
	 * Creates it.
	 * @param ledger is told what is accepted
	 * @param pause how long each of two threads pauses for each job
	 */
	OutageProducer(OjsOperations ojs, FaultLedger ledger, Duration pause) {
		this.ojs = ojs;
		this.ledger = ledger;
		this.pauseNanos = pause.toNanos();
	}

	/** Half of them one by one and the other half in batches, at the same time. */
	List<Thread> enqueue(int from, int to) {
		int middle = (from + to) / 2;
		List<Thread> threads = List.of(new Thread(() -> inBatches(from, middle, 1), "producer"),
				new Thread(() -> inBatches(middle, to, BATCH), "batch-producer"));
		threads.forEach(Thread::start);
		return threads;
	}

	/**
	 * Has threads that begin from now on wait at half of their jobs for {@link #goOn}, so
	 * that there are some left then.
	 */
	void pauseHalfway() {
		this.halfway = new CountDownLatch(1);
	}

	void goOn() {
		this.halfway.countDown();
	}

	void end() {
		this.over = true;
		goOn();
	}

	List<Call> calls() {
		return List.copyOf(this.calls);
	}

	private void inBatches(int from, int to, int size) {
		for (int i = from; i < to; i += size) {
			if (i >= (from + to) / 2) {
				awaitGoOn();
			}
			int end = Math.min(i + size, to);
			while (!this.over && !enqueueOnce(i, end)) {
				LockSupport.parkNanos(RETRY.toNanos());
			}
			LockSupport.parkNanos(this.pauseNanos * size);
		}
	}

	private void awaitGoOn() {
		try {
			this.halfway.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns whether it was accepted. */
	private boolean enqueueOnce(int from, int to) {
		List<JobRequest> requests = IntStream.range(from, to)
			.mapToObj((i) -> JobRequest.of("fault.work", i).queue(FaultRun.QUEUE).id(this.ids.next()))
			.toList();
		List<String> jobs = requests.stream().map(JobRequest::id).toList();
		long began = System.nanoTime();
		@Nullable RuntimeException failure = null;
		try {
			if (requests.size() == 1) {
				this.ojs.enqueue(requests.get(0));
			}
			else {
				this.ojs.enqueueAll(requests);
			}
			jobs.forEach(this.ledger::confirmed);
		}
		catch (RuntimeException ex) {
			failure = ex;
		}
		this.calls.add(new Call(jobs, began, Duration.ofNanos(System.nanoTime() - began), failure));
		return failure == null;
	}

	/**
	 * Somebody enqueued something.
	 *
	 * @param jobs the ids of the jobs
	 * @param began when, as {@link System#nanoTime} says
	 * @param took how long the answer took
	 * @param failure what it was, if it was not accepted
	 */
	record Call(List<String> jobs, long began, Duration took, @Nullable RuntimeException failure) {

		boolean isRefused() {
			return this.failure instanceof EnqueueException refusal && !refusal.isOutcomeUnknown();
		}

		boolean isUnknown() {
			return this.failure != null && !isRefused();
		}

	}

}
