package io.ojs.queue.internal.lifecycle;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.event.internal.JobEvents;
import io.ojs.event.internal.Transition;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.JobState;
import io.ojs.queue.DeletionStrategy;
import io.ojs.queue.IllegalQueueStateException;
import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.QueueNotEmptyException;
import io.ojs.store.StoreException;
import io.ojs.store.internal.StoredTransitions;
import org.slf4j.Logger;

/**
 * Discards or moves the waiting jobs of a queue that is deleted.
 */
final class QueueDisposal {

	private static final Logger logger = SafeLogger.of(QueueDisposal.class);

	/** The number of jobs that are read at once. */
	private static final int PAGE = 500;

	private final QueueStore store;

	private final QueueJobs jobs;

	private final QueueRegistry registry;

	private final JobEvents jobEvents;

	QueueDisposal(QueueStore store, QueueJobs jobs, QueueRegistry registry, JobEvents jobEvents) {
		this.store = store;
		this.jobs = jobs;
		this.registry = registry;
		this.jobEvents = jobEvents;
	}

	/**
	 * Applies a strategy, in the transaction that changes the queue.
	 * @return the number of jobs that were discarded or moved
	 */
	long dispose(String name, DeletionStrategy strategy, Instant now, List<String> discarded) {
		if (strategy instanceof DeletionStrategy.Discard) {
			discarded.addAll(this.jobs.discardWaiting(name, now));
			return discarded.size();
		}
		if (strategy instanceof DeletionStrategy.Move move) {
			return move(name, move.target(), now);
		}
		long unfinished = this.jobs.unfinished(name);
		if (unfinished > 0) {
			throw new QueueNotEmptyException(name, unfinished);
		}
		return 0;
	}

	private long move(String name, String target, Instant now) {
		if (target.equals(name)) {
			throw new InvalidQueueConfigException("target_queue", target, "must be another queue");
		}
		Optional<StoredQueue> other = this.store.find(target);
		if (other.isPresent() && !other.get().state().acceptsJobs()) {
			throw new IllegalQueueStateException(target, other.get().state(), "takes no jobs of other queues");
		}
		this.registry.notice(target);
		return this.jobs.moveWaiting(name, target, now);
	}

	/**
	 * Notifies listeners after the commit. Reads jobs in pages, since all of them may not
	 * fit into the memory.
	 */
	void tell(String name, List<String> discarded) {
		try {
			for (int from = 0; from < discarded.size(); from += PAGE) {
				this.jobs.find(discarded.subList(from, Math.min(from + PAGE, discarded.size())))
					.stream()
					// An operator may have replayed the job meanwhile.
					.filter((job) -> job.job().state() == JobState.DISCARDED)
					.forEach((job) -> this.jobEvents.publish(StoredTransitions.of(job, Transition.DROP)));
			}
		}
		catch (StoreException ex) {
			// The deletion goes on, and the feed has all events.
			logger.warn("Listeners are not told of all {} jobs that were discarded with queue '{}'", discarded.size(),
					name, ex);
		}
	}

}
