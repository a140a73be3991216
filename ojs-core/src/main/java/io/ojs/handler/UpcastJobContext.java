package io.ojs.handler;

import io.ojs.job.Job;

/**
 * An attempt whose handler sees its job in a later version.
 *
 * @param context the attempt
 * @param job the job in that version
 */
record UpcastJobContext(JobContext context, Job job) implements JobContext {

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

}
