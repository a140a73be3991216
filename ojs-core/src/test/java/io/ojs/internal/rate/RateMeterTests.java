package io.ojs.internal.rate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.ojs.job.InvalidJobException;
import io.ojs.job.RateLimit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who may start, and when the next one may.
 */
class RateMeterTests {

	private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

	private final RateMeter meter = new RateMeter("api", 0);

	/** Starts whatever is let through at a time. */
	private int start(RateLimit limit, Instant at) {
		int started = 0;
		while (started < 1000 && this.meter.ask(limit, at) == null) {
			this.meter.started(List.of(limit), at);
			started++;
		}
		return started;
	}

	@Test
	void periodsFollowEachOtherWithoutAGap() {
		RateLimit limit = RateLimit.of("api").rate(50, Duration.ofSeconds(1));
		int started = 0;
		// Whoever asks comes late each time, and the periods do not drift with them.
		for (Instant at = NOW; at.isBefore(NOW.plusSeconds(30)); at = at.plusMillis(37)) {
			started += start(limit, at);
		}
		assertThat(started).isEqualTo(1500);
	}

	@Test
	void saysWhenThePeriodIsOver() {
		RateLimit limit = RateLimit.of("api").rate(2, Duration.ofSeconds(10));
		assertThat(start(limit, NOW)).isEqualTo(2);
		assertThat(this.meter.ask(limit, NOW.plusSeconds(9)))
			.isEqualTo(new RateMeter.Refusal("api", NOW.plusSeconds(10)));
		assertThat(start(limit, NOW.plusSeconds(34))).isEqualTo(2);
		assertThat(this.meter.ask(limit, NOW.plusSeconds(34)))
			.isEqualTo(new RateMeter.Refusal("api", NOW.plusSeconds(40)));
	}

	@Test
	void clockThatGoesBackLetsNobodyThroughTwice() {
		RateLimit limit = RateLimit.of("api").rate(2, Duration.ofSeconds(10));
		start(limit, NOW);
		assertThat(start(limit, NOW.minusSeconds(3))).isZero();
	}

	@Test
	void spreadStartsKeepTheirDistanceAndTheirAverage() {
		RateLimit limit = RateLimit.of("api").throttle(10, Duration.ofSeconds(1));
		List<Instant> starts = new ArrayList<>();
		for (Instant at = NOW; at.isBefore(NOW.plusSeconds(10)); at = at.plusMillis(7)) {
			for (int i = start(limit, at); i > 0; i--) {
				starts.add(at);
			}
		}
		assertThat(starts).hasSize(100);
		for (int i = 1; i < starts.size(); i++) {
			assertThat(Duration.between(starts.get(i - 1), starts.get(i))).isBetween(Duration.ofMillis(91),
					Duration.ofMillis(109));
		}
	}

	@Test
	void spreadStartsAreNotMadeUpForAfterAPause() {
		RateLimit limit = RateLimit.of("api").throttle(10, Duration.ofSeconds(1));
		start(limit, NOW);
		assertThat(start(limit, NOW.plusSeconds(60))).isOne();
	}

	@Test
	void allLimitsHoldAtOnce() {
		RateLimit limit = RateLimit.of("api").concurrency(3).rate(5, Duration.ofSeconds(10));
		assertThat(start(limit, NOW)).isEqualTo(3);
		assertThat(this.meter.ask(limit, NOW)).isEqualTo(new RateMeter.Refusal("api", null));
		RateLimit wider = limit.concurrency(100);
		assertThat(start(wider, NOW)).as("counts with the others").isEqualTo(2);
	}

	@Test
	void whatEndsLastIsWaitedFor() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofSeconds(10)).throttle(1, Duration.ofSeconds(1));
		start(limit, NOW);
		assertThat(this.meter.ask(limit, NOW)).isEqualTo(new RateMeter.Refusal("api", NOW.plusSeconds(10)));
		RateLimit slow = RateLimit.of("api").rate(1, Duration.ofSeconds(1)).throttle(1, Duration.ofSeconds(10));
		start(slow, NOW);
		assertThat(this.meter.ask(slow, NOW)).isEqualTo(new RateMeter.Refusal("api", NOW.plusSeconds(10)));
	}

	@Test
	void limitThatLimitsNothingIsRefused() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> RateLimit.of("api").check())
			.withMessageContaining("concurrency, rate or throttle");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> RateLimit.of("-api").concurrency(1).check())
			.withMessageContaining("rate_limit.key");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> RateLimit.of("api").rate(0, Duration.ofSeconds(1)).check())
			.withMessageContaining("rate_limit.rate.limit");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> RateLimit.of("api").throttle(1, Duration.ZERO).check())
			.withMessageContaining("rate_limit.throttle.period");
	}

}
