package io.ojs.test.jobs;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until a test moves it. Safe for use by many threads.
 */
public final class SettableClock extends Clock {

	private final AtomicReference<Instant> now;

	private final ZoneId zone;

	/**
	 * Creates a clock that shows the present time, in UTC.
	 */
	public SettableClock() {
		this(ZoneOffset.UTC);
	}

	/**
	 * Creates a clock that shows the present time.
	 * @param zone the zone of the clock
	 */
	public SettableClock(ZoneId zone) {
		this(new AtomicReference<>(present()), zone);
	}

	private SettableClock(AtomicReference<Instant> now, ZoneId zone) {
		this.now = now;
		this.zone = zone;
	}

	/** The present time in milliseconds, the precision of times in jobs. */
	private static Instant present() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

	/**
	 * Moves the clock forward.
	 * @param duration by how much; a negative duration moves it back
	 */
	public void advance(Duration duration) {
		this.now.updateAndGet((instant) -> instant.plus(duration));
	}

	/**
	 * Sets the clock.
	 * @param instant the time that the clock shows from now on
	 */
	public void set(Instant instant) {
		this.now.set(Objects.requireNonNull(instant, "instant"));
	}

	/**
	 * Sets the clock to the present time.
	 */
	public void reset() {
		this.now.set(present());
	}

	@Override
	public Instant instant() {
		return this.now.get();
	}

	@Override
	public ZoneId getZone() {
		return this.zone;
	}

	/**
	 * Returns this clock in another zone. Both always show the same time.
	 */
	@Override
	public Clock withZone(ZoneId other) {
		return new SettableClock(this.now, other);
	}

	@Override
	public String toString() {
		return "SettableClock[" + instant() + "," + this.zone + "]";
	}

}
