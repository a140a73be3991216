package io.ojs.workflow;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A step of a workflow that was started, as it is at a moment.
 *
 * @param index its position in the workflow that it is a step of, from 0; −1 for a
 * callback
 * @param type the type of its job; {@code chain}, {@code group} or {@code batch} for a
 * workflow
 * @param name the name, for a workflow that has one
 * @param state its state
 * @param jobId the id of its job, if it was enqueued; {@code null} for a workflow
 * @param result the result of its job, as long as the job store has it
 * @param startedAt when the last attempt of its job began
 * @param endedAt when its job ended
 * @param steps the steps, for a workflow
 * @param callbacks the callbacks, for a batch
 */
public record StepRun(int index, String type, @Nullable String name, StepState state, @Nullable String jobId,
		@Nullable Object result, @Nullable Instant startedAt, @Nullable Instant endedAt, List<StepRun> steps,
		Map<Callback, StepRun> callbacks) {

	public StepRun {
		steps = List.copyOf(steps);
		callbacks = Map.copyOf(callbacks);
	}

}
