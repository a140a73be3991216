package io.ojs.store.relay;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.ojs.log.SafeLogger;
import io.ojs.store.StoreException;
import org.slf4j.Logger;

/**
 * Collects jobs that the broker has confirmed, to note many of them at once: an update
 * for each would cost as much as the insert. Most have begun before it is time to note
 * them, and need no update at all.
 */
public final class PublishedJobs implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(PublishedJobs.class);

	/** Beyond that, jobs are published twice rather than fill the memory. */
	private static final int CAPACITY = 200_000;

	private static final int BATCH = 500;

	/**
	 * Long enough for most jobs to be begun. A second update of a row costs about as much
	 * as its claim, and has the claim change indexes.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(6);

	/** It takes a second until somebody notes what it is time for. */
	static final Duration MARGIN = Duration.ofSeconds(2);

	private final RelayStore store;

	private final Clock clock;

	private final ReentrantLock lock = new ReentrantLock();

	/** Those that were confirmed first come first. */
	private final Deque<Confirmed> confirmed = new ArrayDeque<>();

	private final AtomicInteger size = new AtomicInteger();

	/**
	 * Creates it.
	 * @param store what to note them in
	 * @param clock tells the time
	 */
	public PublishedJobs(RelayStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	/**
	 * Remembers jobs for the next time. Waits for nobody.
	 * @param queue the queue that they were published to
	 * @param jobs jobs that the broker has confirmed, each with its
	 * {@link RelayedJob#until()}
	 */
	void add(String queue, Map<String, Instant> jobs) {
		if (this.size.get() < CAPACITY) {
			this.size.addAndGet(jobs.size());
			Instant now = this.clock.instant();
			addAll(jobs.entrySet()
				.stream()
				.map((job) -> new Confirmed(job.getKey(), queue, now, job.getValue()))
				.toList());
		}
	}

	private void addAll(List<Confirmed> jobs) {
		this.lock.lock();
		try {
			this.confirmed.addAll(jobs);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes what it is time for. If that is not enough, notes those that were confirmed
	 * first. What cannot be noted is kept for the next time.
	 * @throws StoreException if the database does not take it
	 */
	public void flush() {
		Instant now = this.clock.instant();
		note((job) -> !job.due().isAfter(now));
		// Not what comes meanwhile, or it would never end.
		note((job) -> this.size.get() > CAPACITY / 2 && !job.at.isAfter(now));
	}

	private void note(Predicate<Confirmed> wanted) {
		for (List<Confirmed> batch = next(wanted); !batch.isEmpty(); batch = next(wanted)) {
			note(batch);
		}
	}

	/** Others may take some at the same time: whoever closes does not wait for them. */
	private List<Confirmed> next(Predicate<Confirmed> wanted) {
		List<Confirmed> batch = new ArrayList<>(BATCH);
		this.lock.lock();
		try {
			List<Confirmed> before = new ArrayList<>();
			while (batch.size() < BATCH && !this.confirmed.isEmpty()) {
				Confirmed job = this.confirmed.remove();
				(wanted.test(job) ? batch : before).add(job);
			}
			for (int i = before.size() - 1; i >= 0; i--) {
				this.confirmed.addFirst(before.get(i));
			}
		}
		finally {
			this.lock.unlock();
		}
		return batch;
	}

	private void note(List<Confirmed> batch) {
		Map<String, List<Confirmed>> byQueue = batch.stream().collect(Collectors.groupingBy(Confirmed::queue));
		try {
			for (String queue : List.copyOf(byQueue.keySet())) {
				List<Confirmed> jobs = byQueue.getOrDefault(queue, List.of());
				// One that was deleted and enqueued again may be there twice.
				Map<String, Instant> untils = jobs.stream()
					.collect(Collectors.toMap(Confirmed::id, Confirmed::until, (one, other) -> other));
				this.store.published(queue, untils, this.clock.instant());
				byQueue.remove(queue);
				this.size.addAndGet(-jobs.size());
			}
		}
		finally {
			byQueue.values().forEach(this::addAll);
		}
	}

	/** Notes the last ones. */
	@Override
	public void close() {
		try {
			note((job) -> true);
		}
		catch (StoreException ex) {
			logger.info("Jobs that were published in the last moments will be published twice: {}", ex.getMessage());
		}
	}

	/**
	 * A job that the broker has confirmed.
	 *
	 * @param id the job
	 * @param queue the queue that it was published to
	 * @param at when it did so
	 * @param until when the relay takes it, unless it is noted by then
	 */
	private record Confirmed(String id, String queue, Instant at, Instant until) {

		/** When to note it. */
		Instant due() {
			Instant patience = this.at.plus(PATIENCE);
			Instant latest = this.until.minus(MARGIN);
			return latest.isBefore(patience) ? latest : patience;
		}

	}

}
