package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.ojs.event.EventFeed;
import io.ojs.event.StoredEvent;
import io.ojs.job.JobState;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Extensions by which others see what happens.
 */
final class MatrixSight {

	private MatrixSight() {
	}

	/**
	 * Listeners and the feed hear the same, in order.
	 */
	static final class Events implements MatrixExtension {

		@Override
		public void verify(MatrixCell cell) {
			assertTold(cell, cell.works(), List.of("job.started", "job.completed"));
			assertTold(cell, cell.recovers(),
					List.of("job.started", "job.failed", "job.retrying", "job.started", "job.completed"));
			List<String> dies = new ArrayList<>();
			Collections.nCopies(cell.attempts() - 1, List.of("job.started", "job.failed", "job.retrying"))
				.forEach(dies::addAll);
			dies.addAll(List.of("job.started", "job.failed", "job.retry_exhausted", "job.dead_lettered"));
			assertTold(cell, cell.dies(), dies);
		}

		private static void assertTold(MatrixCell cell, String id, List<String> names) {
			await(id).untilAsserted(() -> {
				assertThat(cell.application().worked(id)).startsWith(names.toArray(String[]::new));
				assertThat(cell.application().events(id)).contains("job.enqueued");
				assertThat(feed(cell, id)).first().isEqualTo("job.enqueued");
				assertThat(feed(cell, id).stream().filter((name) -> !name.equals("job.enqueued")).toList())
					.startsWith(names.toArray(String[]::new));
			});
		}

		private static List<String> feed(MatrixCell cell, String id) {
			return cell.bean(EventFeed.class)
				.after(0, Set.of("job.*"), Set.of(MatrixWork.QUEUE), 1000)
				.stream()
				.filter((event) -> event.subject().equals(id))
				.map(StoredEvent::type)
				.toList();
		}

	}

	/**
	 * Spans and meters know of each attempt.
	 */
	static final class Observability implements MatrixExtension {

		@Override
		public void configure(Application.Starter starter) {
			starter.with(TracingTests.Exporter.class).traced();
		}

		@Override
		public void verify(MatrixCell cell) {
			await().untilAsserted(() -> {
				assertThat(counted(cell, "ojs.job.completed", null)).isGreaterThanOrEqualTo(2)
					.isEqualTo(cell.count("ojs_job", "type = 'cell.work' and state = 'completed'"));
				assertThat(counted(cell, "ojs.job.failed", "retried")).isPositive()
					.isEqualTo(cell.count(EventRows.ALL, "type = 'job.retrying'"));
				assertThat(counted(cell, "ojs.job.failed", "dead_lettered")).isPositive()
					.isEqualTo(cell.count(EventRows.ALL, "type = 'job.dead_lettered'"));
				assertThat(counted(cell, "ojs.job.enqueued", null)).isGreaterThanOrEqualTo(3);
			});
			InMemorySpanExporter exporter = cell.bean(InMemorySpanExporter.class);
			await().untilAsserted(() -> {
				cell.bean(SdkTracerProvider.class).forceFlush();
				List<SpanData> spans = exporter.getFinishedSpanItems();
				assertThat(spans).extracting(SpanData::getName).contains("cell enqueue");
				for (String id : cell.ids()) {
					assertThat(spans).filteredOn((span) -> span.getName().equals("cell process"))
						.filteredOn((span) -> span.getAttributes().toString().contains(id))
						.hasSameSizeAs(MatrixWork.runs(id));
				}
				assertThat(spans.toString()).doesNotContain(cell.secret, "ojs_encoded");
			});
			assertThat(cell.state(cell.works())).isEqualTo(JobState.COMPLETED);
		}

		private static long counted(MatrixCell cell, String name, String outcome) {
			var search = cell.bean(MeterRegistry.class)
				.find(name)
				.tags("queue", MatrixWork.QUEUE, "type", MatrixWork.TYPE);
			if (outcome != null) {
				search = search.tag("outcome", outcome);
			}
			return (long) search.counters().stream().mapToDouble(Counter::count).sum();
		}

	}

}
