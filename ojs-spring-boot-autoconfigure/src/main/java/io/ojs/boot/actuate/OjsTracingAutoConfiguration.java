package io.ojs.boot.actuate;

import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.ojs.amqp.internal.trace.MicrometerJobTracing;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.internal.trace.JobTracing;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of traces that span a job from its enqueueing to its last attempt,
 * for applications with Micrometer Tracing.
 */
@AutoConfiguration(before = OjsAmqpAutoConfiguration.class, afterName = {
		"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass({ Tracer.class, Propagator.class, MicrometerJobTracing.class })
@ConditionalOnBean({ Tracer.class, Propagator.class })
public final class OjsTracingAutoConfiguration {

	@Bean
	JobTracing ojsJobTracing(Tracer tracer, Propagator propagator) {
		return new MicrometerJobTracing(tracer, propagator);
	}

}
