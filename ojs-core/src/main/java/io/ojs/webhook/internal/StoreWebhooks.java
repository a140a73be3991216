package io.ojs.webhook.internal;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import io.ojs.job.JobIdGenerator;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.webhook.TooManyWebhooksException;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookNotFoundException;
import io.ojs.webhook.WebhookSettings;
import io.ojs.webhook.Webhooks;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of the job store.
 */
public final class StoreWebhooks implements Webhooks {

	private final WebhookStore store;

	private final StoreTransactions transactions;

	private final WebhookSecrets secrets;

	private final WebhookOptions options;

	private final WebhookRules rules;

	private final Clock clock;

	private final JobIdGenerator ids;

	public StoreWebhooks(WebhookStore store, StoreTransactions transactions, WebhookSecrets secrets,
			WebhookOptions options, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.secrets = secrets;
		this.options = options;
		this.rules = new WebhookRules(options);
		this.clock = clock;
		this.ids = new JobIdGenerator(clock);
	}

	@Override
	public Secret create(@Nullable String tenant, WebhookSettings settings, @Nullable String secret) {
		this.rules.check(settings);
		String chosen = (secret != null) ? WebhookSecrets.checked(secret) : this.secrets.make();
		String kept = this.secrets.seal(chosen);
		Instant now = now();
		Webhook webhook = new Webhook(Webhook.ID_PREFIX + this.ids.next(), tenant, settings.url(), settings.events(),
				settings.filter(), settings.metadata(), settings.active(), null, now, now);
		int most = (tenant != null) ? this.options.maxSubscriptions() : MAX_SUBSCRIPTIONS;
		return this.transactions.inTransaction(() -> {
			if (this.store.countToInsert(tenant) >= most) {
				throw new TooManyWebhooksException(tenant, most);
			}
			this.store.insert(new Subscription(webhook, kept, null));
			return new Secret(webhook, chosen);
		});
	}

	@Override
	public Optional<Webhook> find(String id) {
		return this.store.find(id).map(Subscription::webhook);
	}

	@Override
	public List<Webhook> list(@Nullable String tenant, long offset, int limit) {
		return this.store.list(tenant, offset, limit);
	}

	@Override
	public long count(@Nullable String tenant) {
		return this.store.count(tenant);
	}

	@Override
	public Webhook change(String id, UnaryOperator<WebhookSettings> change) {
		return this.transactions.inTransaction(() -> {
			Subscription before = locked(id);
			WebhookSettings settings = change.apply(WebhookSettings.of(before.webhook()));
			this.rules.check(settings);
			Subscription after = changed(before, settings, now());
			this.store.update(after);
			return after.webhook();
		});
	}

	@Override
	public Secret rotate(String id, @Nullable String secret) {
		String chosen = (secret != null) ? WebhookSecrets.checked(secret) : this.secrets.make();
		String kept = this.secrets.seal(chosen);
		return this.transactions.inTransaction(() -> {
			Instant now = now();
			Subscription after = rotated(locked(id), kept, now.plus(this.options.secretTransition()), now);
			this.store.update(after);
			return new Secret(after.webhook(), chosen);
		});
	}

	@Override
	public void delete(String id) {
		if (!this.store.delete(id)) {
			throw new WebhookNotFoundException(id);
		}
	}

	private Subscription locked(String id) {
		return this.store.lock(id).orElseThrow(() -> new WebhookNotFoundException(id));
	}

	private Instant now() {
		return this.clock.instant().truncatedTo(ChronoUnit.MICROS);
	}

	static Subscription changed(Subscription before, WebhookSettings settings, Instant now) {
		Webhook old = before.webhook();
		Webhook changed = new Webhook(old.id(), old.tenant(), settings.url(), settings.events(), settings.filter(),
				settings.metadata(), settings.active(), old.previousSecretUntil(), old.createdAt(), later(old, now));
		return new Subscription(changed, before.secret(), before.previousSecret());
	}

	private static Subscription rotated(Subscription before, String sealed, Instant previousUntil, Instant now) {
		Webhook old = before.webhook();
		Webhook rotated = new Webhook(old.id(), old.tenant(), old.url(), old.events(), old.filter(), old.metadata(),
				old.active(), previousUntil, old.createdAt(), later(old, now));
		return new Subscription(rotated, sealed, before.secret());
	}

	/**
	 * Returns a time that is later than that of the last change, even if another process
	 * with another clock made it: readers notice a change by its time.
	 */
	private static Instant later(Webhook before, Instant now) {
		return now.isAfter(before.updatedAt()) ? now : before.updatedAt().plus(1, ChronoUnit.MICROS);
	}

}
