package io.ojs.amqp.listen;

import io.ojs.job.Job;

/**
 * What a worker knows of jobs from elsewhere, and tells of its own.
 */
public interface WorkerControl {

	/** Of workers that nobody asks anything. */
	WorkerControl NONE = new WorkerControl() {

		@Override
		public boolean isCancelled(String jobId) {
			return false;
		}

		@Override
		public void dropped(String jobId) {
			// Nobody asked for it.
		}

		@Override
		public void heartbeat(Job job) {
			// Nobody hears it.
		}

	};

	/**
	 * Whether a job that is about to run was cancelled while it waited.
	 * @param jobId the job
	 * @return whether to drop it
	 */
	boolean isCancelled(String jobId);

	/**
	 * A job that was cancelled is gone: nobody has to remember it any longer.
	 * @param jobId the job
	 */
	void dropped(String jobId);

	/**
	 * An attempt is alive.
	 * @param job the job
	 */
	void heartbeat(Job job);

}
