package io.ojs.amqp.internal.run;

import io.ojs.job.Job;

/**
 * The control messages of a worker: which jobs were cancelled, and what the worker tells
 * others about its own.
 */
public interface WorkerControl {

	/** Sends and receives no control messages. */
	WorkerControl NONE = new WorkerControl() {

		@Override
		public boolean isCancelled(String jobId) {
			return false;
		}

		@Override
		public void dropped(String jobId) {
			// There are no requests to forget.
		}

		@Override
		public void heartbeat(Job job) {
			// No worker listens.
		}

	};

	/**
	 * Whether a job that is about to run was cancelled while it waited.
	 * @return whether to drop it
	 */
	boolean isCancelled(String jobId);

	/** Tells other workers that a cancelled job is gone, so that they forget it. */
	void dropped(String jobId);

	/** Sends a heartbeat of an attempt. */
	void heartbeat(Job job);

}
