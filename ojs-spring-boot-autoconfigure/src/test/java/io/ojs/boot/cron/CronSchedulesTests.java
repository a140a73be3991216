package io.ojs.boot.cron;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjuster;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.cron.InvalidCronException;
import io.ojs.cron.internal.CronSchedule;
import io.ojs.cron.internal.CronSchedules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When crons fire.
 */
class CronSchedulesTests {

	/** The first of the years has a leap day. */
	private static final Instant YEARS_BEGIN = Instant.parse("2027-12-31T12:00:00Z");

	private final CronSchedules schedules = new CronSchedules(new SpringCronParser());

	/** The days on which clocks are changed, as the clock of the world has it. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					Europe/Berlin | 30 2 * * * | 2026-03-28T00:00:00Z | 2026-03-28T01:30:00Z 2026-03-30T00:30:00Z
					Europe/Berlin | 30 2 * * * | 2026-10-24T00:00:00Z | 2026-10-24T00:30:00Z 2026-10-25T00:30:00Z 2026-10-26T01:30:00Z
					Europe/Berlin | */15 * * * * | 2026-03-29T00:40:00Z | 2026-03-29T00:45:00Z 2026-03-29T01:00:00Z 2026-03-29T01:15:00Z
					Europe/Berlin | */15 * * * * | 2026-10-25T00:20:00Z | 2026-10-25T00:30:00Z 2026-10-25T00:45:00Z 2026-10-25T02:00:00Z
					Europe/Berlin | */15 * * * * | 2026-10-25T01:20:00Z | 2026-10-25T02:00:00Z 2026-10-25T02:15:00Z
					Europe/Berlin | @hourly | 2026-03-29T00:00:00Z | 2026-03-29T01:00:00Z 2026-03-29T02:00:00Z
					Europe/Berlin | @hourly | 2026-10-24T23:30:00Z | 2026-10-25T00:00:00Z 2026-10-25T02:00:00Z 2026-10-25T03:00:00Z
					Europe/Berlin | 0 2,3 * * * | 2026-03-28T12:00:00Z | 2026-03-29T01:00:00Z 2026-03-30T00:00:00Z
					Europe/Berlin | 0 0 2 * * * | 2026-10-25T00:00:00Z | 2026-10-26T01:00:00Z
					Europe/Berlin | * * * * * * | 2026-10-25T00:59:59Z | 2026-10-25T02:00:00Z 2026-10-25T02:00:01Z
					Europe/Berlin | * * * * * * | 2026-10-25T01:59:58.5Z | 2026-10-25T02:00:00Z
					America/New_York | 30 2 * * * | 2026-03-07T12:00:00Z | 2026-03-09T06:30:00Z
					America/New_York | 30 1 * * * | 2026-10-31T12:00:00Z | 2026-11-01T05:30:00Z 2026-11-02T06:30:00Z
					America/New_York | 30 1 * * * | 2026-11-01T06:00:00Z | 2026-11-02T06:30:00Z
					America/New_York | */15 * * * * | 2026-03-08T06:40:00Z | 2026-03-08T06:45:00Z 2026-03-08T07:00:00Z
					America/New_York | */15 * * * * | 2026-11-01T05:40:00Z | 2026-11-01T05:45:00Z 2026-11-01T07:00:00Z
					America/New_York | 0 9 * * * | 2026-03-07T12:00:00Z | 2026-03-07T14:00:00Z 2026-03-08T13:00:00Z
					America/New_York | @daily | 2026-10-31T12:00:00Z | 2026-11-01T04:00:00Z 2026-11-02T05:00:00Z
					America/New_York | @hourly | 2026-11-01T04:30:00Z | 2026-11-01T05:00:00Z 2026-11-01T07:00:00Z
					Australia/Lord_Howe | */15 * * * * | 2026-04-04T14:44:00Z | 2026-04-04T14:45:00Z 2026-04-04T15:30:00Z
					Pacific/Apia | 0 12 * * * | 2011-12-29T00:00:00Z | 2011-12-29T22:00:00Z 2011-12-30T22:00:00Z
					UTC | */15 * * * * | 2026-10-25T00:20:00Z | 2026-10-25T00:30:00Z 2026-10-25T00:45:00Z 2026-10-25T01:00:00Z
					""")
	void changedClocks(String zone, String expression, Instant after, String expected) {
		List<String> found = new ArrayList<>();
		Instant time = after;
		for (String ignored : expected.split(" ")) {
			time = next(expression, zone, time);
			found.add(time.toString());
		}
		assertThat(String.join(" ", found)).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Europe/Berlin", "America/New_York" })
	void everythingIsAsCountedMinuteByMinute(String zone) {
		Map<String, Predicate<LocalDateTime>> expressions = Map.ofEntries(
				Map.entry("*/15 * * * *", (time) -> time.getMinute() % 15 == 0),
				Map.entry("30 2 * * *", (time) -> time.getHour() == 2 && time.getMinute() == 30),
				Map.entry("30 1 * * *", (time) -> time.getHour() == 1 && time.getMinute() == 30),
				Map.entry("@hourly", (time) -> time.getMinute() == 0),
				Map.entry("5-59/20 1-3 * * *",
						(time) -> Set.of(5, 25, 45).contains(time.getMinute()) && time.getHour() >= 1
								&& time.getHour() <= 3),
				Map.entry("0 0 29 feb *", (time) -> time.getMonthValue() == 2 && isMidnightOf(time, (day) -> 29)),
				Map.entry("0 0 31 * *", (time) -> isMidnightOf(time, (day) -> 31)),
				Map.entry("0 0 L * *", (time) -> isMidnightOf(time, (day) -> day.toLocalDate().lengthOfMonth())),
				Map.entry("0 0 * * 5L",
						(time) -> isMidnightOf(time,
								(day) -> dayOf(day, TemporalAdjusters.lastInMonth(DayOfWeek.FRIDAY)))),
				Map.entry("0 0 * * 5#3",
						(time) -> isMidnightOf(time,
								(day) -> dayOf(day, TemporalAdjusters.dayOfWeekInMonth(3, DayOfWeek.FRIDAY)))),
				Map.entry("0 0 15W * *",
						(time) -> isMidnightOf(time, (day) -> workingDayNextTo(day.withDayOfMonth(15)))),
				Map.entry("0 0 1-7 * mon",
						(time) -> time.getDayOfMonth() <= 7 && time.getDayOfWeek() == DayOfWeek.MONDAY
								&& isMidnightOf(time, LocalDateTime::getDayOfMonth)),
				Map.entry("0 0 * * 7", (time) -> time.getDayOfWeek() == DayOfWeek.SUNDAY
						&& isMidnightOf(time, LocalDateTime::getDayOfMonth)));
		compare(expressions, zone, 2);
	}

	@Test
	void anyFieldsAreAsCountedMinuteByMinute() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		for (String zone : List.of("Europe/Berlin", "America/New_York")) {
			Map<String, Predicate<LocalDateTime>> expressions = new HashMap<>();
			for (int i = 0; i < 30; i++) {
				BitSet minutes = new BitSet();
				BitSet hours = new BitSet();
				BitSet days = new BitSet();
				BitSet months = new BitSet();
				BitSet weekdays = new BitSet();
				String expression = String.join(" ", field(random, 0, 59, minutes), field(random, 0, 23, hours),
						field(random, 1, 28, days), field(random, 1, 12, months), field(random, 0, 6, weekdays));
				expressions.put(expression,
						(time) -> minutes.get(time.getMinute()) && hours.get(time.getHour())
								&& days.get(time.getDayOfMonth()) && months.get(time.getMonthValue())
								&& weekdays.get(time.getDayOfWeek().getValue() % 7));
			}
			try {
				compare(expressions, zone, 1);
			}
			catch (AssertionError ex) {
				throw new AssertionError("seed %d in %s".formatted(seed, zone), ex);
			}
		}
	}

	/** Makes a field up, and what it means. */
	private static String field(Random random, int least, int most, BitSet values) {
		List<String> parts = new ArrayList<>();
		int count = random.nextInt(3) + 1;
		for (int i = 0; i < count; i++) {
			int from = least + random.nextInt(most - least + 1);
			int to = from + random.nextInt(most - from + 1);
			int step = 1 + random.nextInt(7);
			switch (random.nextInt(4)) {
				case 0 -> {
					parts.add(String.valueOf(from));
					values.set(from);
				}
				case 1 -> {
					parts.add(from + "-" + to);
					IntStream.rangeClosed(from, to).forEach(values::set);
				}
				case 2 -> {
					parts.add(from + "-" + to + "/" + step);
					IntStream.rangeClosed(from, to).filter((value) -> (value - from) % step == 0).forEach(values::set);
				}
				default -> {
					int end = (most == 28) ? 31 : most;
					parts.add(least + "-" + end);
					values.set(least, end + 1);
				}
			}
		}
		return String.join(",", parts);
	}

	/** Looks at each minute once, as what it is there takes longer than to compare. */
	private void compare(Map<String, Predicate<LocalDateTime>> expressions, String zone, int years) {
		ZoneId id = ZoneId.of(zone);
		Instant end = YEARS_BEGIN.plus(years * 366L, ChronoUnit.DAYS);
		Map<String, List<Instant>> counted = new HashMap<>();
		Map<String, Set<LocalDateTime>> seen = new HashMap<>();
		expressions.keySet().forEach((expression) -> {
			counted.put(expression, new ArrayList<>());
			seen.put(expression, new HashSet<>());
		});
		for (Instant time = YEARS_BEGIN; time.isBefore(end); time = time.plusSeconds(60)) {
			LocalDateTime local = LocalDateTime.ofInstant(time, id);
			for (Map.Entry<String, Predicate<LocalDateTime>> each : expressions.entrySet()) {
				if (each.getValue().test(local) && seen.get(each.getKey()).add(local) && time.isAfter(YEARS_BEGIN)) {
					counted.get(each.getKey()).add(time);
				}
			}
		}
		counted.forEach((expression, times) -> {
			CronSchedule schedule = this.schedules.read(expression, zone);
			List<Instant> found = new ArrayList<>();
			Optional<Instant> time = schedule.next(YEARS_BEGIN, YEARS_BEGIN);
			while (time.isPresent() && time.get().isBefore(end)) {
				found.add(time.get());
				time = schedule.next(time.get(), YEARS_BEGIN);
			}
			assertThat(found).as(expression).isEqualTo(times);
		});
	}

	/** Which day it is about takes long to say, and nobody asks but at midnight. */
	private static boolean isMidnightOf(LocalDateTime time, ToIntFunction<LocalDateTime> dayOfMonth) {
		return time.getHour() == 0 && time.getMinute() == 0 && time.getDayOfMonth() == dayOfMonth.applyAsInt(time);
	}

	private static int dayOf(LocalDateTime time, TemporalAdjuster adjuster) {
		return time.with(adjuster).getDayOfMonth();
	}

	private static int workingDayNextTo(LocalDateTime time) {
		return switch (time.getDayOfWeek()) {
			case SATURDAY -> time.getDayOfMonth() - 1;
			case SUNDAY -> time.getDayOfMonth() + 1;
			default -> time.getDayOfMonth();
		};
	}

	@Test
	void leapDays() {
		List<String> days = new ArrayList<>();
		Instant time = Instant.parse("2095-01-01T00:00:00Z");
		for (int i = 0; i < 3; i++) {
			time = next("0 0 29 2 *", "UTC", time);
			days.add(time.toString());
		}
		assertThat(days).containsExactly("2096-02-29T00:00:00Z", "2104-02-29T00:00:00Z", "2108-02-29T00:00:00Z");
		assertThat(LocalDate.ofInstant(next("0 0 29 2 MON", "UTC", time), ZoneId.of("UTC")).getDayOfWeek())
			.isEqualTo(DayOfWeek.MONDAY);
	}

	@Test
	void namesAreReadInEitherCaseAndSundayHasTwoNumbers() {
		Instant after = Instant.parse("2026-01-15T00:00:00Z");
		assertThat(IntStream.range(0, 4)
			.mapToObj((i) -> next(List.of("0 0 * jan sun", "0 0 * JAN Sun", "0 0 * 1 0", "0 0 * 1 7").get(i), "UTC",
					after))
			.collect(Collectors.toSet())).containsExactly(Instant.parse("2026-01-18T00:00:00Z"));
		assertThat(next("0 0 l * *", "UTC", after)).isEqualTo("2026-01-31T00:00:00Z");
	}

	@ParameterizedTest
	@CsvSource({ "@yearly, 2027-01-01T00:00:00Z", "@annually, 2027-01-01T00:00:00Z", "@monthly, 2026-02-01T00:00:00Z",
			"@weekly, 2026-01-18T00:00:00Z", "@daily, 2026-01-16T00:00:00Z", "@midnight, 2026-01-16T00:00:00Z",
			"@hourly, 2026-01-15T11:00:00Z", "@Daily, 2026-01-16T00:00:00Z" })
	void words(String expression, Instant expected) {
		assertThat(next(expression, "UTC", Instant.parse("2026-01-15T10:07:30Z"))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "@every 30m, 10:30:00", "@every 1h30m, 11:30:00", "@every 45s, 10:07:30", "@every 90s, 10:07:30",
			"@every 1h 15m, 11:15:00", "@every 2500ms, 10:07:02.500" })
	void intervalsAreCountedFromTheirAnchor(String expression, String expected) {
		assertThat(this.schedules.read(expression, "UTC")
			.next(Instant.parse("2026-01-15T10:07:00Z"), Instant.parse("2026-01-15T10:00:00Z")))
			.contains(Instant.parse("2026-01-15T%sZ".formatted(expected)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "  ", "not a valid cron", "0 0 0 0 0 0 0", "99 25 32 13 8", "* * * *", "60 * * * *",
			"* 24 * * *", "* * 32 * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "*/0 * * * *", "10-5 * * * *",
			"1,,2 * * * *", "a * * * *", "0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 * * 5#6", "@often", "@daily 5",
			"@every", "@every 5", "@every -5m", "@every 0s", "@every 500ms", "@every 5d", "-1 * * * *", "0 0 * * *\0" })
	void whatIsNoExpressionOrNeverFiresIsRefused(String expression) {
		assertThatExceptionOfType(InvalidCronException.class).isThrownBy(() -> this.schedules.read(expression, "UTC"))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("expression"))
			.withMessageContaining("'expression' must ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "+02:00", "UTC+5", "GMT+1", "EST", "PST", "CET", "Z", "europe/berlin", "Berlin",
			"Europe/Nowhere", "EST5EDT" })
	void zonesThatDoNotKnowWhenClocksAreChangedAreRefused(String zone) {
		assertThatExceptionOfType(InvalidCronException.class).isThrownBy(() -> this.schedules.read("@daily", zone))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("timezone"))
			.withMessageContaining("Europe/Berlin");
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kolkata",
			"America/Port-au-Prince" })
	void zonesWithAnAreaAreKnown(String zone) {
		assertThat(this.schedules.read("@daily", zone)).isNotNull();
	}

	private Instant next(String expression, String zone, Instant after) {
		return this.schedules.read(expression, zone).next(after, after).orElseThrow();
	}

}
