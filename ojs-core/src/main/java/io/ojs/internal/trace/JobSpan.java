package io.ojs.internal.trace;

import java.util.Map;

import io.ojs.job.Job;

/**
 * A span that has not ended.
 */
public interface JobSpan extends AutoCloseable {

	/** A span that is not recorded. */
	JobSpan NONE = new JobSpan() {

		@Override
		public void about(Job job) {
			// Not recorded.
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
			// Not recorded.
		}

		@Override
		public void close() {
			// Not recorded.
		}

	};

	/** Sets the job of the span, once it is created. */
	void about(Job job);

	/**
	 * Makes this span the current one of the thread.
	 * @return the scope, to be closed on the same thread
	 */
	Scope current();

	/** The trace context for the receiver of a message. */
	Map<String, String> headers();

	/** Records that the operation of the span failed. */
	void failed(Throwable error);

	/**
	 * Ends the span.
	 */
	@Override
	void close();

	/**
	 * A period in which a span is the current one of a thread.
	 */
	@FunctionalInterface
	interface Scope extends AutoCloseable {

		/** A scope without a span. */
		Scope NONE = () -> {
		};

		@Override
		void close();

	}

}
