package io.ojs.workflow;

import java.util.List;
import java.util.Map;

import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that run at once (OJS Workflows §5). A failed job does not affect the others.
 * <p>
 * Use {@link Workflow#group}: the constructor changes when a component is added.
 *
 * @param name a name for people
 * @param steps the jobs; at least one when the group is started
 * @param meta entries of {@code meta} for all jobs that do not have them
 */
public record Group(@Nullable String name, List<Step> steps, Map<String, @Nullable Object> meta) implements Workflow {

	public Group {
		steps = List.copyOf(steps);
		meta = Copies.copy(meta);
	}

	/**
	 * Adds a job.
	 * @param job a job that runs beside the others
	 * @return a copy with the job
	 */
	public Group add(JobRequest job) {
		return new Group(this.name, Copies.with(this.steps, new JobStep(job)), this.meta);
	}

	/**
	 * Adds a workflow in place of a job.
	 * @param workflow a workflow that runs beside the others
	 * @return a copy with the workflow
	 */
	public Group add(Workflow workflow) {
		return new Group(this.name, Copies.with(this.steps, workflow), this.meta);
	}

	@Override
	public WorkflowType type() {
		return WorkflowType.GROUP;
	}

	@Override
	public Group meta(String key, @Nullable Object value) {
		return new Group(this.name, this.steps, Copies.with(this.meta, key, value));
	}

}
