package io.ojs.jdbc.internal.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.inspect.PastEvent;
import io.ojs.internal.log.SafeLogger;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.core.JacksonException;

/**
 * Finds the events of a job. No index has them by job, so the query looks around the
 * times that the row has, and around the starts that these events tell.
 */
final class JobEventsQuery {

	/** How long before a time of the row an event may be. */
	private static final Duration BEFORE = Duration.ofMillis(200);

	/** How long after a time of the row its transaction may have been. */
	private static final Duration AFTER = Duration.ofSeconds(2);

	/** Around how many errors the query looks, the latest first. */
	private static final int ERRORS = 10;

	private static final String WINDOW = "select seq, occurred_at, events from ojs_event where occurred_at >= ? "
			+ "and occurred_at < ? and events like ? order by seq";

	private static final Logger logger = SafeLogger.of(JobEventsQuery.class);

	private final StoreDatabase database;

	JobEventsQuery(StoreDatabase database) {
		this.database = database;
	}

	List<PastEvent> of(JobRow row, List<JobError> errors) {
		NavigableMap<Long, List<PastEvent>> found = new TreeMap<>();
		List<Window> windows = windows(times(row, errors));
		windows.forEach((window) -> read(row.id, window, found));
		Set<Instant> starts = new TreeSet<>();
		events(found).forEach((event) -> {
			if (event.data().get("duration_ms") instanceof Number ran) {
				starts.add(event.at().minusMillis(ran.longValue()));
			}
		});
		starts.removeIf((start) -> windows.stream().anyMatch((window) -> window.contains(start)));
		windows(starts).forEach((window) -> read(row.id, window, found));
		return events(found).sorted(Comparator.comparing(PastEvent::at)).toList();
	}

	private static Stream<PastEvent> events(Map<Long, List<PastEvent>> found) {
		return found.values().stream().flatMap(List::stream);
	}

	private static Set<Instant> times(JobRow row, List<JobError> errors) {
		Set<Instant> times = new TreeSet<>();
		Stream.of(row.createdAt, row.enqueuedAt, row.startedAt, row.endedAt, row.deadLetteredAt, row.scheduledAt)
			.filter(Objects::nonNull)
			.forEach(times::add);
		times.addAll(row.replayTimes());
		errors.subList(Math.max(0, errors.size() - ERRORS), errors.size())
			.forEach((error) -> times.add(error.occurredAt().toInstant()));
		return times;
	}

	/** Joins windows that overlap. */
	private static List<Window> windows(Set<Instant> times) {
		List<Window> windows = new ArrayList<>();
		for (Instant time : times) {
			Window last = windows.isEmpty() ? null : windows.get(windows.size() - 1);
			Window next = new Window(time.minus(BEFORE), time.plus(AFTER));
			if (last != null && !next.from().isAfter(last.until())) {
				windows.set(windows.size() - 1, new Window(last.from(), next.until()));
			}
			else {
				windows.add(next);
			}
		}
		return windows;
	}

	private void read(UUID jobId, Window window, Map<Long, List<PastEvent>> found) {
		this.database.jdbc().query(WINDOW, (row) -> {
			found.put(row.getLong("seq"),
					read(jobId.toString(), SqlTimes.instant(row, "occurred_at"), row.getString("events")));
		}, Times.utc(window.from()), Times.utc(window.until()), "%\"" + jobId + "\"%");
	}

	/** Reads the events of a row. A row that cannot be read has none. */
	private List<PastEvent> read(String jobId, Instant at, String text) {
		JsonText json = this.database.codec().json();
		List<PastEvent> events = new ArrayList<>();
		try {
			for (Map<String, @Nullable Object> event : json.readObjects(text)) {
				if (jobId.equals(event.get("subject"))) {
					events.add(new PastEvent(String.valueOf(event.get("type")), at,
							json.readObject(String.valueOf(event.get("data")))));
				}
			}
		}
		catch (JacksonException | ClassCastException ex) {
			logger.warn("Events of job '{}' cannot be read, and its history lacks them.", jobId, ex);
		}
		return events;
	}

	/**
	 * A part of the feed.
	 *
	 */
	private record Window(Instant from, Instant until) {

		boolean contains(Instant time) {
			return !time.isBefore(this.from) && time.isBefore(this.until);
		}

	}

}
