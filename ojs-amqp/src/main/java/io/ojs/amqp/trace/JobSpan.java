package io.ojs.amqp.trace;

import java.util.Map;

/**
 * A span that is under way.
 */
public interface JobSpan extends AutoCloseable {

	/** A span that nobody sees. */
	JobSpan NONE = new JobSpan() {

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

}
