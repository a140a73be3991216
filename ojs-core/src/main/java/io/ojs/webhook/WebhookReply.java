package io.ojs.webhook;

import java.time.Duration;

/**
 * The answer of a receiver.
 *
 * @param status the HTTP status
 * @param body the beginning of its body
 * @param duration how long it took
 */
public record WebhookReply(int status, String body, Duration duration) {

	/**
	 * Whether the receiver took the event.
	 * @return whether the status is 2xx
	 */
	public boolean isSuccess() {
		return this.status / 100 == 2;
	}

	/**
	 * Whether another attempt may succeed (OJS Webhooks §7.1).
	 * @return whether the status is 429 or 5xx
	 */
	public boolean isRetryable() {
		return this.status == 429 || this.status / 100 == 5;
	}

}
