package io.ojs.internal.trace;

import java.util.Map;

import io.ojs.job.Job;

/**
 * Creates spans for enqueueing and for attempts.
 */
public interface JobTracing {

	/** Creates no spans. The trace context in received messages stays unchanged. */
	JobTracing NONE = new JobTracing() {

		@Override
		public JobSpan enqueue(String type) {
			return JobSpan.NONE;
		}

		@Override
		public JobSpan process(Job job, String queue, int attempt, Map<String, ?> headers) {
			return JobSpan.NONE;
		}

	};

	/**
	 * Starts the span of enqueueing a job. The caller sets the job later; an invalid
	 * request never becomes one.
	 * @return the span, to be closed when the job is known to be safe or not to be
	 */
	JobSpan enqueue(String type);

	/**
	 * Starts the span of an attempt on this thread.
	 * @param attempt the attempt, from 1
	 * @param headers the headers of the message, which may have a trace context
	 * @return the span, which is the current one of this thread and has to be closed on
	 * it
	 */
	JobSpan process(Job job, String queue, int attempt, Map<String, ?> headers);

}
