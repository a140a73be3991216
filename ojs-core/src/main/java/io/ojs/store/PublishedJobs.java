package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects jobs that the broker has confirmed, to note many of them at once: an update
 * for each would cost as much as the insert. Most have begun before it is time to note
 * them, and need no update at all.
 */
public final class PublishedJobs implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(PublishedJobs.class);

	/** Beyond that, jobs are published twice rather than fill the memory. */
	private static final int CAPACITY = 100_000;

	private static final int BATCH = 500;

	/** Long enough to be begun, and short beside the grace of the relay. */
	static final Duration PATIENCE = Duration.ofSeconds(3);

	private final RelayStore store;

	private final Clock clock;

	private final Queue<Confirmed> confirmed = new ConcurrentLinkedQueue<>();

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
	 * @param jobIds jobs that the broker has confirmed
	 */
	void add(String queue, Collection<String> jobIds) {
		if (this.size.get() < CAPACITY) {
			this.size.addAndGet(jobIds.size());
			Instant at = this.clock.instant();
			jobIds.forEach((id) -> this.confirmed.add(new Confirmed(id, queue, at)));
		}
	}

	/**
	 * Notes what has come together and has waited for a while, or all if that is much.
	 * What cannot be noted is kept for the next time.
	 * @throws StoreException if the database does not take it
	 */
	public void flush() {
		boolean much = this.size.get() > CAPACITY / 2;
		flush(much ? Instant.MAX : this.clock.instant().minus(PATIENCE));
	}

	private void flush(Instant before) {
		for (List<Confirmed> batch = next(before); !batch.isEmpty(); batch = next(before)) {
			note(batch);
		}
	}

	/** Others may take some at the same time: whoever closes does not wait for them. */
	private List<Confirmed> next(Instant before) {
		List<Confirmed> batch = new ArrayList<>(BATCH);
		while (batch.size() < BATCH) {
			Confirmed job = this.confirmed.peek();
			if (job == null || job.at.isAfter(before)) {
				break;
			}
			// Another may have been faster, and this is the one behind it.
			Confirmed taken = this.confirmed.poll();
			if (taken != null) {
				batch.add(taken);
			}
		}
		return batch;
	}

	private void note(List<Confirmed> batch) {
		Map<String, List<Confirmed>> byQueue = batch.stream().collect(Collectors.groupingBy(Confirmed::queue));
		try {
			for (String queue : List.copyOf(byQueue.keySet())) {
				List<String> ids = byQueue.get(queue).stream().map(Confirmed::id).toList();
				this.store.published(queue, ids, this.clock.instant());
				byQueue.remove(queue);
				this.size.addAndGet(-ids.size());
			}
		}
		finally {
			byQueue.values().forEach(this.confirmed::addAll);
		}
	}

	/** Notes the last ones. */
	@Override
	public void close() {
		try {
			flush(Instant.MAX);
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
	 */
	private record Confirmed(String id, String queue, Instant at) {
	}

}
