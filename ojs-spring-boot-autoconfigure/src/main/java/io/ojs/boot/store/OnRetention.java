package io.ojs.boot.store;

import java.time.Duration;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless a retention is 0.
 */
abstract class OnRetention extends SpringBootCondition {

	private final String key;

	OnRetention(String key) {
		this.key = key;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("OJS");
		boolean kept = Binder.get(context.getEnvironment())
			.bind(this.key, Duration.class)
			.map((retention) -> !retention.isZero())
			.orElse(true);
		return kept ? ConditionOutcome.match(message.because(this.key + " is not 0"))
				: ConditionOutcome.noMatch(message.because(this.key + " is 0"));
	}

	/** Matches if the job store keeps events for the event feed. */
	static final class OfEvents extends OnRetention {

		OfEvents() {
			super("ojs.store.event-retention");
		}

	}

	/** Matches if the job store keeps numbers of minutes. */
	static final class OfMinutes extends OnRetention {

		OfMinutes() {
			super("ojs.store.retain-minutes");
		}

	}

}
