package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.UUID;

import io.ojs.internal.engine.Times;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A search for existing jobs that a new one would meet.
 *
 * @param candidate the id of the new job
 * @param key its unique key
 * @param state the state of the existing jobs
 * @param since the time after which they were created
 */
record UniqueProbe(UUID candidate, String key, String state, Instant since) implements Dialect.Row {

	@Override
	public @Nullable Object value(String column) {
		return switch (column) {
			case "candidate" -> this.candidate;
			case "unique_key" -> this.key;
			case "state" -> this.state;
			case "ended_as" -> JobState.fromWire(this.state).isTerminal() ? this.state : "";
			case "since" -> Times.micros(this.since);
			default -> throw new IllegalArgumentException("No column " + column + ".");
		};
	}

	/**
	 * An existing job that a new one would meet.
	 *
	 */
	record Match(UUID candidate, UUID existing) {
	}

}
