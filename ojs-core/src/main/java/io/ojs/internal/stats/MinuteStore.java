package io.ojs.internal.stats;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the numbers of processes. There are rows for each minute, for ten minutes and for
 * an hour, so that a long time is read from few rows.
 */
public interface MinuteStore {

	/** The lengths of steps in seconds. */
	List<Integer> STEPS = List.of(60, 600, 3600);

	/**
	 * How long rows of the shortest step are kept; the others are kept longer. A longer
	 * time would be too many rows for one answer.
	 */
	Duration MINUTES_KEPT = Duration.ofHours(6);

	/**
	 * Writes rows of a process. A row replaces an earlier one of the same process, step
	 * and group.
	 * @param process its name, at most 128 characters
	 */
	void write(String process, List<MinuteRow> rows);

	/**
	 * Reads rows of all processes.
	 * @param read gets each row, in no order
	 */
	void read(Query query, Consumer<MinuteRow> read);

	/**
	 * Deletes old rows.
	 * @param before deletes rows whose step began before this time
	 * @param minutesBefore the same for rows of the shortest step
	 * @param limit the largest number of rows to delete
	 * @return the number of deleted rows
	 */
	int prune(Instant before, Instant minutesBefore, int limit);

	/**
	 * Which rows to read.
	 *
	 * @param stepSeconds the length of their steps
	 * @param since only steps that begin at this time or later
	 * @param queue only jobs of this queue; {@code null} for all
	 * @param type only jobs of this type; {@code null} for all
	 * @param tenant only jobs of this tenant; {@code null} for all
	 */
	record Query(int stepSeconds, Instant since, @Nullable String queue, @Nullable String type,
			@Nullable String tenant) {

		boolean matches(MinuteRow row) {
			return row.stepSeconds() == this.stepSeconds && !row.at().isBefore(this.since)
					&& (this.queue == null || this.queue.equals(row.group().queue()))
					&& (this.type == null || this.type.equals(row.group().type()))
					&& (this.tenant == null || this.tenant.equals(row.group().tenant()));
		}

	}

}
