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
 * A clock that stands still until somebody moves it. Safe for use by many threads.
 */
public final class SettableClock extends Clock {

	private final AtomicReference<Instant> now;

	private final ZoneId zone;

	/**
	 * Creates a clock that stands at the present.
	 */
	public SettableClock() {
		this(ZoneOffset.UTC);
	}

	/**
	 * Creates a clock that stands at the present.
	 * @param zone the zone of what is made by it
	 */
	public SettableClock(ZoneId zone) {
		this(new AtomicReference<>(present()), zone);
	}

	private SettableClock(AtomicReference<Instant> now, ZoneId zone) {
		this.now = now;
		this.zone = zone;
	}

	/** As exact as jobs are when they travel. */
	private static Instant present() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

	/**
	 * Moves it on.
	 * @param duration by how much; back, if it is negative
	 */
	public void advance(Duration duration) {
		this.now.updateAndGet((instant) -> instant.plus(duration));
	}

	/**
	 * Sets it.
	 * @param instant what it shows from now on
	 */
	public void set(Instant instant) {
		this.now.set(Objects.requireNonNull(instant, "instant"));
	}

	/**
	 * Sets it to the present.
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
	 * The same clock in another zone: they move together.
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
