package io.ojs.trace;

import java.util.Map;

import io.ojs.job.Job;

/**
 * Spans around what is done with jobs.
 */
public interface JobTracing {

	/** No spans; what others wrote into a message stays in it all the same. */
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
	 * Begins to enqueue a job. What job it is, the span is told later; a request that
	 * breaks a rule never becomes one.
	 * @param type the type that was asked for
	 * @return a span, to be closed when the job is safe, or known not to be
	 */
	JobSpan enqueue(String type);

	/**
	 * Begins to run a job, on this thread.
	 * @param job the job
	 * @param queue the OJS queue that it came from
	 * @param attempt the attempt, from 1
	 * @param headers the headers of its message, which may tell the trace that it belongs
	 * to
	 * @return a span that the thread is in, to be closed on this thread
	 */
	JobSpan process(Job job, String queue, int attempt, Map<String, ?> headers);

}
