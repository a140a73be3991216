package io.ojs.webhook.internal;

import java.time.Duration;

/**
 * Counts attempts of deliveries.
 */
@FunctionalInterface
public interface WebhookMetrics {

	/** Counts nothing. */
	WebhookMetrics NONE = (eventType, outcome, duration) -> {
	};

	/** Called after an attempt. */
	void attempted(String eventType, Outcome outcome, Duration duration);

	/**
	 * The outcome of an attempt.
	 */
	enum Outcome {

		/** The receiver took the event. */
		SUCCESS,

		/** The attempt failed and is repeated. */
		FAILED,

		/** The delivery failed for good. */
		DEAD

	}

}
