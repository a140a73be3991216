package io.ojs.store.relay;

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

import io.ojs.log.SafeLogger;
import io.ojs.store.StoreThreads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Publishes jobs as soon as they are committed, on a thread of its own, so that whoever
 * enqueues waits for no broker. It may let go of any job at any time: the relay publishes
 * what is not known to have been published within its grace.
 */
public final class DirectPublisher implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(DirectPublisher.class);

	/** The part of the memory for what waits; what is more is left to the relay. */
	private static final int SHARE = 16;

	/** What a job takes beside its bytes, roughly. */
	static final int BYTES_PER_JOB = 1_000;

	private static final int BATCH = 500;

	/**
	 * How many jobs may wait for their confirm at once. What a broker has to do it does
	 * in turn, so more of them would be answered no sooner, and at last so late that
	 * nobody waits any more and the relay publishes them again.
	 */
	static final int WINDOW = 5 * BATCH;

	/**
	 * How long those wait that come right behind others, so that what is committed at the
	 * same time shares a write to the broker and a wait for its confirm.
	 */
	private static final Duration GATHERING = Duration.ofMillis(1);

	/** After that, some of those that wait for room may be left to the relay. */
	private static final long ROOM_MILLIS = 100;

	/**
	 * A job whose time is nearly over would be published twice: it takes time to be
	 * confirmed, and time to be noted. No more than half of what it has.
	 */
	private static final Duration MARGIN = PublishedJobs.MARGIN.plusSeconds(1);

	/** How long those that wait may still take at the end. */
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

	/** Whether its thread waits for the next job. */
	private volatile boolean idle;

	private volatile boolean stopped;

	/**
	 * When no job waits any longer for room, by the JVM's clock; said before it stops.
	 */
	private volatile long stopBy;

	/**
	 * Creates it.
	 * @param publisher gets jobs to the broker
	 * @param published is told of those that got there
	 * @param clock tells the time
	 */
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
	 * Starts to publish.
	 */
	public void start() {
		this.stopped = false;
		Thread started = new Thread(this::run, "ojs-publish");
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	/**
	 * Publishes a job, unless there are too many already. Waits for nobody.
	 * @param job the job
	 */
	void publish(RelayedJob job) {
		Duration half = Duration.between(this.clock.instant(), job.until()).dividedBy(2);
		Waiting added = new Waiting(job, job.until().minus((half.compareTo(MARGIN) < 0) ? half : MARGIN));
		if (!this.stopped && this.bytes.get() + added.bytes() <= this.capacity) {
			// Several at the same time may be a little too much.
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
				// By nobody who means it: it is stopped otherwise.
				logger.debug("Interrupted", ex);
			}
			catch (Throwable ex) {
				// Errors too: nobody else would publish at once.
				left(batch.size(), ex);
			}
			batch.clear();
		}
	}

	private void awaitNext() {
		this.idle = true;
		// publish and close end the wait, also if they came before it.
		if (this.waiting.isEmpty() && !this.stopped) {
			LockSupport.park(this);
		}
		this.idle = false;
		// No part of this library interrupts the thread, and one that stays interrupted
		// would not wait again.
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

	/** Whether a broker that does not answer would hold up the end. */
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
			// Errors too, or its room would be lost.
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static void left(int jobs, Throwable failure) {
		logger.warn("{} jobs are left to the relay, since they could not be published", jobs, failure);
	}

	/** How many jobs nobody has looked at yet. */
	int waiting() {
		return this.waiting.size();
	}

	/** Whether its thread runs. */
	boolean isWorking() {
		Thread started = this.thread;
		return started != null && started.isAlive();
	}

	/**
	 * Publishes what still waits, and ends; what finds no room in three seconds is left
	 * to the relay.
	 */
	@Override
	public void close() {
		this.stopBy = System.nanoTime() + STOP.toNanos();
		this.stopped = true;
		LockSupport.unpark(this.thread);
		StoreThreads.await(this.thread);
	}

	/**
	 * A job that waits to be published.
	 *
	 * @param job the job
	 * @param leaving when it is left to the relay, so that it is not published twice
	 */
	private record Waiting(RelayedJob job, Instant leaving) {

		long bytes() {
			return BYTES_PER_JOB + this.job.encoded().body().length;
		}

	}

}
