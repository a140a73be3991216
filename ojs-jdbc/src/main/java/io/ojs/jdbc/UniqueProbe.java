package io.ojs.jdbc;

import java.time.Instant;
import java.util.UUID;

import io.ojs.engine.Times;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A look for jobs that a new one would meet.
 *
 * @param candidate the new job
 * @param key its key
 * @param state the state in which others would be met
 * @param since when they were created, at the earliest
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
	 * A job that a new one would meet.
	 *
	 * @param candidate the new job
	 * @param existing the existing one
	 */
	record Match(UUID candidate, UUID existing) {
	}

}
