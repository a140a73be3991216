package io.ojs.workflow.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.job.JobState;
import io.ojs.workflow.Callback;
import io.ojs.workflow.StepRun;
import io.ojs.workflow.StepState;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.internal.Shape.Branch;
import io.ojs.workflow.internal.Shape.Leaf;
import org.jspecify.annotations.Nullable;

/**
 * Makes the view of a workflow for callers: its progress, with the data of its jobs.
 */
final class RunView {

	private final StoredWorkflow workflow;

	private final Progress progress;

	private final Map<Integer, StepJob> jobs = new HashMap<>();

	private RunView(StoredWorkflow workflow, List<StepJob> jobs) {
		this.workflow = workflow;
		this.progress = workflow.howFar();
		jobs.forEach((job) -> this.jobs.put(job.number(), job));
	}

	static WorkflowRun of(StoredWorkflow workflow, List<StepJob> jobs) {
		return new RunView(workflow, jobs).run();
	}

	static WorkflowRun summary(StoredWorkflow workflow) {
		return new RunView(workflow, List.of()).run(List.of(), Map.of());
	}

	private WorkflowRun run() {
		StepRun root = branch(0, this.progress.root());
		return run(root.steps(), root.callbacks());
	}

	private WorkflowRun run(List<StepRun> steps, Map<Callback, StepRun> callbacks) {
		int[] counts = new int[3];
		this.progress.root().eachLeaf((leaf, callback) -> {
			if (!callback) {
				counts[0]++;
				counts[1] += (this.progress.leaf(leaf.number()) == StepState.COMPLETED) ? 1 : 0;
				counts[2] += (this.progress.leaf(leaf.number()) == StepState.FAILED) ? 1 : 0;
			}
		});
		return new WorkflowRun(this.workflow.id(), this.workflow.type(), this.workflow.name(), this.workflow.tenant(),
				this.workflow.state(), steps, callbacks, this.workflow.createdAt(), startedAt(),
				this.workflow.endedAt(), counts[0], counts[1], counts[2], this.workflow.failures());
	}

	private @Nullable Instant startedAt() {
		if (this.workflow.startedAt() != null) {
			return this.workflow.startedAt();
		}
		return this.jobs.values()
			.stream()
			.map(StepJob::startedAt)
			.filter(Objects::nonNull)
			.min(Instant::compareTo)
			.orElse(null);
	}

	private StepRun branch(int index, Branch branch) {
		List<StepRun> steps = new ArrayList<>();
		for (Shape child : branch.children()) {
			steps.add((child instanceof Branch nested) ? branch(steps.size(), nested)
					: leaf(steps.size(), ((Leaf) child).number()));
		}
		Map<Callback, StepRun> callbacks = new EnumMap<>(Callback.class);
		branch.callbacks().forEach((callback, leaf) -> callbacks.put(callback, leaf(-1, leaf.number())));
		return new StepRun(index, branch.type().wireName(), branch.name(), this.progress.state(branch), null, null,
				null, null, steps, callbacks);
	}

	private StepRun leaf(int index, int number) {
		StepState state = this.progress.leaf(number);
		StepJob job = Objects.requireNonNull(this.jobs.get(number));
		boolean enqueued = state != StepState.WAITING && (state != StepState.CANCELLED || job.state() != null);
		return new StepRun(index, job.type(), null, (state == StepState.PENDING) ? live(job) : state,
				enqueued ? job.jobId() : null, job.result(), job.startedAt(), job.endedAt(), List.of(), Map.of());
	}

	/** Returns the state in the job's row, which may be newer than the workflow's. */
	private static StepState live(StepJob job) {
		JobState state = (job.state() != null) ? job.state() : JobState.AVAILABLE;
		return switch (state) {
			case ACTIVE -> StepState.ACTIVE;
			case COMPLETED -> StepState.COMPLETED;
			case DISCARDED -> StepState.FAILED;
			case CANCELLED -> StepState.CANCELLED;
			default -> StepState.PENDING;
		};
	}

}
