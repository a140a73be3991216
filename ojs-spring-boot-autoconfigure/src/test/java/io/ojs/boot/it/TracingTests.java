package io.ojs.boot.it;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.GetResponse;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One trace from the request that enqueues a job to its last attempt.
 */
@Tag("AMQP-023")
@Tag("java-versions")
class TracingTests extends BrokerTest {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

	@Test
	@Tag("AMQP-023")
	@Tag("GUIDE-7-1")
	void enqueueAndEveryAttemptBelongToTheTraceOfTheRequest() {
		try (Application application = traced()) {
			Span request = application.bean(Tracer.class).nextSpan().name("request").start();
			Job job;
			try (Tracer.SpanInScope scope = application.bean(Tracer.class).withSpan(request)) {
				assertThat(scope).isNotNull();
				job = application.ojs().enqueue("flaky.run", "secret");
			}
			request.end();
			await().until(() -> application.events(job.id()).contains("job.completed"));
			List<SpanData> spans = spans(application, 4);
			assertThat(spans).extracting(SpanData::getName)
				.containsExactly("request", "flaky enqueue", "flaky process", "flaky process");
			assertThat(spans).extracting(SpanData::getTraceId).containsOnly(request.context().traceId());
			assertThat(spans).extracting(SpanData::getKind)
				.containsExactly(SpanKind.INTERNAL, SpanKind.PRODUCER, SpanKind.CONSUMER, SpanKind.CONSUMER);
			String enqueueSpan = spans.get(1).getSpanId();
			assertThat(spans.subList(2, 4)).extracting(SpanData::getParentSpanId).containsOnly(enqueueSpan);
			assertThat(spans.get(2).getEvents()).extracting("name").contains("exception");
			assertThat(spans.get(3).getAttributes().toString()).contains(job.id(), "flaky.run")
				.doesNotContain("secret");
		}
	}

	@Test
	@Tag("GUIDE-4-4")
	void traceOfAForeignProducerGoesOnUnderEitherHeader() {
		try (Application application = traced()) {
			client().publish("flaky",
					RawClient.properties(ID, "flaky.run")
						.headers(Map.of("x-ojs-traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01",
								"x-ojs-trace-state", "vendor=value"))
						.build(),
					RawClient.envelope(ID, "flaky.run", "flaky", "[\"a\"]"));
			await().until(() -> application.events(ID).contains("job.completed"));
			assertThat(spans(application, 2)).allSatisfy((span) -> {
				assertThat(span.getTraceId()).isEqualTo(TRACE);
				assertThat(span.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
				assertThat(span.getSpanContext().getTraceState().get("vendor")).isEqualTo("value");
			});
		}
	}

	@Test
	@Tag("GUIDE-4-4")
	void traceIsWrittenUnderBothHeaders() {
		try (Application application = traced()) {
			application.ojs().enqueue(JobRequest.of("email.send").queue("email"));
			String span = spans(application, 1).get(0).getSpanId();
			GetResponse message = client().take("ojs.queue.email");
			Map<String, String> headers = RawClient.headers(message);
			assertThat(headers.get("x-ojs-trace-id")).matches("00-[0-9a-f]{32}-" + span + "-0[13]")
				.isEqualTo(headers.get("x-ojs-traceparent"));
		}
	}

	private Application traced() {
		return application(Flaky.class, Exporter.class).traced().start();
	}

	private static List<SpanData> spans(Application application, int count) {
		InMemorySpanExporter exporter = application.bean(InMemorySpanExporter.class);
		await().until(() -> {
			application.bean(SdkTracerProvider.class).forceFlush();
			return exporter.getFinishedSpanItems().size() >= count;
		});
		return exporter.getFinishedSpanItems()
			.stream()
			.sorted(Comparator.comparing(SpanData::getStartEpochNanos))
			.toList();
	}

	static class Flaky {

		@OjsJobHandler(value = "flaky.run", queue = "flaky")
		void run(String argument, JobContext context) {
			if (context.attempt() == 1) {
				throw new IllegalStateException("the first time fails");
			}
		}

	}

	static class Exporter {

		@Bean
		InMemorySpanExporter spanExporter() {
			return InMemorySpanExporter.create();
		}

	}

}
