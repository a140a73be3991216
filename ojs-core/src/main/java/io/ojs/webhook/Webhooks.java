package io.ojs.webhook;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import io.ojs.job.JobIdGenerator;
import io.ojs.store.StoreException;
import io.ojs.store.StoreTransactions;
import org.jspecify.annotations.Nullable;

/**
 * Creates, lists, changes and deletes subscriptions to events (OJS Webhooks §6). Each
 * method is part of the caller's transaction if there is one, and throws a
 * {@link StoreException} if the database fails.
 */
public final class Webhooks {

	/**
	 * The largest number of subscriptions without a tenant, and the largest value of
	 * {@link WebhookOptions#maxSubscriptions}.
	 */
	public static final int MAX_SUBSCRIPTIONS = 1000;

	private final WebhookStore store;

	private final StoreTransactions transactions;

	private final WebhookSecrets secrets;

	private final WebhookOptions options;

	private final WebhookRules rules;

	private final Clock clock;

	private final JobIdGenerator ids;

	/**
	 * Creates the webhooks.
	 * @param store keeps subscriptions
	 * @param transactions the transactions of the store
	 * @param secrets creates and encrypts secrets
	 * @param options the options of webhooks
	 * @param clock tells the time
	 */
	public Webhooks(WebhookStore store, StoreTransactions transactions, WebhookSecrets secrets, WebhookOptions options,
			Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.secrets = secrets;
		this.options = options;
		this.rules = new WebhookRules(options);
		this.clock = clock;
		this.ids = new JobIdGenerator(clock);
	}

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
	public Secret create(@Nullable String tenant, WebhookSettings settings, @Nullable String secret) {
		this.rules.check(settings);
		String chosen = (secret != null) ? WebhookSecrets.checked(secret) : this.secrets.make();
		String kept = this.secrets.seal(chosen);
		Instant now = now();
		Webhook webhook = new Webhook(Webhook.ID_PREFIX + this.ids.next(), tenant, settings.url(), settings.events(),
				settings.filter(), settings.metadata(), settings.active(), kept, null, null, now, now);
		int most = (tenant != null) ? this.options.maxSubscriptions() : MAX_SUBSCRIPTIONS;
		return this.transactions.inTransaction(() -> {
			if (this.store.countToInsert(tenant) >= most) {
				throw new TooManyWebhooksException(tenant, most);
			}
			this.store.insert(webhook);
			return new Secret(webhook, chosen);
		});
	}

	/**
	 * Finds a subscription.
	 * @param id its id
	 * @return the subscription; empty if it does not exist
	 */
	public Optional<Webhook> find(String id) {
		return this.store.find(id);
	}

	/**
	 * Lists subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @param offset the number of subscriptions to skip
	 * @param limit the largest number of subscriptions
	 * @return the subscriptions, the oldest first
	 */
	public List<Webhook> list(@Nullable String tenant, long offset, int limit) {
		return this.store.list(tenant, offset, limit);
	}

	/**
	 * Counts subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @return the number of subscriptions
	 */
	public long count(@Nullable String tenant) {
		return this.store.count(tenant);
	}

	/**
	 * Changes a subscription. Deliveries in progress go to the new URL.
	 * @param id its id
	 * @param change receives the settings and returns the new ones
	 * @return the changed subscription
	 * @throws WebhookNotFoundException if it does not exist
	 * @throws InvalidWebhookException if a value breaks a rule
	 */
	public Webhook change(String id, UnaryOperator<WebhookSettings> change) {
		return this.transactions.inTransaction(() -> {
			Webhook before = locked(id);
			WebhookSettings settings = change.apply(WebhookSettings.of(before));
			this.rules.check(settings);
			Webhook after = before.changed(settings, now());
			this.store.update(after);
			return after;
		});
	}

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
	public Secret rotate(String id, @Nullable String secret) {
		String chosen = (secret != null) ? WebhookSecrets.checked(secret) : this.secrets.make();
		String kept = this.secrets.seal(chosen);
		return this.transactions.inTransaction(() -> {
			Instant now = now();
			Webhook after = locked(id).rotated(kept, now.plus(this.options.secretTransition()), now);
			this.store.update(after);
			return new Secret(after, chosen);
		});
	}

	/**
	 * Deletes a subscription. Its deliveries in progress are dropped.
	 * @param id its id
	 * @throws WebhookNotFoundException if it does not exist
	 */
	public void delete(String id) {
		if (!this.store.delete(id)) {
			throw new WebhookNotFoundException(id);
		}
	}

	private Webhook locked(String id) {
		return this.store.lock(id).orElseThrow(() -> new WebhookNotFoundException(id));
	}

	private Instant now() {
		return this.clock.instant().truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * A subscription and its secret, which callers see only once.
	 *
	 * @param webhook the subscription
	 * @param secret its secret
	 */
	public record Secret(Webhook webhook, String secret) {

		/** Omits the secret. */
		@Override
		public String toString() {
			return "Secret[" + this.webhook.id() + "]";
		}

	}

}
