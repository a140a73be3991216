package io.ojs.boot;

import java.time.LocalDateTime;

import io.ojs.cron.CronCalendar;

import org.springframework.scheduling.support.CronExpression;

/**
 * Reads cron expressions by Spring's parser. It is asked about local times only: its own
 * way with clocks that are changed is another than that of OJS.
 */
final class SpringCronParser implements CronCalendar.Parser {

	@Override
	public CronCalendar parse(String expression) {
		CronExpression parsed = CronExpression.parse(expression);
		return (LocalDateTime after) -> parsed.next(after);
	}

}
