package io.ojs.workflow.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.workflow.WorkflowFailure;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.WorkflowType;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as the store keeps it. Its shape and its progress are texts that only this
 * package reads.
 *
 * @param id a UUIDv7
 * @param type its type
 * @param name a name for people
 * @param state its state
 * @param queue the queue of its first job; the workflow has the retention of that queue
 * @param tenant its tenant; {@code null} without one
 * @param shape its shape
 * @param progress the progress of its jobs
 * @param failures why jobs have failed, the first ones only
 * @param headers the trace context in which it was started
 * @param createdAt when it was started
 * @param startedAt the earliest start of its jobs that have ended
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

	/** Returns how many jobs the workflow has. */
	public int jobs() {
		return this.progress.length();
	}

	/** Returns how many of its jobs have ended or never start. */
	public int ended() {
		return (int) this.progress.chars().filter((code) -> Progress.read((char) code).isTerminal()).count();
	}

	/**
	 * Returns the workflow for callers, without its steps and callbacks. No job is looked
	 * at.
	 */
	public WorkflowRun summary() {
		return RunView.summary(this);
	}

	Progress howFar() {
		return Progress.of(Shape.Branch.fromJson(this.shape), this.progress);
	}

}
