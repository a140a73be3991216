package io.ojs.store.internal.relay;

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

import io.ojs.internal.log.SafeLogger;
import io.ojs.store.StoreException;
import org.slf4j.Logger;

/**
 * Collects jobs that the broker has confirmed, and notes many of them in the store at
 * once: an update for each would cost as much as the insert. Most jobs begin before they
 * are due to be noted, and need no update at all.
 */
public final class PublishedJobs implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(PublishedJobs.class);

	/**
	 * The largest number of collected jobs. Further ones are not noted, so the relay
	 * publishes them again.
	 */
	private static final int CAPACITY = 200_000;

	private static final int BATCH = 500;

	/**
	 * How long to wait before a job is noted: long enough for most jobs to begin. A
	 * second update of a row costs about as much as its claim, and makes the claim change
	 * indexes.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(6);

	/**
	 * How long before its relay time a job is noted at the latest. {@link #flush} runs
	 * every second.
	 */
	static final Duration MARGIN = Duration.ofSeconds(2);

	private final RelayStore store;

	private final Clock clock;

	private final ReentrantLock lock = new ReentrantLock();

	/** In the order of their confirms. */
	private final Deque<Confirmed> confirmed = new ArrayDeque<>();

	private final AtomicInteger size = new AtomicInteger();

	public PublishedJobs(RelayStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	/**
	 * Collects jobs, to be noted later. Does not wait for the store.
	 * @param queue the queue that the jobs were published to
	 * @param jobs the ids of jobs that the broker has confirmed, each with its
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
	 * Notes the jobs that are due to be noted. If more than half of the capacity is still
	 * used, notes the oldest ones too. Keeps jobs that cannot be noted for the next call.
	 * @throws StoreException if the database fails
	 */
	public void flush() {
		Instant now = this.clock.instant();
		note((job) -> !job.due().isAfter(now));
		// Only jobs confirmed so far, or the loop might not end.
		note((job) -> this.size.get() > CAPACITY / 2 && !job.at.isAfter(now));
	}

	private void note(Predicate<Confirmed> wanted) {
		for (List<Confirmed> batch = next(wanted); !batch.isEmpty(); batch = next(wanted)) {
			note(batch);
		}
	}

	/**
	 * Removes the next batch, which other threads do not see then: close() may run at the
	 * same time as flush().
	 */
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
				// A job that was deleted and enqueued again may be in the batch twice.
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

	/** Notes all collected jobs. */
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
	 * @param queue the queue that the job was published to
	 * @param until when the relay publishes the job again, unless it is noted by then
	 */
	private record Confirmed(String id, String queue, Instant at, Instant until) {

		/** The time at which to note the job. */
		Instant due() {
			Instant patience = this.at.plus(PATIENCE);
			Instant latest = this.until.minus(MARGIN);
			return latest.isBefore(patience) ? latest : patience;
		}

	}

}
