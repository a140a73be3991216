package io.ojs.retry;

import java.time.Duration;

/**
 * What is to be done with a job whose attempt failed.
 */
public sealed interface RetryDecision {

	/**
	 * Run it again.
	 *
	 * @param delay not before this has passed
	 */
	record Retry(Duration delay) implements RetryDecision {
	}

	/**
	 * Put it into the dead letter queue.
	 *
	 * @param exhausted whether it failed as often as it may; otherwise it must not be
	 * retried whatever is left
	 */
	record DeadLetter(boolean exhausted) implements RetryDecision {
	}

	/**
	 * Let it go.
	 *
	 * @param exhausted whether it failed as often as it may; otherwise it must not be
	 * retried whatever is left
	 */
	record Discard(boolean exhausted) implements RetryDecision {
	}

}
