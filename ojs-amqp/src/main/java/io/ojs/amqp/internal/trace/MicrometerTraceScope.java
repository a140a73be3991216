package io.ojs.amqp.internal.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.ojs.internal.trace.TraceScope;

/**
 * Continues the trace in which a workflow was started, by Micrometer Tracing. Later work
 * on the workflow runs in a span {@code workflow advance} of that trace, unless its
 * thread is in a span already.
 */
public final class MicrometerTraceScope implements TraceScope {

	private final Tracer tracer;

	private final Propagator propagator;

	public MicrometerTraceScope(Tracer tracer, Propagator propagator) {
		this.tracer = tracer;
		this.propagator = propagator;
	}

	@Override
	public Map<String, String> current() {
		Map<String, String> headers = new HashMap<>();
		Span span = this.tracer.currentSpan();
		if (span != null) {
			this.propagator.inject(span.context(), headers, (carrier, key, value) -> {
				if (carrier != null) {
					carrier.put(key, value);
				}
			});
		}
		return headers;
	}

	@Override
	public <T> T within(Map<String, String> headers, Supplier<T> work) {
		if (headers.isEmpty() || this.tracer.currentSpan() != null) {
			return work.get();
		}
		Span span = this.propagator.extract(headers, Map::get).name("workflow advance").start();
		Tracer.SpanInScope scope = this.tracer.withSpan(span);
		try {
			return work.get();
		}
		catch (RuntimeException ex) {
			span.error(ex);
			throw ex;
		}
		finally {
			scope.close();
			span.end();
		}
	}

}
