package io.ojs.internal.inspect;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Knows the jobs that workflows have not enqueued.
 */
@FunctionalInterface
public interface WaitingSteps {

	/**
	 * Finds a job of a workflow, which may be enqueued.
	 * @param tenant the tenant that asks, who sees its own workflows; {@code null} for
	 * all
	 */
	Optional<WaitingStep> waitingStep(String jobId, @Nullable String tenant);

}
