package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what the store has and the broker has not: jobs that are due, jobs of ordered
 * queues, and whatever was not published right after its commit. Any number of them can
 * run at the same time, on as many instances; each takes other jobs.
 */
public final class Relay implements AutoCloseable {

	/** Default of how many jobs are taken at once. */
	public static final int DEFAULT_BATCH_SIZE = 500;

	/** Default of how long it sleeps at most. */
	public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

	/** How long others leave jobs alone that this one has taken. */
	static final Duration HOLD = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(Relay.class);

	/** Shorter sleeps than that would be spinning. */
	private static final Duration LEAST_SLEEP = Duration.ofMillis(20);

	private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(30);

	private final RelayStore store;

	private final JobPublisher publisher;

	private final Clock clock;

	private final int batchSize;

	private final Duration pollInterval;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Outage storeAway = new Outage("The relay cannot reach the job store");

	/** How often in a row jobs of a queue were not taken by the broker. */
	private final Map<String, Refusals> refusals = new HashMap<>();

	private boolean woken;

	private volatile @Nullable Thread thread;

	private volatile boolean stopped;

	/**
	 * Creates a relay.
	 * @param store knows what is to be published
	 * @param publisher publishes it
	 * @param clock tells the time
	 * @param batchSize how many jobs are taken at once
	 * @param pollInterval how long it sleeps at most
	 */
	public Relay(RelayStore store, JobPublisher publisher, Clock clock, int batchSize, Duration pollInterval) {
		this.store = store;
		this.publisher = publisher;
		this.clock = clock;
		this.batchSize = batchSize;
		this.pollInterval = pollInterval;
	}

	/**
	 * Starts to publish.
	 */
	public void start() {
		this.stopped = false;
		Thread started = new Thread(this::run, "ojs-relay");
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	/**
	 * Has it look at once: there is something to publish. Waits for nobody.
	 */
	public void wake() {
		this.lock.lock();
		try {
			this.woken = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void run() {
		while (!this.stopped) {
			Duration pause;
			boolean wakeable = true;
			try {
				pause = relay();
				this.storeAway.over();
			}
			catch (Throwable ex) {
				// Errors too: nobody else would publish.
				pause = this.storeAway.pause(ex);
				wakeable = false;
			}
			try {
				sleep(pause, wakeable);
			}
			catch (InterruptedException ex) {
				// By nobody who means it: it is stopped otherwise.
				logger.debug("Interrupted", ex);
			}
		}
	}

	/** Publishes all that there is, and tells how long there is nothing more to do. */
	private Duration relay() {
		if (!this.publisher.isReady()) {
			return jittered(this.pollInterval);
		}
		boolean more = true;
		while (more && !this.stopped) {
			more = relay(this.store.takeOrdered(now(), now().plus(HOLD), this.batchSize));
			more |= relay(this.store.take(now(), now().plus(HOLD), this.batchSize));
		}
		if (!this.publisher.isReady()) {
			return jittered(this.pollInterval);
		}
		Duration untilNext = this.store.nextAt().map((next) -> Duration.between(now(), next)).orElse(this.pollInterval);
		// What is due and was not given to this relay is with another one.
		return (untilNext.compareTo(LEAST_SLEEP) < 0) ? jittered(LEAST_SLEEP.multipliedBy(5))
				: min(untilNext, this.pollInterval);
	}

	/** Whether there may be more to publish right now. */
	private boolean relay(List<RelayedJob> jobs) {
		if (jobs.isEmpty()) {
			return false;
		}
		Map<Instant, List<String>> later = new HashMap<>();
		List<RelayedJob> wanted = new ArrayList<>(jobs.size());
		for (RelayedJob job : jobs) {
			Refusals ofQueue = this.refusals.get(job.queue());
			if (ofQueue != null && ofQueue.until().isAfter(now())) {
				later.computeIfAbsent(ofQueue.until(), (key) -> new ArrayList<>()).add(job.id());
			}
			else {
				wanted.add(job);
			}
		}
		Set<String> confirmed = wanted.isEmpty() ? Set.of() : this.publisher.publish(wanted).join();
		if (!confirmed.isEmpty()) {
			this.store.published(confirmed, now());
		}
		wanted.stream()
			.filter((job) -> confirmed.contains(job.id()))
			.map(RelayedJob::queue)
			.forEach(this.refusals::remove);
		wanted.stream()
			.filter((job) -> !confirmed.contains(job.id()))
			.forEach((job) -> later.computeIfAbsent(refused(job), (key) -> new ArrayList<>()).add(job.id()));
		later.forEach((at, ids) -> this.store.giveBack(ids, at));
		return this.publisher.isReady();
	}

	/** When to try again with a job, and all others of its queue. */
	private Instant refused(RelayedJob job) {
		Instant now = now();
		Refusals before = this.refusals.get(job.queue());
		if (before != null && before.until().isAfter(now)) {
			return before.until();
		}
		int times = (before != null) ? before.times() + 1 : 1;
		Duration pause = jittered(min(Duration.ofSeconds(1L << Math.min(times - 1, 5)), LONGEST_BACKOFF));
		Refusals refusals = new Refusals(times, now.plus(pause));
		this.refusals.put(job.queue(), refusals);
		if (times == 1) {
			logger.warn(
					"The broker did not take job {} of queue '{}', and perhaps others; it is tried again until it does",
					job.id(), job.queue());
		}
		return refusals.until();
	}

	private Instant now() {
		return this.clock.instant();
	}

	private void sleep(Duration time, boolean wakeable) throws InterruptedException {
		this.lock.lock();
		try {
			long left = time.toNanos();
			while (!(this.woken && wakeable) && !this.stopped && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			this.woken = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	static Duration jittered(Duration time) {
		return Duration.ofNanos((long) (time.toNanos() * ThreadLocalRandom.current().nextDouble(0.75, 1.25)));
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/** Ends after what it is publishing. */
	@Override
	public void close() {
		this.stopped = true;
		wake();
		StoreThreads.await(this.thread);
	}

	/**
	 * A queue whose jobs the broker does not take.
	 *
	 * @param times how often in a row
	 * @param until until when nobody asks it again
	 */
	private record Refusals(int times, Instant until) {
	}

}
