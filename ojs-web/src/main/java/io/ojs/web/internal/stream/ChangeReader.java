package io.ojs.web.internal.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import io.ojs.event.internal.EventTail;
import org.jspecify.annotations.Nullable;

/**
 * Reads what has changed since it was asked last. Reads for a limited time, and skips the
 * rest if there is more. Used by one thread at a time.
 */
final class ChangeReader {

	static final int PAGE = 1000;

	/** How long one call reads. */
	private static final Duration BUDGET = Duration.ofMillis(400);

	/**
	 * How long to look for a row whose number is skipped: its transaction may be open. It
	 * may also have been rolled back.
	 */
	private static final Duration LATE = Duration.ofSeconds(10);

	/** The most rows to look for; also how many rows before the first are checked. */
	private static final int MOST_MISSING = 500;

	private final EventTail tail;

	private final LongSupplier nanos;

	/** The last row that was read; {@code null} before the first call. */
	private @Nullable Long last;

	/** Whether the last call failed, and may have lost changes. */
	private boolean failed;

	/** Rows that are missing, and since when. */
	private final TreeMap<Long, Long> missing = new TreeMap<>();

	ChangeReader(EventTail tail, LongSupplier nanos) {
		this.tail = tail;
		this.nanos = nanos;
	}

	/**
	 * Reads changes; the first call reads none.
	 * @param scopes the tenants whose changes are wanted; {@code null} stands for those
	 * of all
	 * @return the changes of each of them, where there are any
	 */
	Map<@Nullable String, Changes> read(Set<@Nullable String> scopes) {
		boolean incomplete = this.failed;
		this.failed = true;
		Map<@Nullable String, Changes> changes = new HashMap<>();
		Long from = this.last;
		if (from == null) {
			long before = Math.max(0, this.tail.end() - MOST_MISSING);
			advance(before, this.tail.after(before, MOST_MISSING), this.nanos.getAsLong());
		}
		else {
			scopes.forEach((scope) -> changes.put(scope, new Changes()));
			incomplete |= !read(from, changes);
			if (incomplete) {
				changes.values().forEach(Changes::addMore);
			}
			changes.values().removeIf(Changes::isEmpty);
		}
		this.failed = false;
		return changes;
	}

	/**
	 * Reads what is after a row.
	 * @return whether that was all
	 */
	private boolean read(long last, Map<@Nullable String, Changes> changes) {
		long began = this.nanos.getAsLong();
		long from = last;
		for (EventTail.Row row : this.tail.at(List.copyOf(this.missing.keySet()))) {
			this.missing.remove(row.seq());
			add(row, changes);
		}
		this.missing.values().removeIf((since) -> began - since > LATE.toNanos());
		List<EventTail.Row> page;
		do {
			page = this.tail.after(from, PAGE);
			page.forEach((row) -> add(row, changes));
			from = advance(from, page, began);
		}
		while (page.size() == PAGE && this.nanos.getAsLong() - began < BUDGET.toNanos());
		long end = (page.size() == PAGE) ? this.tail.end() : from;
		this.last = Math.max(from, end);
		return end <= from;
	}

	/** Notes which rows were read, and which numbers between them are missing. */
	private long advance(long from, List<EventTail.Row> page, long now) {
		long next = from + 1;
		List<Long> skipped = new ArrayList<>();
		for (EventTail.Row row : page) {
			for (long seq = Math.max(next, row.seq() - MOST_MISSING); seq < row.seq(); seq++) {
				skipped.add(seq);
			}
			next = row.seq() + 1;
		}
		skipped.forEach((seq) -> this.missing.put(seq, now));
		while (this.missing.size() > MOST_MISSING) {
			this.missing.pollFirstEntry();
		}
		this.last = next - 1;
		return next - 1;
	}

	private static void add(EventTail.Row row, Map<@Nullable String, Changes> changes) {
		Changes ofAll = changes.get(null);
		Changes ofTenant = (row.tenant() != null) ? changes.get(row.tenant()) : null;
		for (EventTail.Event event : row.events()) {
			if (ofAll != null) {
				ofAll.add(event);
			}
			if (ofTenant != null) {
				ofTenant.add(event);
			}
		}
	}

}
