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
 * Subscriptions to events (OJS Webhooks §6). Each method is part of the caller's
 * transaction, if there is one, and throws a {@link StoreException} if it cannot be done.
 */
public final class Webhooks {

	/**
	 * How many subscriptions belong to no tenant at most, and the most that
	 * {@link WebhookOptions#maxSubscriptions} lets a tenant have.
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
	 * Creates it.
	 * @param store keeps subscriptions
	 * @param transactions what they are changed in
	 * @param secrets makes secrets
	 * @param options what is allowed
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
	 * Subscribes to events.
	 * @param tenant whose events; {@code null} for those of everybody
	 * @param settings where to, and which
	 * @param secret what signs them, 16 to 255 visible characters; {@code null} to have
	 * one made
	 * @return the subscription, and its secret
	 * @throws InvalidWebhookException if something breaks a rule
	 * @throws TooManyWebhooksException if there are enough
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
	 * Looks a subscription up.
	 * @param id its id
	 * @return the subscription; empty if there is none
	 */
	public Optional<Webhook> find(String id) {
		return this.store.find(id);
	}

	/**
	 * Lists subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @param offset how many to skip
	 * @param limit how many at most
	 * @return the subscriptions, the oldest first
	 */
	public List<Webhook> list(@Nullable String tenant, long offset, int limit) {
		return this.store.list(tenant, offset, limit);
	}

	/**
	 * Counts subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @return how many there are
	 */
	public long count(@Nullable String tenant) {
		return this.store.count(tenant);
	}

	/**
	 * Changes a subscription. What is on its way to the old URL is posted to the new one.
	 * @param id its id
	 * @param change what to change
	 * @return the subscription as it is now
	 * @throws WebhookNotFoundException if there is none
	 * @throws InvalidWebhookException if something breaks a rule
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
	 * Gives a subscription another secret. The one that it has signs beside that for a
	 * while.
	 * @param id its id
	 * @param secret the new one, 16 to 255 visible characters; {@code null} to have one
	 * made
	 * @return the subscription as it is now, and its secret
	 * @throws WebhookNotFoundException if there is none
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
	 * Deletes a subscription. What is on its way is not posted any more.
	 * @param id its id
	 * @throws WebhookNotFoundException if there is none
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
	 * A subscription, and the secret that nobody is told again.
	 *
	 * @param webhook the subscription
	 * @param secret its secret
	 */
	public record Secret(Webhook webhook, String secret) {

		/** Without the secret. */
		@Override
		public String toString() {
			return "Secret[" + this.webhook.id() + "]";
		}

	}

}
