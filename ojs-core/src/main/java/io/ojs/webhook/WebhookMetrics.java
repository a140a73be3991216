package io.ojs.webhook;

import java.time.Duration;

/**
 * Is told what becomes of deliveries.
 */
@FunctionalInterface
public interface WebhookMetrics {

	/** Tells nobody. */
	WebhookMetrics NONE = (eventType, outcome, duration) -> {
	};

	/**
	 * An attempt to deliver is over.
	 * @param eventType the type of the event
	 * @param outcome what came of it
	 * @param duration how long it took
	 */
	void attempted(String eventType, Outcome outcome, Duration duration);

	/**
	 * What can come of an attempt.
	 */
	enum Outcome {

		/** The receiver took it. */
		SUCCESS,

		/** It is tried again. */
		FAILED,

		/** It failed for good. */
		DEAD

	}

}
