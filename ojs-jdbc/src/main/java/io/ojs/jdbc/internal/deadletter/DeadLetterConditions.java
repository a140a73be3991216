package io.ojs.jdbc.internal.deadletter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.JobRows;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * A filter for dead letters as SQL conditions, in the form that the indexes of dead
 * letters serve.
 */
final class DeadLetterConditions {

	private final StringBuilder sql = new StringBuilder("dead_lettered_at is not null");

	private final List<Object> parameters = new ArrayList<>();

	DeadLetterConditions(DeadLetterFilter filter) {
		add("dead_letter_queue = ?", filter.queue());
		add("queue = ?", filter.origin());
		add("tenant = ?", filter.tenant());
		type("type", filter.type());
		type("error_type", filter.errorType());
		add("error_hash = ?", (filter.stackHash() != null) ? filter.stackHash().toLowerCase(Locale.ROOT) : null);
		add("dead_lettered_at >= ?", filter.since());
		add("dead_lettered_at < ?", filter.until());
		if (!filter.ids().isEmpty()) {
			add("id = any(?)", JobRows.ids(filter.ids()));
		}
	}

	private void type(String column, @Nullable String pattern) {
		if (pattern == null || !DeadLetterFilter.isPrefix(pattern)) {
			add(column + " = ?", pattern);
			return;
		}
		String prefix = pattern.substring(0, pattern.length() - 1);
		add(column + " like ? escape '!'", prefix.replaceAll("[!%_]", "!$0") + "%");
	}

	/**
	 * Selects only jobs that became dead letters before the one at a place; all for
	 * {@code null}.
	 */
	DeadLetterConditions olderThan(@Nullable DeadLetterCursor place) {
		return beyond("<", place);
	}

	/**
	 * Selects only jobs that became dead letters after the one at a place; all for
	 * {@code null}.
	 */
	DeadLetterConditions newerThan(@Nullable DeadLetterCursor place) {
		return beyond(">", place);
	}

	private DeadLetterConditions beyond(String comparison, @Nullable DeadLetterCursor place) {
		if (place != null) {
			// The second condition implies the first, by which H2 finds its index.
			add("dead_lettered_at %s= ?".formatted(comparison), place.deadLetteredAt());
			add("(dead_lettered_at, id) %s (?, ?)".formatted(comparison), place.deadLetteredAt(),
					UUID.fromString(place.jobId()));
		}
		return this;
	}

	private void add(String condition, @Nullable Object... values) {
		if (values[0] != null) {
			this.sql.append(" and ").append(condition);
			this.parameters.addAll(List.of(values));
		}
	}

	/** The conditions, to be written after {@code where}. */
	String sql() {
		return this.sql.toString();
	}

	/**
	 * Returns a setter of the parameters.
	 * @param before parameters before the conditions
	 * @param after parameters after the conditions
	 */
	PreparedStatementSetter parameters(List<?> before, Object... after) {
		List<Object> all = new ArrayList<>(before);
		all.addAll(this.parameters);
		all.addAll(List.of(after));
		return setter(all);
	}

	/** The parameters of the conditions. */
	List<Object> values() {
		return List.copyOf(this.parameters);
	}

	/** Returns a setter of parameters. */
	static PreparedStatementSetter setter(List<Object> all) {
		return (statement) -> {
			for (int i = 0; i < all.size(); i++) {
				Object value = all.get(i);
				if (value instanceof List<?> ids) {
					statement.setArray(i + 1, statement.getConnection().createArrayOf("uuid", ids.toArray()));
				}
				else {
					statement.setObject(i + 1, (value instanceof Instant time) ? Times.utc(time) : value);
				}
			}
		};
	}

}
