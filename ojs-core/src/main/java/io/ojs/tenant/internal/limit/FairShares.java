package io.ojs.tenant.internal.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.retry.internal.Backoff;
import org.jspecify.annotations.Nullable;

/**
 * Computes how many jobs of one tenant may be in a queue of the broker at a time, so that
 * jobs of other tenants do not wait behind all of them (OJS Multi-Tenancy §7). The values
 * are hints of this process alone; the store has which jobs wait for their turn.
 * Thread-safe.
 */
public final class FairShares {

	/** The default of the largest window. */
	public static final int DEFAULT_MAX_WINDOW = 500;

	/** The smallest value that is allowed for the largest window. */
	public static final int LEAST_MAX_WINDOW = 10;

	/**
	 * The largest value that is allowed for the largest window: the store counts no more
	 * jobs of a tenant.
	 */
	public static final int MOST_MAX_WINDOW = 1000;

	/** The size of a new window. */
	static final int FIRST_WINDOW = 10;

	/**
	 * The smallest window: fewer jobs at the broker would not be worth their overhead.
	 */
	static final int LEAST_WINDOW = 5;

	/** A window that is refilled at shorter intervals is too small. */
	private static final Duration OFTEN = Duration.ofMillis(25);

	/** A window that is refilled at longer intervals is too large. */
	private static final Duration ENOUGH = Duration.ofMillis(50);

	/** A window that is nearly full and was not refilled for longer is too large. */
	private static final Duration RARELY = Duration.ofMillis(250);

	/** The pauses while nothing can be published. */
	private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

	/** After so many checks in vain, a regular check is soon enough. */
	private static final int MOST_IN_VAIN = 5;

	private final boolean enabled;

	private final int maxWindow;

	private final Map<String, Line> lines = new ConcurrentHashMap<>();

	/** How many checks in a row found no job to publish. */
	private final AtomicInteger vain = new AtomicInteger();

	/** By queue, the tenant of the job that was fetched last. */
	private final Map<String, String> served = new ConcurrentHashMap<>();

	/**
	 * Creates the shares with the default of the largest window.
	 * @param enabled whether this process holds jobs back; it publishes jobs that are
	 * held back in either case
	 */
	public FairShares(boolean enabled) {
		this(enabled, DEFAULT_MAX_WINDOW);
	}

	/**
	 * Creates the shares.
	 * @param enabled whether this process holds jobs back; it publishes jobs that are
	 * held back in either case
	 * @param maxWindow the most jobs that all tenants with waiting jobs together have at
	 * the broker in one queue; 10 to 1000
	 */
	public FairShares(boolean enabled, int maxWindow) {
		if (maxWindow < LEAST_MAX_WINDOW || maxWindow > MOST_MAX_WINDOW) {
			throw new IllegalArgumentException("A window of %d is out of range; it must be between %d and %d."
				.formatted(maxWindow, LEAST_MAX_WINDOW, MOST_MAX_WINDOW));
		}
		this.enabled = enabled;
		this.maxWindow = maxWindow;
	}

	/**
	 * Whether this process holds jobs back.
	 * @return whether it does
	 */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * How many jobs one tenant may have at the broker.
	 * @return the number, 1 or more
	 */
	public int share(String queue) {
		return line(queue).share();
	}

	private Line line(String queue) {
		return this.lines.getOrDefault(queue, Line.NEW);
	}

	/**
	 * Records that jobs of a queue wait for their turn.
	 * @return whether this was unknown
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
	 * When to check again whether waiting jobs may be published. Usually a start of jobs
	 * triggers the check before.
	 * @return the pause until then; empty if a regular check is soon enough
	 */
	public Optional<Duration> pause() {
		int checks = this.vain.get();
		return (checks < MOST_IN_VAIN && this.lines.values().stream().anyMatch(Line::waiting))
				? Optional.of(BACKOFF.withoutJitter(checks + 1)) : Optional.empty();
	}

	/**
	 * Records the start of jobs that had their turn.
	 * @return whether enough jobs have started since the last check to publish others
	 */
	public boolean started(String queue, int jobs) {
		Line line = this.lines.computeIfPresent(queue, (key, known) -> known.withStarted(jobs));
		return line != null && line.isDue();
	}

	/**
	 * Records the demand for a queue with waiting jobs, before any of them is published.
	 * @return how many jobs one tenant may have at the broker
	 */
	public int found(String queue, Demand demand, Instant now) {
		return this.lines
			.compute(queue, (key, line) -> ((line != null) ? line : Line.NEW).found(demand, now, this.maxWindow))
			.share();
	}

	/**
	 * Records that waiting jobs are published.
	 * @param demand the demand, as it was before
	 * @param jobs for how many jobs the shares have room
	 */
	public void filled(String queue, Demand demand, int jobs, Instant now) {
		this.vain.set(0);
		this.lines.computeIfPresent(queue, (key, line) -> line.filled(demand, jobs, now, this.maxWindow));
	}

	/** Records all queues with waiting jobs. No other queue has any. */
	public void waitingOnly(Set<String> queues) {
		this.vain.incrementAndGet();
		this.lines.replaceAll((queue, line) -> queues.contains(queue) ? line : line.withoutWaiting());
	}

	/**
	 * The tenant whose job was fetched last.
	 * @return the id of the tenant; empty text if there is none
	 */
	public String served(String queue) {
		return this.served.getOrDefault(queue, "");
	}

	/** Records the tenant whose job was fetched last. */
	public void serve(String queue, String tenant) {
		this.served.put(queue, tenant);
	}

	/**
	 * The demand for a queue.
	 *
	 * @param tenants how many tenants have jobs that wait for their turn
	 * @param atBroker how many jobs these tenants have at the broker
	 * @param active how many jobs of the queue are running
	 */
	public record Demand(int tenants, int atBroker, int active, int workers) {

		private boolean isNearlyDry() {
			return this.atBroker < Math.max(1, this.active);
		}

	}

	/**
	 * The state of a queue.
	 *
	 * @param window how many jobs all tenants with waiting jobs together have at the
	 * broker
	 * @param workers how many processes run jobs of the queue
	 * @param started how many jobs have started here since the last check
	 * @param waiting whether jobs wait
	 * @param level how many jobs were at the broker after the last refill
	 * @param filledAt when the window was last refilled; {@code null} if never
	 */
	private record Line(int window, int tenants, int workers, int started, boolean waiting, int level,
			@Nullable Instant filledAt) {

		static final Line NEW = new Line(FIRST_WINDOW, 1, 1, 0, false, 0, null);

		int share() {
			return Math.max(1, this.window / Math.max(1, this.tenants));
		}

		/**
		 * Whether a quarter of the window has started, assuming that the other processes
		 * have started as many jobs as this one.
		 */
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
