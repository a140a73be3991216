package io.ojs.replay;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine;

/**
 * Reads a point in time that a person writes: a timestamp, or an age.
 */
final class Moments implements CommandLine.ITypeConverter<Instant> {

	private static final Pattern AGO = Pattern.compile("(\\d{1,9})([smhd])");

	private final Clock clock;

	Moments(Clock clock) {
		this.clock = clock;
	}

	@Override
	public Instant convert(String value) {
		Matcher ago = AGO.matcher(value.toLowerCase(Locale.ROOT));
		try {
			if (ago.matches()) {
				long number = Long.parseLong(ago.group(1));
				Duration age = switch (ago.group(2)) {
					case "s" -> Duration.ofSeconds(number);
					case "m" -> Duration.ofMinutes(number);
					case "h" -> Duration.ofHours(number);
					default -> Duration.ofDays(number);
				};
				return this.clock.instant().minus(age);
			}
			return OffsetDateTime.parse(value).toInstant();
		}
		catch (DateTimeException | ArithmeticException ex) {
			throw new CommandLine.TypeConversionException("'" + value
					+ "' is no point in time; write one with a zone such as 2026-03-15T09:30:00Z, or an age such as 90m, 12h or 7d");
		}
	}

}
