package io.ojs.rate;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.ojs.job.RateLimit;

import org.jspecify.annotations.Nullable;

/**
 * Counts what one key has let through, and decides who is next. Whoever uses it has the
 * key to themselves until what it says is recorded. Not thread-safe.
 *
 * <p>
 * A {@link RateLimit#rate} counts in windows that follow each other without a gap, from
 * the first start on: at most {@code limit} in each, so at most twice that in any time of
 * the length of one. A {@link RateLimit#throttle} keeps a distance between two starts.
 */
public final class RateMeter {

	private final String key;

	private final Map<Duration, Window> windows = new TreeMap<>();

	private final Map<Duration, Instant> nextStarts = new TreeMap<>();

	private long running;

	/**
	 * Creates a meter.
	 * @param key what is limited
	 * @param running how many are running, or have been let through and are about to
	 */
	public RateMeter(String key, long running) {
		this.key = key;
		this.running = running;
	}

	/**
	 * What is limited.
	 * @return the key
	 */
	public String key() {
		return this.key;
	}

	/**
	 * How many are running or about to.
	 * @return the number
	 */
	public long running() {
		return this.running;
	}

	/**
	 * Recalls a window.
	 * @param period its length
	 * @param window since when, and how many have started
	 */
	public void window(Duration period, Window window) {
		this.windows.put(period, window);
	}

	/**
	 * Recalls when the next may start.
	 * @param interval the distance between two starts
	 * @param at when
	 */
	public void nextStart(Duration interval, Instant at) {
		this.nextStarts.put(interval, at);
	}

	/**
	 * The windows, to be recorded.
	 * @return by their length
	 */
	public Map<Duration, Window> windows() {
		return this.windows;
	}

	/**
	 * When the next may start, to be recorded.
	 * @return by the distance between two starts
	 */
	public Map<Duration, Instant> nextStarts() {
		return this.nextStarts;
	}

	/**
	 * Asks whether a job may start.
	 * @param limit what it says of this key
	 * @param now the present
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
	 * Counts a job that starts.
	 * @param limits what is said of this key, by the job and by others
	 * @param now the present
	 */
	public void started(Collection<RateLimit> limits, Instant now) {
		this.running++;
		startedAgain(limits, now);
	}

	/**
	 * Counts another start of a job that is counted among those that run.
	 * @param limits what is said of this key, by the job and by others
	 * @param now the present
	 */
	public void startedAgain(Collection<RateLimit> limits, Instant now) {
		// Those of others too: each start is one of the key.
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
			// Who comes a little late does not move all those behind them.
			boolean late = !due.plus(interval).isAfter(now);
			this.nextStarts.put(interval, (late ? now : due).plus(interval));
		}
	}

	/**
	 * Until when what was counted makes a difference.
	 * @param now the present
	 * @return the end of the last window, or when the next may start; the present if both
	 * are over
	 */
	public Instant until(Instant now) {
		return Stream
			.of(Stream.of(now), this.nextStarts.values().stream(),
					this.windows.entrySet().stream().map((window) -> window.getValue().since().plus(window.getKey())))
			.flatMap((times) -> times)
			.max(Instant::compareTo)
			.orElse(now);
	}

	/** The window that a moment lies in. */
	private Window at(Duration period, Instant now) {
		Window last = this.windows.get(period);
		if (last == null || now.isBefore(last.since())) {
			return (last != null) ? last : new Window(now, 0);
		}
		long passed = Duration.between(last.since(), now).dividedBy(period);
		return (passed == 0) ? last : new Window(last.since().plus(period.multipliedBy(passed)), 0);
	}

	/**
	 * A time in which starts are counted.
	 *
	 * @param since when it began
	 * @param starts how many have started in it
	 */
	public record Window(Instant since, long starts) {
	}

	/**
	 * A job may not start.
	 *
	 * @param key the key that does not let it
	 * @param until when it may be asked again; {@code null} when another has ended
	 */
	public record Refusal(String key, @Nullable Instant until) {
	}

}
