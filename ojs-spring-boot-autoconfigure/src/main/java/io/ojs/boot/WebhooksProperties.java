package io.ojs.boot;

import java.time.Duration;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Webhooks: events that are posted to subscribed URLs.
 *
 * @param enabled Whether this application manages subscriptions to events and posts
 * events; needs a job store.
 * @param allowHttp Whether subscribed URLs may use http, without encryption. For
 * development.
 * @param allowPrivateAddresses Whether events may be posted into networks that are not
 * public, such as to this machine.
 * @param timeout Longest time that a receiver may take to answer, up to 60s.
 * @param secretTransition Time for which a replaced secret still signs deliveries, beside
 * the new one.
 * @param pollInterval Longest time until a new event is noticed.
 * @param maxSubscriptions Largest number of subscriptions of a tenant, 1 to 1000.
 * @param retry Retries of deliveries that a receiver does not accept.
 */
public record WebhooksProperties(@DefaultValue("false") boolean enabled, @DefaultValue("false") boolean allowHttp,
		@DefaultValue("false") boolean allowPrivateAddresses, @DefaultValue("30s") Duration timeout,
		@DefaultValue("24h") Duration secretTransition, @DefaultValue("1s") Duration pollInterval,
		@DefaultValue("50") int maxSubscriptions, @DefaultValue Retry retry) {

	/**
	 * Retries of deliveries that a receiver does not accept.
	 *
	 * @param maxAttempts Number of attempts of a delivery in all, 1 to 100.
	 * @param initialInterval Delay after the first attempt. After each further attempt it
	 * is four times as long, a day at most.
	 */
	public record Retry(@DefaultValue("8") int maxAttempts, @DefaultValue("30s") Duration initialInterval) {

	}

}
