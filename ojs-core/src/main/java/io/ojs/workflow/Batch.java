package io.ojs.workflow;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that run at once, and callbacks that run when all have ended (OJS Workflows §6).
 *
 * @param name a name for people
 * @param steps what to run; at least one when it is started
 * @param callbacks what to run then; at least one when it is started
 * @param meta what all its jobs have in their {@code meta}, unless they say otherwise
 */
public record Batch(@Nullable String name, List<Step> steps, Map<Callback, JobRequest> callbacks,
		Map<String, @Nullable Object> meta) implements Workflow {

	public Batch {
		steps = List.copyOf(steps);
		EnumMap<Callback, JobRequest> copy = new EnumMap<>(Callback.class);
		copy.putAll(callbacks);
		callbacks = Collections.unmodifiableMap(copy);
		meta = Copies.copy(meta);
	}

	/**
	 * Adds a job.
	 * @param job runs beside the others
	 * @return a copy with the job
	 */
	public Batch add(JobRequest job) {
		return new Batch(this.name, Copies.with(this.steps, new JobStep(job)), this.callbacks, this.meta);
	}

	/**
	 * Adds a workflow in place of a job.
	 * @param workflow runs beside the others
	 * @return a copy with the workflow
	 */
	public Batch add(Workflow workflow) {
		return new Batch(this.name, Copies.with(this.steps, workflow), this.callbacks, this.meta);
	}

	/**
	 * Says what runs when all jobs have ended, however.
	 * @param job the job
	 * @return a copy with the callback
	 */
	public Batch onComplete(JobRequest job) {
		return on(Callback.ON_COMPLETE, job);
	}

	/**
	 * Says what runs when all jobs have completed.
	 * @param job the job
	 * @return a copy with the callback
	 */
	public Batch onSuccess(JobRequest job) {
		return on(Callback.ON_SUCCESS, job);
	}

	/**
	 * Says what runs when all jobs have ended and one has failed.
	 * @param job the job
	 * @return a copy with the callback
	 */
	public Batch onFailure(JobRequest job) {
		return on(Callback.ON_FAILURE, job);
	}

	/**
	 * Says what runs when all jobs have ended.
	 * @param callback when
	 * @param job the job
	 * @return a copy with the callback
	 */
	public Batch on(Callback callback, JobRequest job) {
		Map<Callback, JobRequest> changed = new EnumMap<>(Callback.class);
		changed.putAll(this.callbacks);
		changed.put(callback, job);
		return new Batch(this.name, this.steps, changed, this.meta);
	}

	@Override
	public WorkflowType type() {
		return WorkflowType.BATCH;
	}

	@Override
	public Batch meta(String key, @Nullable Object value) {
		return new Batch(this.name, this.steps, this.callbacks, Copies.with(this.meta, key, value));
	}

}
