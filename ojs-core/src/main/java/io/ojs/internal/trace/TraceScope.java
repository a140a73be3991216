package io.ojs.internal.trace;

import java.util.Map;
import java.util.function.Supplier;

/**
 * Keeps the trace in which a workflow was started, so that its later jobs are part of it
 * too.
 */
public interface TraceScope {

	/** Keeps no traces. */
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
	 * The context of the current trace of this thread.
	 * @return headers with the context; empty without a trace
	 */
	Map<String, String> current();

	/**
	 * Does work within a trace.
	 * @param headers the context, as {@link #current} returned it
	 */
	<T> T within(Map<String, String> headers, Supplier<T> work);

}
