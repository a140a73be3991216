package io.ojs.webhook;

import java.util.List;
import java.util.Optional;

import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps subscriptions, and how far the feed of events was read for them. Every method is
 * part of the caller's transaction, if there is one; those that lock need one, since
 * locks last until its end. Each throws a {@link StoreException} if it cannot be done.
 */
public interface WebhookStore {

	/**
	 * Looks a subscription up.
	 * @param id its id
	 * @return the subscription; empty if there is none
	 */
	Optional<Webhook> find(String id);

	/**
	 * Looks a subscription up that nobody else changes until the transaction ends.
	 * @param id its id
	 * @return the subscription; empty if there is none
	 */
	Optional<Webhook> lock(String id);

	/**
	 * Lists subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @param offset how many to skip
	 * @param limit how many at most
	 * @return the subscriptions, the oldest first
	 */
	List<Webhook> list(@Nullable String tenant, long offset, int limit);

	/**
	 * Counts subscriptions.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @return how many there are
	 */
	long count(@Nullable String tenant);

	/**
	 * Counts subscriptions of one owner, and has all others wait who do the same until
	 * the transaction ends.
	 * @param tenant whose; {@code null} for those that belong to no tenant
	 * @return how many there are
	 */
	long countToInsert(@Nullable String tenant);

	/**
	 * All that are active. Asked for each page of events, so one that has not changed,
	 * which {@link Webhook#updatedAt()} tells, need not be read again.
	 * @return the subscriptions, the oldest first
	 */
	List<Webhook> active();

	/**
	 * Keeps a subscription.
	 * @param webhook the subscription
	 */
	void insert(Webhook webhook);

	/**
	 * Changes a subscription.
	 * @param webhook the subscription
	 */
	void update(Webhook webhook);

	/**
	 * Deletes a subscription.
	 * @param id its id
	 * @return whether there was one
	 */
	boolean delete(String id);

	/**
	 * How far the feed of events was read.
	 * @return a position of the feed; the first time, where it ends
	 */
	long position();

	/**
	 * Notes how far the feed of events was read, unless somebody else has done so
	 * meanwhile. Whoever has done so waits for nobody, others for the end of its
	 * transaction.
	 * @param from how far it was read before
	 * @param to how far it is read now
	 * @return whether it is noted
	 */
	boolean advance(long from, long to);

}
