package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.ojs.amqp.internal.run.Interruption;
import io.ojs.amqp.internal.run.JobRun;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.internal.fetch.FetchedRun;
import io.ojs.internal.fetch.FetchedRuns;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.Poller;
import io.ojs.store.internal.attempt.Attempts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Works a queue whose jobs the job store delivers. One thread fetches jobs, when it is
 * woken and every second, and others run them. It fetches in advance what its threads run
 * in about a second, within the prefetch of the queue.
 */
final class StoreConsumers implements QueueConsumers {

	/** The time between fetches without a wake-up. */
	static final Duration POLL = Duration.ofSeconds(1);

	private static final Logger logger = SafeLogger.of(StoreConsumers.class);

	/** The longest pause between fetches, so that one fetch takes several jobs. */
	private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** How long a fetched job waits for a thread before it is given back. */
	private static final long LONGEST_WAIT_NANOS = 5 * AHEAD_NANOS;

	private static final FetchedRuns NOTHING = new FetchedRuns(List.of(), false);

	/** The time until the next fetch if other transactions have locked all jobs. */
	private static final Duration AGAIN = Duration.ofMillis(50);

	/** About how many jobs the moving mean of their duration covers. */
	private static final int MEAN_OF = 16;

	private final String queue;

	private final int prefetch;

	private final JobRuntime runtime;

	private final Attempts attempts;

	private final StoreWork work;

	private final DeliveryProcessor<FetchedDelivery> processor;

	private final PendingOutcomes left;

	private final BooleanSupplier cutOff;

	private final Poller fetcher;

	private final ThreadPoolExecutor threads;

	/** Fetched jobs that have not ended. */
	private final AtomicInteger held = new AtomicInteger();

	/** Fetches without an answer; used by the fetching thread and by a stop. */
	private final List<Unanswered> unanswered = new CopyOnWriteArrayList<>();

	private final BooleanSupplier waker = this::wake;

	private volatile int concurrency;

	/** Whether the queue may have jobs that were not fetched. */
	private volatile boolean more = true;

	/** The mean duration of a job in nanoseconds; 0 before the first one has ended. */
	private volatile long meanNanos;

	/** Whether the next job cannot be fetched in advance. */
	private volatile boolean onlyAtOnce;

	private volatile boolean active;

	/**
	 * The time of the last fetch as the store knows it; used by the fetching thread
	 * alone.
	 */
	private Instant askedAt = Instant.MIN;

	/** By the JVM's clock; used by the fetching thread alone. */
	private long restUntil = System.nanoTime();

	/**
	 * Creates the consumers.
	 * @param cutOff whether the worker no longer waits for the database
	 */
	StoreConsumers(QueueSettings settings, int concurrency, JobRuntime runtime, StoreWork work, BooleanSupplier cutOff,
			Function<PendingOutcomes, DeliveryProcessor<FetchedDelivery>> processor) {
		this.queue = settings.name();
		this.concurrency = concurrency;
		this.prefetch = settings.prefetch();
		this.runtime = runtime;
		this.attempts = Objects.requireNonNull(runtime.supervision().attempts());
		this.work = work;
		this.cutOff = cutOff;
		this.left = new PendingOutcomes(concurrency, () -> this.active);
		this.processor = processor.apply(this.left);
		this.fetcher = new Poller("ojs-fetch-" + this.queue, "Jobs of queue '" + this.queue + "' cannot be fetched",
				this::fetch, POLL);
		this.threads = new ThreadPoolExecutor(concurrency, concurrency, 1, TimeUnit.MINUTES,
				new LinkedBlockingQueue<>(), work.threads().apply(this.queue));
		this.threads.allowCoreThreadTimeOut(true);
	}

	@Override
	public void start(@Nullable Duration patience) {
		this.active = true;
		this.fetcher.start();
		this.work.wakeUps().add(this.queue, this.waker);
	}

	@Override
	public void concurrency(int consumers) {
		this.concurrency = consumers;
		if (consumers > this.threads.getMaximumPoolSize()) {
			this.threads.setMaximumPoolSize(consumers);
			this.threads.setCorePoolSize(consumers);
		}
		else {
			this.threads.setCorePoolSize(consumers);
			this.threads.setMaximumPoolSize(consumers);
		}
		wake();
	}

	@Override
	public int active() {
		return isRunning() ? this.concurrency : Math.min(this.concurrency, this.held.get());
	}

	@Override
	public boolean isRunning() {
		return this.active;
	}

	@Override
	public List<String> amqpQueues() {
		return List.of();
	}

	/** Returns whether a thread is free. */
	private boolean wake() {
		// Set first: a job that ends counts first and then reads this.
		this.more = true;
		int busy = this.held.get();
		if (hasRoom(busy)) {
			this.fetcher.wake();
		}
		return busy < this.concurrency;
	}

	/** Whether a thread is free, or the fetching thread is to fetch in advance. */
	private boolean hasRoom(int busy) {
		return busy < this.concurrency || (!this.onlyAtOnce && busy <= capacity() / 2);
	}

	/** How many jobs these consumers may hold, the running ones included. */
	private int capacity() {
		long mean = this.meanNanos;
		long inTime = (mean > 0) ? this.concurrency * AHEAD_NANOS / mean : 0;
		return this.concurrency + (int) Math.min(this.concurrency * (this.prefetch - 1L), inTime);
	}

	/** Runs on the fetching thread. Returns how long to pause without a wake-up. */
	private Duration fetch() {
		giveBackUnanswered();
		giveBackWaiting();
		boolean again = true;
		while (again) {
			int busy = this.held.get();
			FetchedRuns fetched = (this.active && hasRoom(busy)) ? fetch(busy) : NOTHING;
			if (fetched.more() && fetched.runs().isEmpty()) {
				return AGAIN;
			}
			again = fetched.more();
		}
		return POLL;
	}

	private FetchedRuns fetch(int busy) {
		rest();
		this.more = false;
		// Other threads may have found meanwhile that jobs take longer.
		int most = Math.max(1, Math.min(ProcessFetch.MOST, capacity() - busy));
		int now = Math.min(most, Math.max(0, this.concurrency - busy));
		long began = System.nanoTime();
		FetchedRuns fetched = fetch(new ProcessFetch(this.queue, now, most, this.attempts.leases().process(),
				this.attempts.leases().length(this.queue), this.runtime.handlers().handled()));
		long took = System.nanoTime() - began;
		boolean several = fetched.runs().size() > 1;
		this.restUntil = began + (several ? PACE_NANOS : Math.min(2 * took, PACE_NANOS));
		submit(fetched.runs());
		// The next job has to begin at once, and cannot be fetched in advance.
		this.onlyAtOnce = fetched.more() && fetched.runs().size() < most;
		if (fetched.more()) {
			this.more = true;
			if (now == 0 || !fetched.runs().isEmpty()) {
				// Other processes may run jobs that this one cannot. They cannot fetch
				// locked jobs either.
				this.work.wakeUps().more(this.queue);
			}
		}
		return fetched;
	}

	/**
	 * Pauses before a fetch. If the last one found several jobs, the next will too, and
	 * each fetch costs the same. Jobs that come one by one hardly wait.
	 */
	private void rest() {
		long left = this.restUntil - System.nanoTime();
		if (left > 0 && this.threads.getQueue().isEmpty()) {
			LockSupport.parkNanos(left);
		}
	}

	private FetchedRuns fetch(ProcessFetch request) {
		// No two fetches have the same time, since it identifies the jobs that a fetch
		// took.
		Instant now = this.attempts.now();
		now = now.isAfter(this.askedAt) ? now : this.askedAt.plus(1, ChronoUnit.MICROS);
		this.askedAt = now;
		try {
			return this.work.fetches().fetch(request, now);
		}
		catch (StoreUnavailableException ex) {
			if (ex.isOutcomeUnknown()) {
				this.unanswered.add(new Unanswered(request, now));
			}
			throw ex;
		}
	}

	/**
	 * Repeats this until their leases end: the database may commit a fetch that it did
	 * not answer.
	 */
	private void giveBackUnanswered() {
		for (Unanswered fetch : this.unanswered) {
			Instant now = this.attempts.now();
			int jobs = this.work.fetches().giveBack(fetch.request(), fetch.at(), now);
			if (jobs > 0) {
				logger.info("{} jobs of queue '{}' are given back: the store did not answer when they were fetched",
						jobs, this.queue);
			}
			if (fetch.at().plus(fetch.request().lease()).isBefore(now)) {
				this.unanswered.remove(fetch);
			}
		}
	}

	/**
	 * Gives jobs back if they take longer than before, since other processes may have a
	 * free thread.
	 */
	private void giveBackWaiting() {
		Work first = (Work) this.threads.getQueue().peek();
		if (first != null && System.nanoTime() - first.fetched > LONGEST_WAIT_NANOS) {
			// So long that no jobs are fetched in advance.
			this.meanNanos = Math.max(this.meanNanos, 2L * this.concurrency * AHEAD_NANOS);
			giveBack(this.cutOff);
		}
	}

	private void submit(List<FetchedRun> runs) {
		if (!this.active) {
			// Stopped or paused meanwhile. Other consumers may work the queue already.
			this.attempts.giveBack(runs.stream().map(FetchedRun::lease).toList(), this.cutOff);
			return;
		}
		for (int i = 0; i < runs.size(); i++) {
			try {
				submit(runs.get(i));
			}
			catch (Throwable ex) {
				// For example, no memory for a thread. Other processes may have some.
				this.attempts.giveBack(runs.subList(i, runs.size()).stream().map(FetchedRun::lease).toList(),
						this.cutOff);
				throw ex;
			}
		}
	}

	private void submit(FetchedRun fetched) {
		JobRun run = JobRun.of(fetched.job(), fetched.lease(), fetched.limited(), false, this.runtime);
		this.runtime.supervision().running().fetched(run);
		this.attempts.leases().hold(fetched.lease(), this.attempts.leases().length(this.queue), run);
		this.held.incrementAndGet();
		try {
			this.threads.execute(new Work(new FetchedDelivery(this.queue, run, fetched.job().headers())));
		}
		catch (Throwable ex) {
			this.held.decrementAndGet();
			this.runtime.supervision().running().ended(run);
			throw ex;
		}
	}

	private void ended(long nanos) {
		long mean = this.meanNanos;
		this.meanNanos = Math.max(1, (mean > 0) ? mean + (nanos - mean) / MEAN_OF : nanos);
		int busy = this.held.decrementAndGet();
		if (this.more && hasRoom(busy)) {
			this.fetcher.wake();
		}
	}

	@Override
	public void stop(Duration patience, Runnable ended) {
		long until = System.nanoTime() + patience.toNanos();
		this.active = false;
		this.work.wakeUps().remove(this.queue, this.waker);
		Threads.daemon(() -> {
			try {
				end(until);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			finally {
				this.threads.shutdown();
				ended.run();
			}
		}, "ojs-stop-" + this.queue).start();
	}

	private void end(long until) throws InterruptedException {
		this.fetcher.close();
		try {
			giveBack(() -> this.cutOff.getAsBoolean() || System.nanoTime() - until >= 0);
			giveBackUnanswered();
		}
		catch (StoreException ex) {
			logger.warn(
					"Fetched jobs of queue '{}' could not be given back, and are available when their leases are over",
					this.queue, ex);
		}
		this.threads.shutdown();
		if (!this.threads.awaitTermination(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
			logger.warn("Jobs of queue '{}' still run, although their time is over", this.queue);
		}
		this.left.await();
	}

	/**
	 * Gives back jobs that have not begun. They are available again, and their attempts
	 * do not count.
	 */
	private void giveBack(BooleanSupplier hopeless) {
		List<Runnable> waiting = new ArrayList<>();
		this.threads.getQueue().drainTo(waiting);
		List<FetchedDelivery> deliveries = new ArrayList<>();
		for (Runnable each : waiting) {
			FetchedDelivery delivery = ((Work) each).delivery();
			if (delivery.run().interruption() == Interruption.CANCELLED) {
				// Its handler is not called, but the outcome is recorded and listeners
				// are told.
				this.processor.process(delivery);
				this.runtime.supervision().running().ended(delivery.run());
				this.held.decrementAndGet();
			}
			else {
				deliveries.add(delivery);
			}
		}
		try {
			this.attempts.giveBack(deliveries.stream().map(FetchedDelivery::lease).toList(), hopeless);
		}
		finally {
			deliveries.forEach((each) -> this.runtime.supervision().running().ended(each.run()));
			this.held.addAndGet(-deliveries.size());
		}
	}

	/**
	 * A fetch without an answer, which may have taken jobs.
	 *
	 */
	private record Unanswered(ProcessFetch request, Instant at) {
	}

	/** A fetched job that waits for a thread or runs. */
	private final class Work implements Runnable {

		private final FetchedDelivery delivery;

		private final long fetched = System.nanoTime();

		private Work(FetchedDelivery delivery) {
			this.delivery = delivery;
		}

		FetchedDelivery delivery() {
			return this.delivery;
		}

		@Override
		public void run() {
			long began = System.nanoTime();
			try {
				StoreConsumers.this.processor.process(this.delivery);
			}
			finally {
				StoreConsumers.this.runtime.supervision().running().ended(this.delivery.run());
				ended(System.nanoTime() - began);
			}
		}

	}

}
