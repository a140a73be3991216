package io.ojs.workflow.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.workflow.Callback;
import io.ojs.workflow.StepState;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowFailure;
import io.ojs.workflow.WorkflowType;
import io.ojs.workflow.internal.Progress.Ready;
import io.ojs.workflow.internal.Shape.Branch;
import io.ojs.workflow.internal.Shape.Leaf;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a workflow between two states of its progress: its events, and its
 * failures.
 */
final class Changes {

	/**
	 * The largest number of failures that are kept; the jobs themselves have all errors.
	 */
	private static final int MAX_FAILURES = 100;

	private final StoredWorkflow workflow;

	private final Progress before;

	private final Progress after;

	private final Map<Integer, StepEnd> ended;

	private final List<WorkflowEvent> events = new ArrayList<>();

	private final List<WorkflowFailure> failures;

	Changes(StoredWorkflow workflow, Progress before, Progress after, Map<Integer, StepEnd> ended) {
		this.workflow = workflow;
		this.before = before;
		this.after = after;
		this.ended = ended;
		this.failures = new ArrayList<>(workflow.failures());
		visit(after.root());
		if (after.state().isTerminal()) {
			tell("workflow." + after.state().wireName(), Map.of());
		}
	}

	List<WorkflowEvent> events() {
		return this.events;
	}

	List<WorkflowFailure> failures() {
		return this.failures;
	}

	/** Adds the events of inner workflows before those of the outer one. */
	private void visit(Branch branch) {
		for (int i = 0; i < branch.children().size(); i++) {
			Shape child = branch.children().get(i);
			if (child instanceof Branch nested) {
				visit(nested);
			}
			ended(branch, i, child, null);
		}
		branch.callbacks().forEach((callback, leaf) -> ended(branch, -1, leaf, callback));
	}

	private void ended(Branch branch, int index, Shape shape, @Nullable Callback callback) {
		StepState state = this.after.state(shape);
		if (!state.isTerminal() || this.before.state(shape).isTerminal()) {
			return;
		}
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		if (callback != null) {
			data.put("callback", callback.wireName());
		}
		else {
			data.put("step_index", index);
		}
		if (shape instanceof Leaf leaf) {
			StepEnd end = this.ended.get(leaf.number());
			if (end == null) {
				// The job has not run, and never will.
				return;
			}
			job(end, callback, data);
		}
		else if (state == StepState.CANCELLED) {
			return;
		}
		else {
			data.put("step_type", ((Branch) shape).type().wireName());
		}
		boolean chain = branch.type() == WorkflowType.CHAIN;
		if (chain) {
			data.put("remaining_steps", (state == StepState.COMPLETED) ? branch.children().size() - index - 1 : 0);
		}
		tell("workflow.%s_%s".formatted(chain ? "step" : "job",
				(state == StepState.COMPLETED) ? "completed" : "failed"), data);
	}

	private void job(StepEnd end, @Nullable Callback callback, Map<String, @Nullable Object> data) {
		data.put("step_type", end.jobType());
		data.put("job_id", end.jobId());
		if (end.startedAt() != null) {
			data.put("duration_ms", Math.max(0, Duration.between(end.startedAt(), end.endedAt()).toMillis()));
		}
		if (end.state() == StepState.COMPLETED) {
			return;
		}
		JobError error = end.error();
		WorkflowFailure failure = (error != null)
				? new WorkflowFailure(end.jobId(), end.jobType(), callback, error.code(), error.message(),
						error.attempt())
				: new WorkflowFailure(end.jobId(), end.jobType(), callback, "JOB_CANCELLED", "The job was cancelled.",
						0);
		if (this.failures.size() < MAX_FAILURES) {
			this.failures.add(failure);
		}
		data.put("error", Map.of("code", failure.code(), "message", failure.message()));
	}

	/** Adds the events of enqueued callbacks. */
	void enqueued(List<Ready> ready, List<Job> jobs) {
		for (int i = 0; i < ready.size(); i++) {
			Callback callback = ready.get(i).callback();
			if (callback != null) {
				tell("workflow.callback_fired", Map.of("callback", callback.wireName(), "job_id", jobs.get(i).id(),
						"step_type", jobs.get(i).type()));
			}
		}
	}

	private void tell(String name, Map<String, @Nullable Object> data) {
		this.events.add(event(name, this.workflow, data));
	}

	static WorkflowEvent event(String name, StoredWorkflow workflow, Map<String, @Nullable Object> data) {
		return new WorkflowEvent(name, workflow.id(), workflow.type(), workflow.name(), workflow.queue(),
				workflow.tenant(), data);
	}

}
