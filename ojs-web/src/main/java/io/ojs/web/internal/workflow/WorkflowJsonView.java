package io.ojs.web.internal.workflow;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.web.internal.ResponseJson;
import io.ojs.workflow.Callback;
import io.ojs.workflow.StepRun;
import io.ojs.workflow.StepState;
import io.ojs.workflow.WorkflowFailure;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.WorkflowType;
import org.jspecify.annotations.Nullable;

/**
 * Workflows as JSON (OJS Workflows §3, §9.6, §11.2).
 */
final class WorkflowJsonView {

	private WorkflowJsonView() {
	}

	static Map<String, @Nullable Object> of(WorkflowRun run) {
		boolean chain = run.type() == WorkflowType.CHAIN;
		Map<String, @Nullable Object> object = begin(run);
		object.put(chain ? "steps_total" : "jobs_total", run.steps().size());
		object.put(chain ? "steps_completed" : "jobs_completed", run.stepsCompleted());
		object.put(chain ? "steps" : "jobs", run.steps().stream().map(WorkflowJsonView::step).toList());
		putCallbacks(object, run.callbacks());
		object.put("metadata", failures(run, metadata(run)));
		return object;
	}

	/** Returns a workflow without its steps and without their errors. */
	static Map<String, @Nullable Object> summary(WorkflowRun run) {
		Map<String, @Nullable Object> object = begin(run);
		object.put("metadata", metadata(run));
		return object;
	}

	private static Map<String, @Nullable Object> begin(WorkflowRun run) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("id", run.id());
		object.put("type", run.type().wireName());
		put(object, "name", run.name());
		object.put("state", run.state().wireName());
		return object;
	}

	private static Map<String, @Nullable Object> metadata(WorkflowRun run) {
		Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
		metadata.put("created_at", ResponseJson.time(run.createdAt()));
		put(metadata, "started_at", ResponseJson.timeOrNull(run.startedAt()));
		put(metadata, (run.state() == WorkflowState.CANCELLED) ? "cancelled_at" : "completed_at",
				ResponseJson.timeOrNull(run.endedAt()));
		metadata.put("job_count", run.jobCount());
		metadata.put("completed_count", run.completedCount());
		metadata.put("failed_count", run.failedCount());
		return metadata;
	}

	private static Map<String, @Nullable Object> failures(WorkflowRun run, Map<String, @Nullable Object> metadata) {
		if (run.failures().isEmpty()) {
			return metadata;
		}
		if (run.type() == WorkflowType.CHAIN) {
			run.steps()
				.stream()
				.filter((step) -> step.state() == StepState.FAILED)
				.findFirst()
				.ifPresent((step) -> metadata.put("failed_step_index", step.index()));
		}
		metadata.put("failed_job_ids", run.failures().stream().map(WorkflowFailure::jobId).toList());
		metadata.put("errors", run.failures().stream().map(WorkflowJsonView::failure).toList());
		return metadata;
	}

	private static Map<String, @Nullable Object> failure(WorkflowFailure failure) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("job_id", failure.jobId());
		object.put("job_type", failure.jobType());
		put(object, "callback", (failure.callback() != null) ? failure.callback().wireName() : null);
		object.put("code", failure.code());
		object.put("message", failure.message());
		object.put("attempt", failure.attempt());
		return object;
	}

	private static Map<String, @Nullable Object> step(StepRun step) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		if (step.index() >= 0) {
			object.put("index", step.index());
		}
		object.put("type", step.type());
		put(object, "name", step.name());
		object.put("state", step.state().wireName());
		if (step.steps().isEmpty()) {
			object.put("job_id", step.jobId());
			put(object, "result", step.result());
			put(object, "started_at", ResponseJson.timeOrNull(step.startedAt()));
			put(object, "completed_at", ResponseJson.timeOrNull(step.endedAt()));
			return object;
		}
		object.put(step.type().equals(WorkflowType.CHAIN.wireName()) ? "steps" : "jobs",
				step.steps().stream().map(WorkflowJsonView::step).toList());
		putCallbacks(object, step.callbacks());
		return object;
	}

	private static void putCallbacks(Map<String, @Nullable Object> object, Map<Callback, StepRun> callbacks) {
		if (!callbacks.isEmpty()) {
			Map<String, @Nullable Object> each = new LinkedHashMap<>();
			Arrays.stream(Callback.values())
				.filter(callbacks::containsKey)
				.forEach((callback) -> each.put(callback.wireName(), step(callbacks.get(callback))));
			object.put("callbacks", each);
		}
	}

	private static void put(Map<String, @Nullable Object> object, String name, @Nullable Object value) {
		if (value != null) {
			object.put(name, value);
		}
	}

}
