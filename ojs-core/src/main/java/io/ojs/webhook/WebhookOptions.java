package io.ojs.webhook;

import java.time.Duration;

/**
 * How events are posted.
 *
 * @param allowHttp whether addresses may be {@code http:}, without encryption
 * @param allowPrivateAddresses whether events may be posted into networks that are not
 * public, such as that of this machine
 * @param timeout how long a receiver may take to answer
 * @param maxAttempts how often a delivery is tried in all
 * @param initialInterval how long it waits after the first attempt; four times as long
 * after each further one, a day at most
 * @param secretTransition how long an old secret signs beside a new one
 * @param pollInterval how long the feed of events is left alone when it has no more
 * @param maxSubscriptions how many subscriptions a tenant has at most
 */
public record WebhookOptions(boolean allowHttp, boolean allowPrivateAddresses, Duration timeout, int maxAttempts,
		Duration initialInterval, Duration secretTransition, Duration pollInterval, int maxSubscriptions) {

	/** Default of {@link #timeout} (OJS Webhooks §7.3). */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

	/** Longest {@link #timeout} (OJS Webhooks §7.3). */
	public static final Duration MAX_TIMEOUT = Duration.ofSeconds(60);

	/** Default of {@link #maxAttempts} (OJS Webhooks §7.2). */
	public static final int DEFAULT_MAX_ATTEMPTS = 8;

	/** Default of {@link #initialInterval} (OJS Webhooks §7.2). */
	public static final Duration DEFAULT_INITIAL_INTERVAL = Duration.ofSeconds(30);

	/** Default of {@link #secretTransition} (OJS Webhooks §8.3). */
	public static final Duration DEFAULT_SECRET_TRANSITION = Duration.ofHours(24);

	/** Default of {@link #pollInterval}. */
	public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

	/** Default of {@link #maxSubscriptions}. */
	public static final int DEFAULT_MAX_SUBSCRIPTIONS = 50;

	/** What is said unless something else is. */
	public static final WebhookOptions DEFAULT = new WebhookOptions(false, false, DEFAULT_TIMEOUT, DEFAULT_MAX_ATTEMPTS,
			DEFAULT_INITIAL_INTERVAL, DEFAULT_SECRET_TRANSITION, DEFAULT_POLL_INTERVAL, DEFAULT_MAX_SUBSCRIPTIONS);

}
