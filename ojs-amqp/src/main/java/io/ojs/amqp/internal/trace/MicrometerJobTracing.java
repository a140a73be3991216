package io.ojs.amqp.internal.trace;

import java.util.HashMap;
import java.util.Map;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.ojs.amqp.internal.message.OjsHeaders;
import io.ojs.internal.trace.JobSpan;
import io.ojs.internal.trace.JobTracing;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Creates spans by Micrometer Tracing, with the names and attributes of OJS
 * Observability: a producer span {@code {queue} enqueue}, and for each attempt a consumer
 * span {@code {queue} process} as its child. No span contains arguments.
 */
public final class MicrometerJobTracing implements JobTracing {

	private static final String TRACEPARENT = "traceparent";

	private static final String TRACESTATE = "tracestate";

	private final Tracer tracer;

	private final Propagator propagator;

	public MicrometerJobTracing(Tracer tracer, Propagator propagator) {
		this.tracer = tracer;
		this.propagator = propagator;
	}

	@Override
	public JobSpan enqueue(String type) {
		Span span = this.tracer.spanBuilder()
			.name("enqueue")
			.tag("messaging.system", "rabbitmq")
			.tag("messaging.operation", "enqueue")
			.tag("ojs.job.type", type)
			.kind(Span.Kind.PRODUCER)
			.start();
		return new Running(this.tracer, span, null, headers(span.context()));
	}

	@Override
	public JobSpan process(Job job, String queue, int attempt, Map<String, ?> headers) {
		Span.Builder builder = this.propagator.extract(headers, MicrometerJobTracing::read);
		Span span = builder.name(queue + " process")
			.tag("messaging.system", "rabbitmq")
			.tag("messaging.destination.name", queue)
			.tag("messaging.operation", "process")
			.tag("ojs.job.id", job.id())
			.tag("ojs.job.type", job.type())
			.tag("ojs.job.attempt", attempt)
			.kind(Span.Kind.CONSUMER)
			.start();
		return new Running(this.tracer, span, this.tracer.withSpan(span), Map.of());
	}

	private Map<String, String> headers(TraceContext context) {
		Map<String, String> fields = new HashMap<>();
		this.propagator.inject(context, fields, (carrier, key, value) -> {
			if (carrier != null) {
				carrier.put(key, value);
			}
		});
		// An application may propagate in another format. OJS requires this one.
		String traceparent = fields.getOrDefault(TRACEPARENT, "00-%s-%s-%s".formatted(context.traceId(),
				context.spanId(), Boolean.TRUE.equals(context.sampled()) ? "01" : "00"));
		Map<String, String> headers = new HashMap<>();
		headers.put(OjsHeaders.TRACE_ID, traceparent);
		headers.put(OjsHeaders.TRACEPARENT, traceparent);
		String tracestate = fields.get(TRACESTATE);
		if (tracestate != null && !tracestate.isEmpty()) {
			headers.put(OjsHeaders.TRACE_STATE, tracestate);
		}
		return headers;
	}

	private static @Nullable String read(Map<String, ?> headers, String field) {
		Object value = switch (field) {
			case TRACEPARENT -> headers.containsKey(OjsHeaders.TRACE_ID) ? headers.get(OjsHeaders.TRACE_ID)
					: headers.get(OjsHeaders.TRACEPARENT);
			case TRACESTATE -> headers.get(OjsHeaders.TRACE_STATE);
			default -> null;
		};
		return (value != null) ? value.toString() : null;
	}

	/**
	 * A span of Micrometer Tracing.
	 *
	 * @param scope the scope in which the span is current; {@code null} if there is none
	 */
	private record Running(Tracer tracer, Span span, Tracer.@Nullable SpanInScope scope,
			Map<String, String> headers) implements JobSpan {

		@Override
		public void about(Job job) {
			this.span.name(job.queue() + " enqueue")
				.tag("messaging.destination.name", job.queue())
				.tag("ojs.job.id", job.id())
				.tag("ojs.job.type", job.type());
		}

		@Override
		public Scope current() {
			return this.tracer.withSpan(this.span)::close;
		}

		@Override
		public void failed(Throwable error) {
			this.span.error(error);
		}

		@Override
		public void close() {
			if (this.scope != null) {
				this.scope.close();
			}
			this.span.end();
		}

	}

}
