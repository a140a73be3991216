package io.ojs.internal.json;

import java.time.Duration;
import java.time.Period;
import java.time.format.DateTimeParseException;

/**
 * Reads and writes ISO 8601 durations (OJS Retry §4). A day has 24 hours and a week has 7
 * days. Years and months, whose length varies, are rejected.
 */
public final class IsoDurations {

	private IsoDurations() {
	}

	/**
	 * Parses a duration.
	 * @param text such as {@code PT1S}, {@code P1DT12H} or {@code P2W}
	 * @throws DateTimeParseException if the text is not a duration
	 */
	public static Duration parse(String text) {
		if (text.contains("W") || text.contains("w")) {
			Period weeks = Period.parse(text);
			if (weeks.toTotalMonths() != 0) {
				throw new DateTimeParseException("Years and months have no fixed length", text, 0);
			}
			return Duration.ofDays(weeks.getDays());
		}
		return Duration.parse(text);
	}

	/**
	 * Writes a duration: whole days as days.
	 * @return such as {@code PT1S} or {@code P7D}
	 */
	public static String format(Duration duration) {
		boolean days = !duration.isZero() && duration.getNano() == 0 && duration.getSeconds() % 86_400 == 0;
		return days ? "P%dD".formatted(duration.toDays()) : duration.toString();
	}

}
