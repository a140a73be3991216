package io.ojs.webhook.internal;

import java.util.List;
import java.util.Optional;

import io.ojs.store.StoreException;
import io.ojs.webhook.Webhook;
import org.jspecify.annotations.Nullable;

/**
 * Keeps subscriptions, and the position in the event feed. Every method is part of the
 * caller's transaction if there is one. Methods that lock need one, since locks last
 * until its end. Each throws a {@link StoreException} if the database fails.
 */
public interface WebhookStore {

	/**
	 * Finds a subscription.
	 * @return the subscription; empty if it does not exist
	 */
	Optional<Subscription> find(String id);

	/**
	 * Finds and locks a subscription: no other transaction changes it until this one
	 * ends.
	 * @return the subscription; empty if it does not exist
	 */
	Optional<Subscription> lock(String id);

	/**
	 * Lists subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 */
	List<Webhook> list(@Nullable String tenant, long offset, int limit);

	/**
	 * Counts subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 */
	long count(@Nullable String tenant);

	/**
	 * Counts the subscriptions of one owner, and locks the count: other calls wait until
	 * this transaction ends.
	 * @param tenant the tenant; {@code null} for subscriptions without a tenant
	 */
	long countToInsert(@Nullable String tenant);

	/**
	 * Returns all active subscriptions. Called for each page of events, so a store may
	 * keep subscriptions in memory and read only those whose {@link Webhook#updatedAt()}
	 * has changed.
	 */
	List<Webhook> active();

	/** Inserts a subscription. */
	void insert(Subscription subscription);

	/** Changes a subscription. */
	void update(Subscription subscription);

	/**
	 * Deletes a subscription.
	 * @return whether it existed
	 */
	boolean delete(String id);

	/**
	 * Returns the position up to which the event feed has been read.
	 * @return the position; at the first call, the end of the feed
	 */
	long position();

	/**
	 * Advances the position, unless another process has done so meanwhile. Waits while
	 * another transaction that has advanced it is open.
	 * @param from the position before
	 * @return whether the position was advanced
	 */
	boolean advance(long from, long to);

}
