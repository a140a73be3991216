package io.ojs.workflow;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A workflow as it is kept. What it is made of, and how far it is, is text that only this
 * package reads.
 *
 * @param id a UUIDv7
 * @param type in which way its steps belong together
 * @param name a name for people
 * @param state its state
 * @param queue the queue of its first job, whose retention it has
 * @param tenant whose it is; {@code null} if it is nobody's
 * @param shape how its jobs hang together
 * @param progress how far each of them is
 * @param failures why jobs have failed, the first ones only
 * @param headers the context of the trace that it was started in
 * @param createdAt when it was started
 * @param startedAt when the first of its jobs began that has ended
 * @param endedAt when it ended
 */
public record StoredWorkflow(String id, WorkflowType type, @Nullable String name, WorkflowState state, String queue,
		@Nullable String tenant, String shape, String progress, List<WorkflowFailure> failures,
		Map<String, String> headers, Instant createdAt, @Nullable Instant startedAt, @Nullable Instant endedAt) {

	public StoredWorkflow {
		failures = List.copyOf(failures);
		headers = Map.copyOf(headers);
	}

	StoredWorkflow with(WorkflowState newState, Progress newProgress, List<WorkflowFailure> newFailures,
			@Nullable Instant newStartedAt, @Nullable Instant newEndedAt) {
		return new StoredWorkflow(this.id, this.type, this.name, newState, this.queue, this.tenant, this.shape,
				newProgress.toString(), newFailures, this.headers, this.createdAt, newStartedAt, newEndedAt);
	}

	Progress howFar() {
		return Progress.of(Shape.Branch.fromJson(this.shape), this.progress);
	}

}
