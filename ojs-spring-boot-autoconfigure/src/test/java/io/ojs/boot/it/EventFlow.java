package io.ojs.boot.it;

import java.time.Duration;
import java.util.UUID;
import java.util.stream.IntStream;

import io.ojs.test.internal.database.PostgresDatabase;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.awaitility.Awaitility.await;

/**
 * Writes events of jobs into the store, as processes do that work thousands of jobs a
 * second.
 */
public final class EventFlow {

	private static final int ROUNDS_PER_SECOND = 10;

	private EventFlow() {
	}

	/** The database, by a connection that the application does not know. */
	public static JdbcTemplate to(PostgresDatabase database) {
		return new JdbcTemplate(
				new SingleConnectionDataSource(database.url(), database.username(), database.password(), true));
	}

	/** Writes completed jobs for some seconds, and returns how many. */
	public static int write(JdbcTemplate jdbc, int seconds, int perSecond) {
		long began = System.nanoTime();
		int rounds = seconds * ROUNDS_PER_SECOND;
		for (int round = 0; round < rounds; round++) {
			write(jdbc, perSecond / ROUNDS_PER_SECOND, "completed");
			long left = began + Duration.ofSeconds(1).toNanos() * (round + 1) / ROUNDS_PER_SECOND - System.nanoTime();
			if (left > 0) {
				await().pollDelay(Duration.ofNanos(left)).until(() -> true);
			}
		}
		return rounds * (perSecond / ROUNDS_PER_SECOND);
	}

	/** Writes one event. */
	static void write(JdbcTemplate jdbc, String type) {
		write(jdbc, 1, type);
	}

	private static void write(JdbcTemplate jdbc, int count, String type) {
		jdbc.batchUpdate(
				"insert into ojs_event (source, occurred_at, events) values ('ojs://load', current_timestamp, ?)",
				IntStream.range(0, count).mapToObj((i) -> {
					String id = UUID.randomUUID().toString();
					return new Object[] {
							"[{\"id\":\"evt_%s\",\"type\":\"job.%s\",\"subject\":\"%s\",\"queue\":\"q%d\",\"data\":\"{\\\"job_type\\\":\\\"email.send\\\",\\\"queue\\\":\\\"mail\\\",\\\"attempt\\\":1}\"}]"
								.formatted(id, type, id, i % 7) };
				}).toList());
	}

}
