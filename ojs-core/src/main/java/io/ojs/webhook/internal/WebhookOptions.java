package io.ojs.webhook.internal;

import java.time.Duration;

/**
 * Options of webhooks.
 *
 * @param allowHttp whether URLs may be {@code http:}, without encryption
 * @param allowPrivateAddresses whether to post to addresses that are not public, such as
 * those of this machine
 * @param timeout how long a receiver may take to answer
 * @param maxAttempts the largest number of attempts of a delivery
 * @param initialInterval the delay after the first attempt; four times as long after each
 * further one, up to a day
 * @param secretTransition how long an old secret signs beside a new one
 * @param pollInterval the pause after the last event of the feed
 * @param maxSubscriptions the largest number of subscriptions of a tenant
 */
public record WebhookOptions(boolean allowHttp, boolean allowPrivateAddresses, Duration timeout, int maxAttempts,
		Duration initialInterval, Duration secretTransition, Duration pollInterval, int maxSubscriptions) {

	/** The default of {@link #timeout} (OJS Webhooks §7.3). */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

	/** The longest {@link #timeout} (OJS Webhooks §7.3). */
	public static final Duration MAX_TIMEOUT = Duration.ofSeconds(60);

	/** The default of {@link #maxAttempts} (OJS Webhooks §7.2). */
	public static final int DEFAULT_MAX_ATTEMPTS = 8;

	/** The default of {@link #initialInterval} (OJS Webhooks §7.2). */
	public static final Duration DEFAULT_INITIAL_INTERVAL = Duration.ofSeconds(30);

	/** The default of {@link #secretTransition} (OJS Webhooks §8.3). */
	public static final Duration DEFAULT_SECRET_TRANSITION = Duration.ofHours(24);

	/** The default of {@link #pollInterval}. */
	public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

	/** The default of {@link #maxSubscriptions}. */
	public static final int DEFAULT_MAX_SUBSCRIPTIONS = 50;

	/** The default options. */
	public static final WebhookOptions DEFAULT = new WebhookOptions(false, false, DEFAULT_TIMEOUT, DEFAULT_MAX_ATTEMPTS,
			DEFAULT_INITIAL_INTERVAL, DEFAULT_SECRET_TRANSITION, DEFAULT_POLL_INTERVAL, DEFAULT_MAX_SUBSCRIPTIONS);

}
