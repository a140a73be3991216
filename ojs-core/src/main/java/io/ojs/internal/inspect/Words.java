package io.ojs.internal.inspect;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * Parts of sentences.
 */
final class Words {

	/** How long ago or ahead a time is shown with seconds. */
	private static final Duration CLOSE = Duration.ofMinutes(10);

	private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT);

	private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT);

	private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT);

	private Words() {
	}

	/** Returns a time in UTC, with the date unless it is that of the present. */
	static String time(Instant time, Instant now) {
		OffsetDateTime utc = time.atOffset(ZoneOffset.UTC);
		if (!utc.toLocalDate().equals(now.atOffset(ZoneOffset.UTC).toLocalDate())) {
			return DAY.format(utc);
		}
		return (Duration.between(time, now).abs().compareTo(CLOSE) < 0 ? SECONDS : MINUTES).format(utc);
	}

	/** Returns {@code 1st}, {@code 2nd} and so on. */
	static String ordinal(int number) {
		boolean teen = number % 100 / 10 == 1;
		return number + switch (teen ? 0 : number % 10) {
			case 1 -> "st";
			case 2 -> "nd";
			case 3 -> "rd";
			default -> "th";
		};
	}

	/**
	 * Returns a number of jobs, with its verb.
	 * @param which which jobs, such as {@code of the queue}
	 */
	static String jobsAre(int count, String which) {
		return switch (count) {
			case 0 -> "no job %s is".formatted(which);
			case 1 -> "1 job %s is".formatted(which);
			default -> "%s%d jobs %s are".formatted((count >= InspectionStore.COUNTED) ? "at least " : "",
					Math.min(count, InspectionStore.COUNTED), which);
		};
	}

	/** Returns a period, such as {@code 1 s} or {@code 5 min}. */
	static String period(Duration period) {
		if (period.toMillis() % 1000 != 0) {
			return period.toMillis() + " ms";
		}
		if (period.toSeconds() % 60 != 0) {
			return period.toSeconds() + " s";
		}
		return (period.toMinutes() % 60 != 0) ? period.toMinutes() + " min" : period.toHours() + " h";
	}

	/** Returns JSON values by names, without those that are {@code null}. */
	static Map<String, @Nullable Object> facts(@Nullable Object... pairs) {
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		for (int i = 0; i < pairs.length; i += 2) {
			if (pairs[i + 1] != null) {
				facts.put((String) pairs[i],
						(pairs[i + 1] instanceof Instant time) ? Rfc3339.format(time) : pairs[i + 1]);
			}
		}
		return facts;
	}

}
