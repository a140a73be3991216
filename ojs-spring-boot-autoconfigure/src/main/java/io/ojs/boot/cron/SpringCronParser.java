package io.ojs.boot.cron;

import java.time.LocalDateTime;

import io.ojs.cron.internal.CronCalendar;

import org.springframework.scheduling.support.CronExpression;

/**
 * Reads cron expressions with Spring's parser. It computes local times only, because
 * Spring handles changes of the clock differently from OJS.
 */
final class SpringCronParser implements CronCalendar.Parser {

	@Override
	public CronCalendar parse(String expression) {
		CronExpression parsed = CronExpression.parse(expression);
		return (LocalDateTime after) -> parsed.next(after);
	}

}
