package io.ojs.workflow;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A step of a workflow, as it is at a moment.
 *
 * @param index where it stands in the workflow that it is a step of, from 0; −1 for a
 * callback
 * @param type the type of its job; {@code chain}, {@code group} or {@code batch} if it is
 * a workflow itself
 * @param name the name of the workflow that it is, if it is one and has one
 * @param state its state
 * @param jobId the id of its job, if it is one and was enqueued
 * @param result what its job returned, as long as the job store has it
 * @param startedAt when the last attempt of its job began
 * @param endedAt when its job ended
 * @param steps the steps of the workflow that it is
 * @param callbacks the callbacks of the batch that it is
 */
public record StepRun(int index, String type, @Nullable String name, StepState state, @Nullable String jobId,
		@Nullable Object result, @Nullable Instant startedAt, @Nullable Instant endedAt, List<StepRun> steps,
		Map<Callback, StepRun> callbacks) {

	public StepRun {
		steps = List.copyOf(steps);
		callbacks = Map.copyOf(callbacks);
	}

}
