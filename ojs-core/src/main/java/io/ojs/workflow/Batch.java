package io.ojs.workflow;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that run at once, and callbacks that run when all of them have ended (OJS
 * Workflows §6).
 * <p>
 * Use {@link Workflow#batch}: the constructor changes when a component is added.
 *
 * @param name a name for people
 * @param steps the jobs; at least one when the batch is started
 * @param callbacks the callbacks; at least one when the batch is started
 * @param meta entries of {@code meta} for all jobs that do not have them
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
	 * @param job a job that runs beside the others
	 * @return a copy with the job
	 */
	public Batch add(JobRequest job) {
		return new Batch(this.name, Copies.with(this.steps, new JobStep(job)), this.callbacks, this.meta);
	}

	/**
	 * Adds a workflow in place of a job.
	 * @param workflow a workflow that runs beside the others
	 * @return a copy with the workflow
	 */
	public Batch add(Workflow workflow) {
		return new Batch(this.name, Copies.with(this.steps, workflow), this.callbacks, this.meta);
	}

	/**
	 * Sets the job that runs when all jobs have ended, whatever their outcome.
	 * @param job the job
	 * @return a copy with the callback
	 */
	public Batch onComplete(JobRequest job) {
		return on(Callback.ON_COMPLETE, job);
	}

	/**
	 * Sets the job that runs when all jobs have completed.
	 * @param job the job
	 * @return a copy with the callback
	 */
	public Batch onSuccess(JobRequest job) {
		return on(Callback.ON_SUCCESS, job);
	}

	/**
	 * Sets the job that runs when all jobs have ended and at least one has failed.
	 * @param job the job
	 * @return a copy with the callback
	 */
	public Batch onFailure(JobRequest job) {
		return on(Callback.ON_FAILURE, job);
	}

	/**
	 * Sets a callback.
	 * @param callback when the job runs
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
