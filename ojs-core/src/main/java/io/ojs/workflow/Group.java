package io.ojs.workflow;

import java.util.List;
import java.util.Map;

import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that run at once (OJS Workflows §5). One that fails does not disturb the others.
 *
 * @param name a name for people
 * @param steps what to run; at least one when it is started
 * @param meta what all its jobs have in their {@code meta}, unless they say otherwise
 */
public record Group(@Nullable String name, List<Step> steps, Map<String, @Nullable Object> meta) implements Workflow {

	public Group {
		steps = List.copyOf(steps);
		meta = Copies.copy(meta);
	}

	/**
	 * Adds a job.
	 * @param job runs beside the others
	 * @return a copy with the job
	 */
	public Group add(JobRequest job) {
		return new Group(this.name, Copies.with(this.steps, new JobStep(job)), this.meta);
	}

	/**
	 * Adds a workflow in place of a job.
	 * @param workflow runs beside the others
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
