package io.ojs.tenant.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Knows how many jobs of one tenant may be in a queue of the broker at a time, so that
 * those of others do not wait behind all that it has (OJS Multi-Tenancy §7). What is kept
 * here is a hint, and of this process alone: which jobs wait for their turn is said by
 * the store. Safe for use by many threads.
 */
public final class FairShares {

	/** Default of how large a window becomes at most. */
	public static final int DEFAULT_MAX_WINDOW = 500;

	/** A window that cannot become larger than that would be too small. */
	public static final int LEAST_MAX_WINDOW = 10;

	/** Every window begins with that. */
	static final int FIRST_WINDOW = 10;

	/** It is not worth while to have fewer at the broker. */
	static final int LEAST_WINDOW = 5;

	/** A window that has to be filled more often is too small. */
	private static final Duration OFTEN = Duration.ofMillis(25);

	/** One that has to be filled more rarely is too large. */
	private static final Duration ENOUGH = Duration.ofMillis(50);

	/** One that is nearly full and was not filled for so long is too large. */
	private static final Duration RARELY = Duration.ofMillis(250);

	/** The first of those that grow. */
	private static final Duration PAUSE = Duration.ofMillis(50);

	/** What is looked for in vain so often can wait until somebody looks anyway. */
	private static final int MOST_IN_VAIN = 5;

	private final boolean enabled;

	private final int maxWindow;

	private final Map<String, Line> lines = new ConcurrentHashMap<>();

	/** How often in a row nothing could go on. */
	private final AtomicInteger vain = new AtomicInteger();

	/** Whose job was the last that somebody fetched, by queue. */
	private final Map<String, String> served = new ConcurrentHashMap<>();

	/**
	 * Creates it, with the default window.
	 * @param enabled whether jobs are held back here; those that are held back already
	 * get their turn either way
	 */
	public FairShares(boolean enabled) {
		this(enabled, DEFAULT_MAX_WINDOW);
	}

	/**
	 * Creates it.
	 * @param enabled whether jobs are held back here; those that are held back already
	 * get their turn either way
	 * @param maxWindow how many jobs tenants whose jobs wait have at the broker at most,
	 * all of them together and in one queue; 10 or more
	 */
	public FairShares(boolean enabled, int maxWindow) {
		if (maxWindow < LEAST_MAX_WINDOW) {
			throw new IllegalArgumentException(
					"A window of %d is too small; it must be %d or more.".formatted(maxWindow, LEAST_MAX_WINDOW));
		}
		this.enabled = enabled;
		this.maxWindow = maxWindow;
	}

	/**
	 * Whether jobs are held back here.
	 * @return whether they are
	 */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * How many jobs one tenant may have at the broker.
	 * @param queue the OJS queue
	 * @return how many, 1 or more
	 */
	public int share(String queue) {
		return line(queue).share();
	}

	private Line line(String queue) {
		return this.lines.getOrDefault(queue, Line.NEW);
	}

	/**
	 * Notes that jobs of a queue wait for their turn.
	 * @param queue the OJS queue
	 * @return whether that was not known
	 */
	public boolean waiting(String queue) {
		boolean known = line(queue).waiting();
		if (!known) {
			this.vain.set(0);
			this.lines.compute(queue, (key, line) -> ((line != null) ? line : Line.NEW).withWaiting());
		}
		return !known;
	}

	/**
	 * How soon to look whether jobs that wait may go on. Mostly somebody says so before.
	 * @return how soon; empty if there is no hurry
	 */
	public Optional<Duration> pause() {
		Duration pause = PAUSE.multipliedBy(1L << Math.min(MOST_IN_VAIN, this.vain.get()));
		return (this.vain.get() < MOST_IN_VAIN && this.lines.values().stream().anyMatch(Line::waiting))
				? Optional.of(pause) : Optional.empty();
	}

	/**
	 * Notes that jobs have started that the broker had.
	 * @param queue the OJS queue
	 * @param jobs how many
	 * @return whether so many have that it is time to let others go on
	 */
	public boolean started(String queue, int jobs) {
		Line line = this.lines.computeIfPresent(queue, (key, known) -> known.withStarted(jobs));
		return line != null && line.isDue();
	}

	/**
	 * Says what was found of a queue whose jobs wait, before any of them go on.
	 * @param queue the OJS queue
	 * @param demand what was found
	 * @param now when
	 * @return how many jobs one tenant may have at the broker
	 */
	public int found(String queue, Demand demand, Instant now) {
		return this.lines
			.compute(queue, (key, line) -> ((line != null) ? line : Line.NEW).found(demand, now, this.maxWindow))
			.share();
	}

	/**
	 * Says that jobs go on.
	 * @param queue the OJS queue
	 * @param demand what was found before
	 * @param jobs how many the shares had room for
	 * @param now when
	 */
	public void filled(String queue, Demand demand, int jobs, Instant now) {
		this.vain.set(0);
		this.lines.computeIfPresent(queue, (key, line) -> line.filled(demand, jobs, now, this.maxWindow));
	}

	/**
	 * Says whose jobs wait, so that all others are known not to.
	 * @param queues the OJS queues with jobs that wait
	 */
	public void waitingOnly(Set<String> queues) {
		this.vain.incrementAndGet();
		this.lines.replaceAll((queue, line) -> queues.contains(queue) ? line : line.withoutWaiting());
	}

	/**
	 * Who had the last turn among those whose jobs are fetched.
	 * @param queue the OJS queue
	 * @return the tenant; an empty text if nobody had one
	 */
	public String served(String queue) {
		return this.served.getOrDefault(queue, "");
	}

	/**
	 * Notes who had a turn.
	 * @param queue the OJS queue
	 * @param tenant the tenant
	 */
	public void serve(String queue, String tenant) {
		this.served.put(queue, tenant);
	}

	/**
	 * What was found of a queue.
	 *
	 * @param tenants how many tenants have jobs that wait for their turn
	 * @param atBroker how many jobs these have at the broker
	 * @param active how many jobs of the queue are running
	 * @param workers on how many processes
	 */
	public record Demand(int tenants, int atBroker, int active, int workers) {

		private boolean isNearlyDry() {
			return this.atBroker < Math.max(1, this.active);
		}

	}

	/**
	 * What is known of a queue.
	 *
	 * @param window how many jobs tenants whose jobs wait have at the broker together
	 * @param tenants how many these are
	 * @param workers how many processes work its jobs
	 * @param started how many have started here since they were looked for
	 * @param waiting whether jobs wait
	 * @param level how many jobs were at the broker when the window was filled last
	 * @param filledAt when that was; {@code null} if it was not
	 */
	private record Line(int window, int tenants, int workers, int started, boolean waiting, int level,
			@Nullable Instant filledAt) {

		static final Line NEW = new Line(FIRST_WINDOW, 1, 1, 0, false, 0, null);

		int share() {
			return Math.max(1, this.window / Math.max(1, this.tenants));
		}

		/** Others fill it as well: a quarter of it is what all have started together. */
		boolean isDue() {
			return this.waiting && this.started >= Math.max(1, this.window / (4 * Math.max(1, this.workers)));
		}

		Line withWaiting() {
			return new Line(this.window, this.tenants, this.workers, this.started, true, this.level, this.filledAt);
		}

		Line withoutWaiting() {
			return this.waiting ? new Line(this.window, 1, this.workers, 0, false, this.level, this.filledAt) : this;
		}

		Line withStarted(int jobs) {
			return this.waiting ? new Line(this.window, this.tenants, this.workers, this.started + jobs, true,
					this.level, this.filledAt) : this;
		}

		private static int least(Demand demand, int most) {
			return Math.min(most, Math.max(LEAST_WINDOW, demand.active()));
		}

		Line found(Demand demand, Instant now, int most) {
			int least = least(demand, most);
			int size = Math.max(least, this.window);
			boolean rare = this.filledAt != null && Duration.between(this.filledAt, now).compareTo(RARELY) > 0;
			if (rare && !demand.isNearlyDry() && demand.atBroker() >= size - size / 4) {
				size = Math.max(least, size - Math.max(1, size / 8));
			}
			return new Line(size, demand.tenants(), demand.workers(), 0, true, this.level, this.filledAt);
		}

		Line filled(Demand demand, int jobs, Instant now, int most) {
			Duration since = (this.filledAt != null) ? Duration.between(this.filledAt, now) : ENOUGH;
			boolean often = since.compareTo(OFTEN) < 0 && this.level - demand.atBroker() >= this.window / 4;
			int size = this.window;
			if (often || demand.isNearlyDry()) {
				size = Math.min(most, size * 2);
			}
			else if (since.compareTo(ENOUGH) > 0 && demand.atBroker() >= size / 2) {
				size = Math.max(least(demand, most), size - Math.max(1, size / 8));
			}
			return new Line(size, this.tenants, this.workers, this.started, this.waiting, demand.atBroker() + jobs,
					now);
		}

	}

}
