package io.ojs.cron;

import java.time.LocalDateTime;

import org.jspecify.annotations.Nullable;

/**
 * What a cron expression says of a clock on the wall that nobody ever changes. What
 * becomes of times that a zone does not have, or has twice, is no matter of it.
 */
@FunctionalInterface
public interface CronCalendar {

	/**
	 * Finds the next time.
	 * @param after any time
	 * @return the first time after it that the expression means, in whole seconds;
	 * {@code null} if there is none
	 */
	@Nullable LocalDateTime next(LocalDateTime after);

	/**
	 * Reads expressions.
	 */
	@FunctionalInterface
	interface Parser {

		/**
		 * Reads an expression.
		 * @param expression six fields, of second, minute, hour, day of month, month and
		 * day of week, in upper case and with single spaces between them
		 * @return what it says
		 * @throws IllegalArgumentException if it is none; the message says why
		 */
		CronCalendar parse(String expression);

	}

}
