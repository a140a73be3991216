package io.ojs.boot.it;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Streams of changes while thousands of events are written each second: few messages, and
 * not late ones. The log has the figures.
 */
@Tag("costs")
class HttpChangeStreamLoadTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(HttpChangeStreamLoadTests.class);

	private static final int SECONDS = Integer.getInteger("ojs.test.stream.seconds", 20);

	private static final int PER_SECOND = Integer.getInteger("ojs.test.stream.rate", 5000);

	private static final int STREAMS = 20;

	@Test
	void streamsKeepUp() {
		List<OpenStream> streams = new ArrayList<>();
		try (PostgresDatabase database = StoreDatabases.create();
				Application application = application()
					.database(database.url(), database.username(), database.password())
					.http()
					.start()) {
			for (int i = 0; i < STREAMS; i++) {
				streams.add(new OpenStream(application.port()).reading());
			}
			await().until(() -> streams.stream().noneMatch((stream) -> stream.comments().isEmpty()));
			JdbcTemplate jdbc = EventFlow.to(database);
			EventFlow.write(jdbc, "warm.up");
			await().until(() -> !streams.get(0).changes().isEmpty());
			int before = streams.get(0).changes().size();
			long cpuBefore = cpu();
			long began = System.nanoTime();
			int written = EventFlow.write(jdbc, SECONDS, PER_SECOND);
			double seconds = (System.nanoTime() - began) / 1e9;
			long cpu = cpu() - cpuBefore;
			EventFlow.write(jdbc, "last");
			long ended = System.nanoTime();
			await().atMost(Duration.ofSeconds(10))
				.pollInterval(Duration.ofMillis(20))
				.until(() -> streams.stream().allMatch((stream) -> stream.count("last") == 1));
			double late = (System.nanoTime() - ended) / 1e9;
			int messages = streams.get(0).changes().size() - before;
			long counted = streams.get(0).count("completed");
			logger.info(
					"{} events in {} s: {} messages a second for each of {} streams, {} events counted, {} of one core, "
							+ "the last event after {} s",
					written, Math.round(seconds * 10) / 10.0, Math.round(messages / seconds * 100) / 100.0, STREAMS,
					counted, Math.round(cpu / seconds / 1e7) + " %", Math.round(late * 100) / 100.0);
			assertThat(messages / seconds).isLessThan(0.7);
			assertThat(late).isLessThan(5);
		}
		finally {
			streams.forEach(OpenStream::close);
		}
	}

	/** The time that the thread of the streams has used. */
	private static long cpu() {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ojs-changes"))
			.mapToLong((thread) -> threads.getThreadCpuTime(thread.getId()))
			.sum();
	}

}
