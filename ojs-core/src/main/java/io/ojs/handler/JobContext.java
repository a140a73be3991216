package io.ojs.handler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a job, for its handler and its middleware.
 */
public interface JobContext {

	/**
	 * The job.
	 * @return the job as it was enqueued, or as {@linkplain JobUpcaster upcasters}
	 * converted it
	 */
	Job job();

	/**
	 * The number of this attempt.
	 * @return 1 for the first
	 */
	int attempt();

	/**
	 * How often the job may be executed in all.
	 * @return 1 or more
	 */
	int maxAttempts();

	/**
	 * Whether a failure of this attempt would be final.
	 * @return {@code true} on the last attempt
	 */
	default boolean isLastAttempt() {
		return attempt() >= maxAttempts();
	}

	/**
	 * The results of the preceding jobs in the workflow (OJS Workflows §7.1): the steps
	 * of a chain in their order, or, for callbacks of a batch, all of its jobs. The
	 * result of a group or a batch is the list of the results of its jobs.
	 * @return JSON values, {@code null} for a job that returned nothing or failed; empty
	 * outside a workflow, and for its first jobs
	 */
	default List<@Nullable Object> parentResults() {
		return (job().extensions().get("parent_results") instanceof List<?> results)
				? Collections.unmodifiableList(new ArrayList<@Nullable Object>(results)) : List.of();
	}

	/**
	 * Whether the handler should end: the job was cancelled, the attempt has reached its
	 * timeout, another worker has the job by now, or the application stops and its grace
	 * period is over. The handler's thread was interrupted for the same reason. Handlers
	 * that neither block nor check for interrupts should call this method now and then.
	 * @return whether to end
	 */
	boolean isCancelled();

	/**
	 * Reports that the attempt is alive (OJS Core §7.5). Sends a message to the broker
	 * without waiting for it; workers include the time of the last heartbeat in answers
	 * about the job. No handler has to call this method to keep its job: the broker keeps
	 * the job with this worker while their connection lives, and the library extends
	 * leases on its own. With a job store, this method also has the lease extended in a
	 * moment.
	 */
	void heartbeat();

	/**
	 * Reports the progress of the attempt to listeners. Sends no message to the broker.
	 * @param progress 0.0 to 1.0
	 * @param message what the handler is doing, for people
	 * @throws IllegalArgumentException if {@code progress} is out of range
	 */
	void progress(double progress, String message);

	/**
	 * Copies this context with another job, for the handler and inner middleware.
	 * @param job the job that they see
	 * @return the copy
	 */
	default JobContext with(Job job) {
		return new ChangedJobContext(this, job);
	}

	/**
	 * Values that middleware and the handler pass to each other within this attempt. They
	 * are not stored.
	 * @return a map that the thread of the handler may change
	 */
	Map<String, Object> attributes();

}
