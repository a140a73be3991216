package io.ojs.trace;

import java.util.Map;

import io.ojs.job.Job;

/**
 * A span that is under way.
 */
public interface JobSpan extends AutoCloseable {

	/** A span that nobody sees. */
	JobSpan NONE = new JobSpan() {

		@Override
		public void about(Job job) {
			// Nobody sees it.
		}

		@Override
		public Scope current() {
			return Scope.NONE;
		}

		@Override
		public Map<String, String> headers() {
			return Map.of();
		}

		@Override
		public void failed(Throwable error) {
			// Nobody sees it.
		}

		@Override
		public void close() {
			// Nobody sees it.
		}

	};

	/**
	 * Tells which job the span is about, now that there is one.
	 * @param job the job
	 */
	void about(Job job);

	/**
	 * Makes this the span that the thread is in.
	 * @return to be closed on this thread, when it no longer is
	 */
	Scope current();

	/**
	 * What a message has to carry for its receiver to go on with the trace.
	 * @return headers
	 */
	Map<String, String> headers();

	/**
	 * What the span is about failed.
	 * @param error why
	 */
	void failed(Throwable error);

	/**
	 * It has ended.
	 */
	@Override
	void close();

	/**
	 * While the thread is in a span.
	 */
	@FunctionalInterface
	interface Scope extends AutoCloseable {

		/** In none. */
		Scope NONE = () -> {
		};

		@Override
		void close();

	}

}
