package io.ojs.internal.stats;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Answers how many jobs ended over time, from the numbers that processes have written.
 */
public final class Stats {

	/** How many points a series has at most. */
	public static final int MOST_POINTS = 1500;

	/** How many series an answer has at most; all others are one. */
	public static final int MOST_SERIES = 100;

	private static final int MINUTE = 60;

	private static final int TEN_MINUTES = 600;

	private static final int HOUR = 3600;

	private final MinuteStore store;

	private final @Nullable MinuteRecorder own;

	private final Clock clock;

	/**
	 * Creates statistics.
	 * @param own the recorder of this process if the store has the numbers of this
	 * process alone; {@code null} if processes share it
	 */
	public Stats(MinuteStore store, @Nullable MinuteRecorder own, Clock clock) {
		this.store = store;
		this.own = own;
		this.clock = clock;
	}

	/** Whether the numbers are those of all processes. */
	public boolean isShared() {
		return this.own == null;
	}

	/**
	 * Reads series.
	 * @param since when they begin
	 * @param stepSeconds the shortest step that is wanted, 60 or more
	 */
	public Answer read(Instant since, int stepSeconds, By by, @Nullable String queue, @Nullable String type,
			@Nullable String tenant) {
		if (this.own != null) {
			this.own.flush(this.store);
		}
		Instant now = this.clock.instant();
		int step = step(Duration.between(since, now), stepSeconds);
		Instant first = floor(since, step);
		int stored = (step % HOUR == 0) ? HOUR : (step % TEN_MINUTES == 0) ? TEN_MINUTES : MINUTE;
		Map<String, Map<Instant, Numbers>> series = new LinkedHashMap<>();
		this.store.read(new MinuteStore.Query(stored, first, queue, type, tenant),
				(row) -> series.computeIfAbsent(by.key.apply(row.group()), (key) -> new TreeMap<>())
					.computeIfAbsent(floor(row.at(), step), (at) -> new Numbers())
					.add(row.numbers()));
		return new Answer(step, first, now, largest(series));
	}

	private static Instant floor(Instant time, int step) {
		return Instant.ofEpochSecond(Math.floorDiv(time.getEpochSecond(), step) * (long) step);
	}

	/** Rows of minutes are not kept as long, and there must not be too many points. */
	private static int step(Duration span, int wanted) {
		long least = Math.max(wanted, Math.max(0, span.toSeconds()) / MOST_POINTS + 1);
		if (span.compareTo(MinuteStore.MINUTES_KEPT) > 0) {
			least = Math.max(least, TEN_MINUTES);
		}
		int unit = (least > HOUR) ? HOUR
				: (least >= TEN_MINUTES && span.compareTo(MinuteStore.MINUTES_KEPT) > 0) ? TEN_MINUTES : MINUTE;
		return (int) ((least + unit - 1) / unit * unit);
	}

	private static List<Series> largest(Map<String, Map<Instant, Numbers>> series) {
		List<Series> all = new ArrayList<>();
		series.forEach((key, points) -> all.add(new Series(key, points)));
		all.sort(Comparator.comparing(Series::count).reversed().thenComparing(Series::key));
		if (all.size() <= MOST_SERIES) {
			return all;
		}
		Map<Instant, Numbers> others = new TreeMap<>();
		all.subList(MOST_SERIES - 1, all.size())
			.forEach((each) -> each.points()
				.forEach((at, numbers) -> others.computeIfAbsent(at, (time) -> new Numbers()).add(numbers)));
		List<Series> largest = new ArrayList<>(all.subList(0, MOST_SERIES - 1));
		largest.add(new Series("other", others));
		return largest;
	}

	/**
	 * What series are made of.
	 */
	public enum By {

		/** One series of all jobs. */
		NONE((group) -> ""),

		/** A series for each queue. */
		QUEUE(JobGroup::queue),

		/** A series for each type. */
		TYPE(JobGroup::type),

		/** A series for each tenant; one without a key for jobs without a tenant. */
		TENANT(JobGroup::tenant);

		private final Function<JobGroup, String> key;

		By(Function<JobGroup, String> key) {
			this.key = key;
		}

	}

	/**
	 * Series of numbers.
	 *
	 * @param stepSeconds the distance of two points; a step without jobs has no point
	 */
	public record Answer(int stepSeconds, Instant since, Instant until, List<Series> series) {
	}

	/**
	 * The numbers of jobs over time.
	 *
	 * @param key what the jobs have in common; empty if nothing
	 * @param points the numbers, by the beginning of their step
	 */
	public record Series(String key, Map<Instant, Numbers> points) {

		long count() {
			return this.points.values().stream().mapToLong(Numbers::count).sum();
		}

	}

}
