package io.ojs.boot.store;

import java.time.Duration;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the job store keeps events for the event feed.
 */
final class OnEventFeed extends SpringBootCondition {

	private static final String KEY = "ojs.store.event-retention";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("OJS");
		boolean kept = Binder.get(context.getEnvironment())
			.bind(KEY, Duration.class)
			.map((retention) -> !retention.isZero())
			.orElse(true);
		return kept ? ConditionOutcome.match(message.because("events are kept"))
				: ConditionOutcome.noMatch(message.because(KEY + " is 0"));
	}

}
