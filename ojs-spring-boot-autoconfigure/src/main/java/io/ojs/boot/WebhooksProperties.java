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
 * @param maxAttempts Number of times that a delivery is tried in all.
 * @param retryInterval Time after the first attempt before the second; each further one
 * waits four times as long, a day at most.
 * @param secretTransition Time for which an old secret signs beside a new one.
 * @param pollInterval Longest time after which an event is seen.
 */
public record WebhooksProperties(@DefaultValue("false") boolean enabled, @DefaultValue("false") boolean allowHttp,
		@DefaultValue("false") boolean allowPrivateAddresses, @DefaultValue("30s") Duration timeout,
		@DefaultValue("8") int maxAttempts, @DefaultValue("30s") Duration retryInterval,
		@DefaultValue("24h") Duration secretTransition, @DefaultValue("1s") Duration pollInterval) {

	WebhookOptions options() {
		return new WebhookOptions(this.allowHttp, this.allowPrivateAddresses, this.timeout, this.maxAttempts,
				this.retryInterval, this.secretTransition, this.pollInterval);
	}

}
