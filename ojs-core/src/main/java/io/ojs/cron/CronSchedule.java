package io.ojs.cron;

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
 * When a cron fires.
 */
public sealed interface CronSchedule {

	/**
	 * Finds the next time.
	 * @param after any time
	 * @param anchor a time that it was fired for, or registered at, from which intervals
	 * are counted
	 * @return the first time after it; empty if there is none in the years that can be
	 * written
	 */
	Optional<Instant> next(Instant after, Instant anchor);

	/**
	 * By the clock on the wall of a zone.
	 *
	 * @param calendar what the expression says
	 * @param zone whose clock
	 */
	record OfZone(CronCalendar calendar, ZoneId zone) implements CronSchedule {

		private static final int LAST_YEAR = 9999;

		@Override
		public Optional<Instant> next(Instant after, Instant anchor) {
			ZoneRules rules = this.zone.getRules();
			LocalDateTime time = LocalDateTime.ofInstant(after, this.zone);
			ZoneOffsetTransition transition = rules.getTransition(time);
			if (transition != null && transition.isOverlap() && !after.isBefore(transition.getInstant())) {
				// The second time that these hours come. All in them has been.
				time = transition.getDateTimeBefore().minusNanos(1);
			}
			while (true) {
				time = this.calendar.next(time);
				if (time == null || time.getYear() > LAST_YEAR) {
					return Optional.empty();
				}
				// None in a gap, and the first of two.
				List<ZoneOffset> offsets = rules.getValidOffsets(time);
				if (!offsets.isEmpty()) {
					return Optional.of(time.toInstant(offsets.get(0)));
				}
			}
		}

	}

	/**
	 * In steps of the same length.
	 *
	 * @param interval how long, one second at least
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
