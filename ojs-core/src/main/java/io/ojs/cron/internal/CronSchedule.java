package io.ojs.cron.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;

/**
 * The times at which a cron fires.
 */
public sealed interface CronSchedule {

	/**
	 * Finds the next time.
	 * @param anchor a time that the cron was fired for, or registered at; intervals are
	 * counted from it
	 * @return the first time after {@code after}; empty if there is none up to the year
	 * 9999
	 */
	Optional<Instant> next(Instant after, Instant anchor);

	/**
	 * Times by the local clock of a zone. A time that the zone does not have is skipped;
	 * of a time that it has twice, the first one counts.
	 *
	 */
	record OfZone(CronCalendar calendar, ZoneId zone) implements CronSchedule {

		private static final int LAST_YEAR = 9999;

		@Override
		public Optional<Instant> next(Instant after, Instant anchor) {
			ZoneRules rules = this.zone.getRules();
			LocalDateTime time = LocalDateTime.ofInstant(after, this.zone);
			ZoneOffsetTransition transition = rules.getTransition(time);
			if (transition != null && transition.isOverlap() && !after.isBefore(transition.getInstant())) {
				// These hours come for the second time: all times in them have passed.
				time = transition.getDateTimeBefore().minusNanos(1);
			}
			while (true) {
				time = this.calendar.next(time);
				if (time == null || time.getYear() > LAST_YEAR) {
					return Optional.empty();
				}
				// A time in a gap has no offset. A time in an overlap has two: the first
				// one counts.
				List<ZoneOffset> offsets = rules.getValidOffsets(time);
				if (!offsets.isEmpty()) {
					return Optional.of(time.toInstant(offsets.get(0)));
				}
			}
		}

	}

	/**
	 * Times at a fixed interval.
	 *
	 */
	record Every(Duration interval) implements CronSchedule {

		@Override
		public Optional<Instant> next(Instant after, Instant anchor) {
			if (anchor.isAfter(after)) {
				return Optional.of(anchor);
			}
			long steps = Duration.between(anchor, after).dividedBy(this.interval) + 1;
			return Optional.of(anchor.plus(this.interval.multipliedBy(steps)));
		}

	}

}
