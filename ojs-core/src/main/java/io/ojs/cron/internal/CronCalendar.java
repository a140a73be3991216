package io.ojs.cron.internal;

import java.time.LocalDateTime;

import org.jspecify.annotations.Nullable;

/**
 * The times of a cron expression on a clock without time changes. {@link CronSchedule}
 * handles times that a zone does not have, or has twice.
 */
@FunctionalInterface
public interface CronCalendar {

	/**
	 * Finds the next time.
	 * @return the first time after it that matches the expression, in whole seconds;
	 * {@code null} if there is none
	 */
	@Nullable LocalDateTime next(LocalDateTime after);

	/**
	 * Parses expressions.
	 */
	@FunctionalInterface
	interface Parser {

		/**
		 * Parses an expression.
		 * @param expression six fields (second, minute, hour, day of month, month, day of
		 * week) in upper case, separated by single spaces
		 * @throws IllegalArgumentException if it is not valid; the message has the reason
		 */
		CronCalendar parse(String expression);

	}

}
