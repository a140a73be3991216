package io.ojs.workflow;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A workflow that was started, as it is at a moment (OJS Workflows §3, §11.2).
 *
 * @param id a UUIDv7
 * @param type its type
 * @param name a name for people
 * @param tenant its tenant; {@code null} without one
 * @param state its state
 * @param steps the steps of a chain, or the jobs of a group or batch
 * @param callbacks the callbacks of a batch
 * @param createdAt when it was started
 * @param startedAt when the first of its jobs began
 * @param endedAt when it ended
 * @param jobCount the number of its jobs, including those of nested workflows and without
 * callbacks
 * @param completedCount how many of them have completed
 * @param failedCount how many of them have failed
 * @param failures why jobs and callbacks have failed, the first hundred
 */
public record WorkflowRun(String id, WorkflowType type, @Nullable String name, @Nullable String tenant,
		WorkflowState state, List<StepRun> steps, Map<Callback, StepRun> callbacks, Instant createdAt,
		@Nullable Instant startedAt, @Nullable Instant endedAt, int jobCount, int completedCount, int failedCount,
		List<WorkflowFailure> failures) {

	public WorkflowRun {
		steps = List.copyOf(steps);
		callbacks = Map.copyOf(callbacks);
		failures = List.copyOf(failures);
	}

	/**
	 * Returns how many of its steps have completed: steps of a chain, or jobs of a group
	 * or batch.
	 * @return 0 to the number of its steps
	 */
	public int stepsCompleted() {
		return (int) this.steps.stream().filter((step) -> step.state() == StepState.COMPLETED).count();
	}

}
