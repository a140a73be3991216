package io.ojs.boot;

import java.time.Duration;

import io.ojs.webhook.WebhookOptions;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Events that are posted to whoever subscribed to them.
 *
 * @param enabled Whether events can be subscribed to, and are posted by this application;
 * needs a job store.
 * @param allowHttp Whether they may be posted over http, without encryption. For
 * development.
 * @param allowPrivateAddresses Whether they may be posted into networks that are not
 * public, such as to this machine.
 * @param timeout Time that a receiver has to answer, up to 60s.
 * @param secretTransition Time for which an old secret signs beside a new one.
 * @param pollInterval Longest time after which an event is seen.
 * @param maxSubscriptions Number of subscriptions that a tenant may have, up to 1000.
 * @param retry What becomes of deliveries that receivers do not take.
 */
public record WebhooksProperties(@DefaultValue("false") boolean enabled, @DefaultValue("false") boolean allowHttp,
		@DefaultValue("false") boolean allowPrivateAddresses, @DefaultValue("30s") Duration timeout,
		@DefaultValue("24h") Duration secretTransition, @DefaultValue("1s") Duration pollInterval,
		@DefaultValue("50") int maxSubscriptions, @DefaultValue Retry retry) {

	WebhookOptions options() {
		return new WebhookOptions(this.allowHttp, this.allowPrivateAddresses, this.timeout, this.retry.maxAttempts(),
				this.retry.initialInterval(), this.secretTransition, this.pollInterval, this.maxSubscriptions);
	}

	/**
	 * What becomes of deliveries that receivers do not take.
	 *
	 * @param maxAttempts Number of times that a delivery is tried in all.
	 * @param initialInterval Time after the first attempt before the second; each further
	 * one waits four times as long, a day at most.
	 */
	public record Retry(@DefaultValue("8") int maxAttempts, @DefaultValue("30s") Duration initialInterval) {

	}

}
