package io.ojs.internal.rate;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the starts under one key, and decides whether another job may start. The caller
 * must hold the lock on the key until it has recorded the result. Not thread-safe.
 *
 * <p>
 * A {@link RateLimit#rate} counts starts in windows that follow each other without a gap,
 * from the first start on. At most {@code limit} jobs start in each window, so at most
 * twice as many in any period of the same length. A {@link RateLimit#throttle} keeps an
 * interval between two starts.
 */
public final class RateMeter {

	private final String key;

	private final Map<Duration, Window> windows = new TreeMap<>();

	private final Map<Duration, Instant> nextStarts = new TreeMap<>();

	private long running;

	/**
	 * Creates a meter.
	 * @param running how many jobs are running, or are let through and have not started
	 */
	public RateMeter(String key, long running) {
		this.key = key;
		this.running = running;
	}

	/** The key of the limit. */
	public String key() {
		return this.key;
	}

	/** How many jobs are running, or are let through and have not started. */
	public long running() {
		return this.running;
	}

	/** Restores a recorded window. */
	public void window(Duration period, Window window) {
		this.windows.put(period, window);
	}

	/** Restores the recorded time of the next start. */
	public void nextStart(Duration interval, Instant at) {
		this.nextStarts.put(interval, at);
	}

	/** The windows to record. */
	public Map<Duration, Window> windows() {
		return this.windows;
	}

	/**
	 * The times of the next starts to record.
	 * @return the times by the interval between two starts
	 */
	public Map<Duration, Instant> nextStarts() {
		return this.nextStarts;
	}

	/**
	 * Decides whether a job may start.
	 * @param limit the limit of the job for this key
	 * @return {@code null} if it may
	 */
	public @Nullable Refusal ask(RateLimit limit, Instant now) {
		if (limit.concurrency() != null && this.running >= limit.concurrency()) {
			return new Refusal(this.key, null);
		}
		Instant until = now;
		if (limit.rate() != null) {
			Window window = at(limit.rate().period(), now);
			if (window.starts() >= limit.rate().limit()) {
				until = window.since().plus(limit.rate().period());
			}
		}
		if (limit.throttle() != null) {
			Instant next = this.nextStarts.get(limit.throttle().interval());
			until = (next != null && next.isAfter(until)) ? next : until;
		}
		return until.isAfter(now) ? new Refusal(this.key, until) : null;
	}

	/**
	 * Counts the start of a job.
	 * @param limits the limits for this key, of the job, its queue and its tenant
	 */
	public void started(Collection<RateLimit> limits, Instant now) {
		this.running++;
		startedAgain(limits, now);
	}

	/**
	 * Counts another start of a job that already counts as running.
	 * @param limits the limits for this key, of the job, its queue and its tenant
	 */
	public void startedAgain(Collection<RateLimit> limits, Instant now) {
		// Also in the windows and intervals of other limits with this key: each start
		// counts for all.
		Set<Duration> periods = new TreeSet<>(this.windows.keySet());
		Set<Duration> intervals = new TreeSet<>(this.nextStarts.keySet());
		for (RateLimit limit : limits) {
			if (limit.rate() != null) {
				periods.add(limit.rate().period());
			}
			if (limit.throttle() != null) {
				intervals.add(limit.throttle().interval());
			}
		}
		for (Duration period : periods) {
			Window window = at(period, now);
			this.windows.put(period, new Window(window.since(), window.starts() + 1));
		}
		for (Duration interval : intervals) {
			Instant due = this.nextStarts.getOrDefault(interval, now);
			// A start that is late by less than the interval does not delay the following
			// ones.
			boolean late = !due.plus(interval).isAfter(now);
			this.nextStarts.put(interval, (late ? now : due).plus(interval));
		}
	}

	/**
	 * The time until which the counts make a difference.
	 * @return the latest of the ends of windows and the times of next starts; the present
	 * time if all of them are over
	 */
	public Instant until(Instant now) {
		return Stream
			.of(Stream.of(now), this.nextStarts.values().stream(),
					this.windows.entrySet().stream().map((window) -> window.getValue().since().plus(window.getKey())))
			.flatMap((times) -> times)
			.max(Instant::compareTo)
			.orElse(now);
	}

	/** The window that contains a time. */
	private Window at(Duration period, Instant now) {
		Window last = this.windows.get(period);
		if (last == null || now.isBefore(last.since())) {
			return (last != null) ? last : new Window(now, 0);
		}
		long passed = Duration.between(last.since(), now).dividedBy(period);
		return (passed == 0) ? last : new Window(last.since().plus(period.multipliedBy(passed)), 0);
	}

	/**
	 * A period in which starts are counted.
	 *
	 * @param starts how many jobs have started in it
	 */
	public record Window(Instant since, long starts) {
	}

	/**
	 * A job may not start.
	 *
	 * @param until when the job may be checked again; {@code null} for when another job
	 * has ended
	 */
	public record Refusal(String key, @Nullable Instant until) {
	}

}
