package io.ojs;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until it is moved.
 */
public final class TestClock extends Clock {

	/** What it shows at first. */
	public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

	private volatile Instant now = START;

	/**
	 * Moves it.
	 * @param duration by how much
	 */
	public void advance(Duration duration) {
		this.now = this.now.plus(duration);
	}

	@Override
	public Instant instant() {
		return this.now;
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		return this;
	}

}
