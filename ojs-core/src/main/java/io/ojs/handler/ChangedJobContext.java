package io.ojs.handler;

import java.util.Map;

import io.ojs.job.Job;

/**
 * The context of an attempt with another job for the handler and inner middleware. Its
 * text does not show that job, whose arguments may be secret.
 *
 * @param context the context of the attempt
 * @param job the job as its handler sees it
 */
record ChangedJobContext(JobContext context, Job job) implements JobContext {

	@Override
	public int attempt() {
		return this.context.attempt();
	}

	@Override
	public int maxAttempts() {
		return this.context.maxAttempts();
	}

	@Override
	public boolean isCancelled() {
		return this.context.isCancelled();
	}

	@Override
	public void heartbeat() {
		this.context.heartbeat();
	}

	@Override
	public void progress(double progress, String message) {
		this.context.progress(progress, message);
	}

	@Override
	public Map<String, Object> attributes() {
		return this.context.attributes();
	}

	@Override
	public String toString() {
		return this.context.toString();
	}

}
