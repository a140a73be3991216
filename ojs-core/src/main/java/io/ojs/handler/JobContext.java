package io.ojs.handler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a job, as its handler sees it.
 */
public interface JobContext {

	/**
	 * The job.
	 * @return the job as it was enqueued, or as {@linkplain JobUpcaster upcasters} made
	 * it
	 */
	Job job();

	/**
	 * Which attempt this is.
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
	 * What the jobs have returned that came before this one in its workflow (OJS
	 * Workflows §7.1): the steps of a chain in their order, or all jobs of a batch for
	 * its callbacks. The result of a group or a batch is the list of the results of its
	 * jobs.
	 * @return JSON values, {@code null} for a job that returned nothing or failed; empty
	 * outside a workflow, and for what comes first in one
	 */
	default List<@Nullable Object> parentResults() {
		return (job().extensions().get("parent_results") instanceof List<?> results)
				? Collections.unmodifiableList(new ArrayList<@Nullable Object>(results)) : List.of();
	}

	/**
	 * Whether the handler had better end: the job was cancelled, its time is over, it is
	 * another worker's by now, or the application stops and will not wait any longer. The
	 * handler's thread was interrupted for the same reason. Handlers that neither block
	 * nor look at interrupts ask this now and then.
	 * @return whether to end
	 */
	boolean isCancelled();

	/**
	 * Says that the attempt is alive (OJS Core §7.5). Costs one message to the broker,
	 * that nobody waits for; workers answer questions about the job with it. The broker
	 * itself keeps the job with this worker for as long as its connection lives, so no
	 * handler has to call this to keep its job. With a job store the lease on the job is
	 * extended, which happens now and then without this, too.
	 */
	void heartbeat();

	/**
	 * Tells listeners how far the attempt is. Costs no message to the broker.
	 * @param progress 0.0 to 1.0
	 * @param message what is being done, for a person
	 * @throws IllegalArgumentException if {@code progress} is out of range
	 */
	void progress(double progress, String message);

	/**
	 * The same attempt of a job that those further in see otherwise.
	 * @param job the job as they see it
	 * @return the attempt with it
	 */
	default JobContext with(Job job) {
		return new ChangedJobContext(this, job);
	}

	/**
	 * What one middleware has to tell another, or the handler, for this attempt. Nothing
	 * of it is kept.
	 * @return a map that may be changed by the thread of the handler
	 */
	Map<String, Object> attributes();

}
