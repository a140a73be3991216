package io.ojs.webhook;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Creates, lists, changes and deletes subscriptions to events (OJS Webhooks §6). Each
 * method is part of the caller's transaction if there is one, and throws a
 * {@link StoreException} if the database fails.
 */
public interface Webhooks {

	/**
	 * The largest number of subscriptions without a tenant, and the largest value of
	 * {@code ojs.webhooks.max-subscriptions}.
	 */
	int MAX_SUBSCRIPTIONS = 1000;

	/**
	 * Creates a subscription.
	 * @param tenant the tenant whose events it receives; {@code null} for the events of
	 * all
	 * @param settings its settings
	 * @param secret the secret that signs deliveries, 16 to 255 visible characters;
	 * {@code null} to generate one
	 * @return the subscription, and its secret
	 * @throws InvalidWebhookException if a value breaks a rule
	 * @throws TooManyWebhooksException if the owner has the largest number of
	 * subscriptions
	 */
	Secret create(@Nullable String tenant, WebhookSettings settings, @Nullable String secret);

	/**
	 * Finds a subscription.
	 * @param id its id
	 * @return the subscription; empty if it does not exist
	 */
	Optional<Webhook> find(String id);

	/**
	 * Lists subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @param offset the number of subscriptions to skip
	 * @param limit the largest number of subscriptions
	 * @return the subscriptions, the oldest first
	 */
	List<Webhook> list(@Nullable String tenant, long offset, int limit);

	/**
	 * Counts subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @return the number of subscriptions
	 */
	long count(@Nullable String tenant);

	/**
	 * Changes a subscription. Deliveries in progress go to the new URL.
	 * @param id its id
	 * @param change receives the settings and returns the new ones
	 * @return the changed subscription
	 * @throws WebhookNotFoundException if it does not exist
	 * @throws InvalidWebhookException if a value breaks a rule
	 */
	Webhook change(String id, UnaryOperator<WebhookSettings> change);

	/**
	 * Replaces the secret of a subscription. The old one signs deliveries beside it until
	 * the transition ends.
	 * @param id its id
	 * @param secret the new secret, 16 to 255 visible characters; {@code null} to
	 * generate one
	 * @return the changed subscription, and its secret
	 * @throws WebhookNotFoundException if it does not exist
	 * @throws InvalidWebhookException if the secret breaks a rule
	 */
	Secret rotate(String id, @Nullable String secret);

	/**
	 * Deletes a subscription. Its deliveries in progress are dropped.
	 * @param id its id
	 * @throws WebhookNotFoundException if it does not exist
	 */
	void delete(String id);

	/**
	 * A subscription and its secret, which callers see only once.
	 *
	 * @param webhook the subscription
	 * @param secret its secret
	 */
	record Secret(Webhook webhook, String secret) {

		/** Omits the secret. */
		@Override
		public String toString() {
			return "Secret[" + this.webhook.id() + "]";
		}

	}

}
