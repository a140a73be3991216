package io.ojs.test.jobs;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A clock that is moved by hand.
 */
class SettableClockTests {

	private final SettableClock clock = new SettableClock();

	@Test
	void standsStillUntilItIsMoved() {
		Instant began = this.clock.instant();
		assertThat(began).isBetween(Instant.now().minusSeconds(60), Instant.now());
		assertThat(this.clock.instant()).isEqualTo(began);
		this.clock.advance(Duration.ofDays(1));
		assertThat(this.clock.instant()).isEqualTo(began.plus(Duration.ofDays(1)));
		this.clock.set(Instant.EPOCH);
		assertThat(this.clock.millis()).isZero();
		this.clock.reset();
		assertThat(this.clock.instant()).isAfterOrEqualTo(began);
	}

	@Test
	void isTheSameInEveryZone() {
		Clock there = this.clock.withZone(ZoneId.of("Europe/Berlin"));
		this.clock.set(Instant.parse("2030-01-01T00:00:00Z"));
		assertThat(there.instant()).isEqualTo(this.clock.instant());
		assertThat(there.getZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
	}

}
