package io.ojs.cron.internal;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.cron.CronRequest;
import io.ojs.cron.InvalidCronException;
import org.jspecify.annotations.Nullable;

/**
 * Parses the expressions and zones of crons (OJS Cron §3 to §5).
 */
public final class CronSchedules {

	/** The longest expression. */
	public static final int MAX_LENGTH = 255;

	private static final Map<String, String> MACROS = Map.of("@yearly", "0 0 0 1 1 *", "@annually", "0 0 0 1 1 *",
			"@monthly", "0 0 0 1 * *", "@weekly", "0 0 0 * * 0", "@daily", "0 0 0 * * *", "@midnight", "0 0 0 * * *",
			"@hourly", "0 0 * * * *");

	private static final String EVERY = "@every";

	private static final Pattern INTERVAL = Pattern
		.compile("(?:(\\d{1,6})h)?(?:(\\d{1,8})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

	private static final Pattern PRINTABLE = Pattern.compile("[\\t -~]+");

	private static final Pattern AREA = Pattern.compile("[A-Z][A-Za-z_]+(/[A-Za-z0-9_+-]+)+");

	/** Expressions have no year, so one without a time after this one never has any. */
	private static final LocalDateTime LONG_AGO = LocalDateTime.of(1999, 12, 31, 23, 59, 59);

	private static final int FIELDS = 5;

	private static final int FIELDS_WITH_SECONDS = 6;

	private final CronCalendar.Parser parser;

	public CronSchedules(CronCalendar.Parser parser) {
		this.parser = parser;
	}

	/**
	 * Parses an expression in a zone.
	 * @param expression five fields, or six with seconds first, or a macro such as
	 * {@code @daily}, or {@code @every} and a duration
	 * @param zone a name of the IANA database with an area, or {@code UTC}
	 * @throws InvalidCronException if one of them is not valid, or if the cron would
	 * never fire
	 */
	public CronSchedule read(String expression, String zone) {
		ZoneId id = zone(zone);
		String text = expression.strip();
		if (text.length() > MAX_LENGTH || !PRINTABLE.matcher(text).matches()) {
			throw invalid(expression, "must have five fields, such as 0 3 * * *, in at most 255 characters", null);
		}
		String[] tokens = text.split("\\s+");
		if (tokens[0].equalsIgnoreCase(EVERY)) {
			return new CronSchedule.Every(interval(expression, tokens));
		}
		CronCalendar calendar = calendar(expression, tokens);
		if (calendar.next(LONG_AGO) == null) {
			throw invalid(expression, "must mean a date that there is in some year, or it never fires", null);
		}
		return new CronSchedule.OfZone(calendar, id);
	}

	private CronCalendar calendar(String expression, String[] tokens) {
		String fields;
		if (tokens[0].startsWith("@")) {
			fields = MACROS.get(tokens[0].toLowerCase(Locale.ROOT));
			if (fields == null || tokens.length > 1) {
				throw invalid(expression, "must be @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly, "
						+ "or @every and a duration", null);
			}
		}
		else if (tokens.length == FIELDS || tokens.length == FIELDS_WITH_SECONDS) {
			fields = ((tokens.length == FIELDS) ? "0 " : "") + String.join(" ", tokens).toUpperCase(Locale.ROOT);
		}
		else {
			throw invalid(expression, "must have five fields (minute, hour, day of month, month, day of week), or six "
					+ "with seconds first, and has %d".formatted(tokens.length), null);
		}
		try {
			return this.parser.parse(fields);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(expression, "must be a cron expression (%s)".formatted(ex.getMessage()), ex);
		}
	}

	private static Duration interval(String expression, String[] tokens) {
		String text = String.join("", Arrays.copyOfRange(tokens, 1, tokens.length));
		Matcher matcher = INTERVAL.matcher(text);
		if (text.isEmpty() || !matcher.matches()) {
			throw invalid(expression, "must be @every and a duration of h, m and s, such as @every 1h30m", null);
		}
		Duration interval = Duration.ofHours(part(matcher, 1))
			.plusMinutes(part(matcher, 2))
			.plusSeconds(part(matcher, 3))
			.plusMillis(part(matcher, 4));
		if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
			throw invalid(expression, "must be every second at most", null);
		}
		return interval;
	}

	private static long part(Matcher matcher, int group) {
		return (matcher.group(group) != null) ? Long.parseLong(matcher.group(group)) : 0;
	}

	/**
	 * Finds a zone. Offsets and abbreviations are refused, because they do not follow
	 * changes to daylight saving time.
	 */
	private static ZoneId zone(String zone) {
		if (zone.equals(CronRequest.DEFAULT_ZONE)
				|| (AREA.matcher(zone).matches() && ZoneId.getAvailableZoneIds().contains(zone))) {
			return ZoneId.of(zone);
		}
		throw new InvalidCronException("timezone", zone,
				"must be UTC or the name of an area in the IANA database, such as Europe/Berlin");
	}

	private static InvalidCronException invalid(String expression, String problem, @Nullable Throwable cause) {
		return new InvalidCronException("expression", expression, problem, cause);
	}

}
