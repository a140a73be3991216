package io.ojs.store.internal.relay;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Publishes jobs as soon as they are committed, on its own thread, so that the thread
 * that enqueues does not wait for the broker. It may drop any job: the relay publishes a
 * job that is not noted as published within its grace.
 */
public final class DirectPublisher implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(DirectPublisher.class);

	/**
	 * The fraction of the memory that waiting jobs may use; the relay publishes further
	 * ones.
	 */
	private static final int SHARE = 16;

	/** The approximate memory of a job beside its bytes. */
	static final int BYTES_PER_JOB = 1_000;

	private static final int BATCH = 500;

	/**
	 * The largest number of jobs that wait for a confirm. The broker works in turn, so
	 * with more of them confirms would not come sooner, and at last so late that the
	 * relay publishes the jobs again.
	 */
	static final int WINDOW = 5 * BATCH;

	/**
	 * How long to wait for further jobs after a batch, so that jobs committed at the same
	 * time share a write to the broker and a wait for its confirm.
	 */
	private static final Duration GATHERING = Duration.ofMillis(1);

	/**
	 * How long to wait for room before jobs whose time is nearly over are left to the
	 * relay.
	 */
	private static final long ROOM_MILLIS = 100;

	/**
	 * How long before its relay time a job is left to the relay, because confirm and note
	 * take time and it would be published twice. At most half of the remaining time.
	 */
	private static final Duration MARGIN = PublishedJobs.MARGIN.plusSeconds(1);

	/** How long waiting jobs may still take after a stop. */
	private static final Duration STOP = Duration.ofSeconds(3);

	private final JobPublisher publisher;

	private final PublishedJobs published;

	private final Clock clock;

	private final long capacity;

	private final long gatheringNanos;

	private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();

	private final AtomicLong bytes = new AtomicLong();

	private final Semaphore room = new Semaphore(WINDOW);

	private volatile @Nullable Thread thread;

	/** Whether the thread waits for the next job. */
	private volatile boolean idle;

	private volatile boolean stopped;

	/**
	 * When to stop waiting for room, by {@link System#nanoTime()}; set before
	 * {@code stopped}.
	 */
	private volatile long stopBy;

	public DirectPublisher(JobPublisher publisher, PublishedJobs published, Clock clock) {
		this(publisher, published, clock, Runtime.getRuntime().maxMemory() / SHARE, GATHERING);
	}

	DirectPublisher(JobPublisher publisher, PublishedJobs published, Clock clock, long capacity, Duration gathering) {
		this.capacity = capacity;
		this.gatheringNanos = gathering.toNanos();
		this.publisher = publisher;
		this.published = published;
		this.clock = clock;
	}

	/**
	 * Starts the thread.
	 */
	public void start() {
		this.stopped = false;
		Thread started = Threads.daemon(this::run, "ojs-publish");
		this.thread = started;
		started.start();
	}

	/** Publishes a job, unless too many wait already. Does not wait. */
	void publish(RelayedJob job) {
		Duration half = Duration.between(this.clock.instant(), job.until()).dividedBy(2);
		Waiting added = new Waiting(job, job.until().minus((half.compareTo(MARGIN) < 0) ? half : MARGIN));
		if (!this.stopped && this.bytes.get() + added.bytes() <= this.capacity) {
			// Threads that add jobs at the same time may exceed the capacity a little.
			this.bytes.addAndGet(added.bytes());
			this.waiting.add(added);
			if (this.idle || this.waiting.size() == BATCH) {
				LockSupport.unpark(this.thread);
			}
		}
	}

	private void run() {
		List<Waiting> batch = new ArrayList<>(BATCH);
		long gathered = System.nanoTime();
		while (!this.stopped || !this.waiting.isEmpty()) {
			try {
				if (this.waiting.isEmpty()) {
					awaitNext();
				}
				else if (this.waiting.size() < BATCH && !this.stopped && gathered - System.nanoTime() > 0) {
					LockSupport.parkNanos(this, gathered - System.nanoTime());
					Thread.interrupted();
				}
				else {
					this.waiting.drainTo(batch, BATCH);
					batch.forEach((each) -> this.bytes.addAndGet(-each.bytes()));
					publish(batch);
					gathered = System.nanoTime() + this.gatheringNanos;
				}
			}
			catch (InterruptedException ex) {
				// No code of this library interrupts the thread; close() sets the flag.
				logger.debug("Interrupted", ex);
			}
			catch (Throwable ex) {
				// Errors too: the thread must go on.
				left(batch.size(), ex);
			}
			batch.clear();
		}
	}

	private void awaitNext() {
		this.idle = true;
		// publish() and close() end the wait, even if they were called before it.
		if (this.waiting.isEmpty() && !this.stopped) {
			LockSupport.park(this);
		}
		this.idle = false;
		// A thread that stays interrupted would not park again. No code of this library
		// interrupts it.
		Thread.interrupted();
	}

	private void publish(List<Waiting> batch) throws InterruptedException {
		List<Waiting> wanted = beforeTheRelay(batch);
		while (!wanted.isEmpty() && !this.room.tryAcquire(wanted.size(), ROOM_MILLIS, TimeUnit.MILLISECONDS)) {
			wanted = isOver() ? List.of() : beforeTheRelay(wanted);
		}
		if (!wanted.isEmpty()) {
			publishNow(wanted);
		}
	}

	private List<Waiting> beforeTheRelay(List<Waiting> batch) {
		Instant now = this.clock.instant();
		return batch.stream().filter((each) -> each.leaving().isAfter(now)).toList();
	}

	/** Whether the stop has waited long enough for a broker that does not answer. */
	private boolean isOver() {
		return this.stopped && System.nanoTime() - this.stopBy >= 0;
	}

	private void publishNow(List<Waiting> wanted) {
		List<RelayedJob> jobs = wanted.stream().map(Waiting::job).toList();
		send(jobs).whenComplete((report, failure) -> {
			this.room.release(jobs.size());
			if (failure != null) {
				left(jobs.size(), failure);
			}
			else {
				report.confirmedByQueue(jobs).forEach(this.published::add);
			}
		});
	}

	private CompletableFuture<PublishReport> send(List<RelayedJob> jobs) {
		try {
			return this.publisher.isReady() ? this.publisher.publish(jobs)
					: CompletableFuture.completedFuture(PublishReport.NOTHING);
		}
		catch (Throwable ex) {
			// Errors too, or the permits would not be released.
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static void left(int jobs, Throwable failure) {
		logger.warn("{} jobs are left to the relay, since they could not be published", jobs, failure);
	}

	/** The number of jobs that wait in the buffer. */
	int waiting() {
		return this.waiting.size();
	}

	boolean isWorking() {
		Thread started = this.thread;
		return started != null && started.isAlive();
	}

	/**
	 * Publishes the waiting jobs and stops; the relay publishes jobs that find no room
	 * within three seconds.
	 */
	@Override
	public void close() {
		this.stopBy = System.nanoTime() + STOP.toNanos();
		this.stopped = true;
		LockSupport.unpark(this.thread);
		Threads.awaitEnd(this.thread);
	}

	/**
	 * A job that waits to be published.
	 *
	 * @param leaving when the job is left to the relay, so that it is not published twice
	 */
	private record Waiting(RelayedJob job, Instant leaving) {

		long bytes() {
			return BYTES_PER_JOB + this.job.encoded().body().length;
		}

	}

}
