package io.ojs.trace;

import java.util.Map;
import java.util.function.Supplier;

/**
 * The trace that a workflow was started in, so that its later jobs are part of it too.
 */
public interface TraceScope {

	/** No traces. */
	TraceScope NONE = new TraceScope() {

		@Override
		public Map<String, String> current() {
			return Map.of();
		}

		@Override
		public <T> T within(Map<String, String> headers, Supplier<T> work) {
			return work.get();
		}

	};

	/**
	 * The context of the trace that this thread is in.
	 * @return headers that carry it; empty without a trace
	 */
	Map<String, String> current();

	/**
	 * Does something in a trace.
	 * @param <T> what comes of it
	 * @param headers its context, as {@link #current} has told it
	 * @param work what to do
	 * @return what came of it
	 */
	<T> T within(Map<String, String> headers, Supplier<T> work);

}
