package io.ojs.job.internal;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Timestamps as OJS writes and reads them (OJS JSON Format §5).
 */
class Rfc3339Tests {

	@ParameterizedTest
	@CsvSource({ "2026-03-15T09:30:00Z, 2026-03-15T09:30:00.000Z", "2026-03-15T09:30:00.5Z, 2026-03-15T09:30:00.500Z",
			"2026-03-15T09:30:00.123Z, 2026-03-15T09:30:00.123Z",
			"2026-03-15T09:30:00.123456Z, 2026-03-15T09:30:00.123456Z",
			"2026-03-15T09:30:00.123456789Z, 2026-03-15T09:30:00.123456789Z",
			// More digits than a clock has: RFC 3339 sets no limit.
			"2026-03-15T09:30:00.1234567899999Z, 2026-03-15T09:30:00.123456789Z",
			"2026-03-15T09:30:00+02:00, 2026-03-15T09:30:00.000+02:00",
			"2026-03-15T09:30:00-11:30, 2026-03-15T09:30:00.000-11:30",
			"2026-03-15T09:30:00+00:00, 2026-03-15T09:30:00.000Z",
			"2026-03-15T09:30:00-00:00, 2026-03-15T09:30:00.000Z", "2026-03-15t09:30:00z, 2026-03-15T09:30:00.000Z",
			"2024-02-29T00:00:00Z, 2024-02-29T00:00:00.000Z", "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000Z",
			"9999-12-31T23:59:59Z, 9999-12-31T23:59:59.000Z" })
	void areReadAndWrittenWithTheirOffset(String text, String written) {
		assertThat(Rfc3339.format(Rfc3339.parse("scheduled_at", text))).isEqualTo(written);
	}

	@Test
	void keepTheOffsetAndNotOnlyTheInstant() {
		assertThat(Rfc3339.parse("scheduled_at", "2026-03-15T09:30:00+05:45"))
			.isEqualTo(OffsetDateTime.of(2026, 3, 15, 9, 30, 0, 0, ZoneOffset.ofHoursMinutes(5, 45)));
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "2026-03-15T09:30:00", "2026-03-15", "2026-03-15 09:30:00Z", "2026-03-15T09:30Z",
			"2026-3-15T09:30:00Z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
			"2026-03-15T24:00:00Z", "2026-03-15T23:60:00Z", "2026-03-15T09:30:00+0200", "2026-03-15T09:30:00+02",
			"2026-03-15T09:30:00+02:00:00", "2026-03-15T09:30:00 Z", "2026-03-15T09:30:00Z ", "2026-03-15T09:30:00Zulu",
			"2026-03-15T09:30:00[Europe/Paris]", "2026-03-15T09:30:00+02:00[Europe/Paris]", "+12026-03-15T09:30:00Z",
			"-0001-03-15T09:30:00Z", "12026-03-15T09:30:00Z", "1773566600", "now", "2026-03-15T09:30:00,5Z",
			"2026-03-15T09:30:00.Z", "２０２６-03-15T09:30:00Z" })
	void areNothingElse(String text) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> Rfc3339.parse("expires_at", text))
			.withMessageContainingAll("'expires_at'", "RFC 3339 timestamp with a zone")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("expires_at"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "2016-12-31T23:59:60Z", "2026-03-15T09:30:60Z" })
	void haveNoLeapSecondsSinceJavaHasNone(String text) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> Rfc3339.parse("expires_at", text));
	}

	@Test
	void ofOurOwnAreUtcToTheMillisecond() {
		assertThat(Rfc3339.format(Rfc3339.utc(Instant.parse("2026-03-15T09:30:00.123999999Z"))))
			.isEqualTo("2026-03-15T09:30:00.123Z");
	}

	@ParameterizedTest
	@ValueSource(strings = { "+10000-01-01T00:00:00Z", "-0001-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00",
			"0000-01-01T00:00:00+01:00", "+999999999-12-31T23:59:59-18:00" })
	void lieInTheYearsThatFourDigitsCanWrite(OffsetDateTime time) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.time("scheduled_at", time))
			.withMessageContainingAll("'scheduled_at'", "0000 to 9999");
	}

	/** They could be written, but not read again. */
	@ParameterizedTest
	@ValueSource(strings = { "9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00" })
	void lieInTheseYearsInUtcToo(String text) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> Rfc3339.parse("until", text))
			.withMessageContainingAll("'until'", "0000 to 9999");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0000-01-01T00:00:00Z", "2026-03-15T09:30:00+05:45", "9999-12-31T23:59:59.999999999Z" })
	void areTakenUpToTheLastOfThem(OffsetDateTime time) {
		assertThat(JobRules.time("scheduled_at", time)).isEqualTo(time);
	}

	@Test
	void haveOffsetsOfWholeMinutes() {
		OffsetDateTime time = OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.ofHoursMinutesSeconds(1, 0, 30));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.time("scheduled_at", time))
			.withMessageContaining("offset of whole minutes");
	}

	@ParameterizedTest
	@ValueSource(strings = { "+10000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z" })
	void ofARequestBeyondThemAreRefusedByTheRequestItself(Instant time) {
		JobRequest request = JobRequest.of("a.b");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> request.scheduledAt(time))
			.withMessageContainingAll("'scheduled_at'", "0000 to 9999");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> request.expiresAt(time))
			.withMessageContainingAll("'expires_at'", "0000 to 9999");
		OffsetDateTime zoned = OffsetDateTime.parse("9999-12-31T23:59:59-01:00");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> request.scheduledAt(zoned))
			.withMessageContainingAll("'scheduled_at'", "0000 to 9999");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> request.expiresAt(zoned))
			.withMessageContainingAll("'expires_at'", "0000 to 9999");
	}

}
