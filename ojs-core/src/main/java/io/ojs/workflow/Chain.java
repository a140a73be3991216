package io.ojs.workflow;

import java.util.List;
import java.util.Map;

import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * Steps that run one after another (OJS Workflows §4). If one fails, later steps never
 * run.
 * <p>
 * Use {@link Workflow#chain}: the constructor changes when a component is added.
 *
 * @param name a name for people
 * @param steps the steps, in this order; at least one when the chain is started
 * @param meta entries of {@code meta} for all jobs that do not have them
 */
public record Chain(@Nullable String name, List<Step> steps, Map<String, @Nullable Object> meta) implements Workflow {

	public Chain {
		steps = List.copyOf(steps);
		meta = Copies.copy(meta);
	}

	/**
	 * Adds a step.
	 * @param job a job that runs when all earlier steps have completed
	 * @return a copy with the step
	 */
	public Chain then(JobRequest job) {
		return new Chain(this.name, Copies.with(this.steps, new JobStep(job)), this.meta);
	}

	/**
	 * Adds a step that is a workflow.
	 * @param workflow a workflow that begins when all earlier steps have completed
	 * @return a copy with the step
	 */
	public Chain then(Workflow workflow) {
		return new Chain(this.name, Copies.with(this.steps, workflow), this.meta);
	}

	@Override
	public WorkflowType type() {
		return WorkflowType.CHAIN;
	}

	@Override
	public Chain meta(String key, @Nullable Object value) {
		return new Chain(this.name, this.steps, Copies.with(this.meta, key, value));
	}

}
