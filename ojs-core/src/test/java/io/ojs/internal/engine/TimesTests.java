package io.ojs.internal.engine;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimesTests {

	private static final Instant NOW = Instant.parse("2026-05-04T12:00:00.25Z");

	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

	@Test
	void addsATime() {
		assertThat(Times.after(NOW, Duration.ofMillis(1_500))).isEqualTo("2026-05-04T12:00:01.75Z");
	}

	@Test
	void addsAThousandYears() {
		assertThat(Times.after(NOW, Duration.ofDays(365_000))).isEqualTo(NOW.plus(Duration.ofDays(365_000)));
	}

	@Test
	void endsWithTheYear9999() {
		assertThat(Times.after(NOW, Duration.between(NOW, LAST).plusSeconds(1))).isEqualTo(LAST);
		assertThat(Times.after(NOW, Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(LAST);
	}

	@Test
	void staysInTheYear9999ForATimeThatIsUp() {
		assertThat(Times.after(LAST, Duration.ZERO)).isEqualTo(LAST);
		assertThat(Times.after(LAST.minusMillis(1), Duration.ofMillis(500))).isBeforeOrEqualTo(LAST.plusSeconds(1));
	}

}
