package io.ojs.webhook.internal;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.ojs.client.EnqueueException;
import io.ojs.client.internal.JobFactory;
import io.ojs.client.internal.PreparedJobs;
import io.ojs.event.EventFeed;
import io.ojs.event.StoredEvent;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.queue.QueueRefusedException;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.StoreException;
import io.ojs.store.internal.Poller;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.webhook.Webhook;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Enqueues the deliveries of events that match subscriptions. One transaction enqueues
 * the jobs and records the position in the feed. So any number of processes can do this
 * at the same time, and the work of one that dies is rolled back.
 */
public final class WebhookDispatch implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(WebhookDispatch.class);

	/** The number of events that are read at once. Their data are in memory. */
	private static final int PAGE = 100;

	/**
	 * How many jobs one transaction enqueues, except for further jobs of its last event.
	 */
	private static final int MANY_JOBS = 500;

	private final WebhookStore store;

	private final EventFeed feed;

	private final StoreTransactions transactions;

	private final PreparedJobs prepared;

	private final WebhookOptions options;

	private final WebhookJobs jobs;

	private final Poller poller = new Poller("ojs-webhooks", "Events cannot be handed out to webhooks", this::round);

	/**
	 * Creates the dispatch.
	 * @param factory checks whether a job can carry an event
	 */
	public WebhookDispatch(WebhookStore store, EventFeed feed, StoreTransactions transactions, PreparedJobs prepared,
			JobFactory factory, WebhookOptions options, Clock clock) {
		this.store = store;
		this.feed = feed;
		this.transactions = transactions;
		this.prepared = prepared;
		this.options = options;
		this.jobs = new WebhookJobs(factory, options, new JobIdGenerator(clock));
	}

	/**
	 * Starts the thread. It may be started again after it was closed and its thread has
	 * ended.
	 */
	public void start() {
		this.poller.start();
	}

	private Duration round() {
		while (!this.poller.isStopped() && dispatch()) {
			logger.debug("There may be more events");
		}
		return this.options.pollInterval();
	}

	/**
	 * Enqueues the deliveries of the next events, as the thread does. To be called by one
	 * thread at a time. An event that no job can carry is skipped and logged.
	 * @return whether there may be more events
	 * @throws StoreException if the database fails; no event is skipped for this or any
	 * other exception
	 * @throws EnqueueException if the queue takes no jobs now
	 */
	public boolean dispatch() {
		long from = this.store.position();
		List<StoredEvent> events = this.feed.after(from, Set.of(), Set.of(), PAGE);
		if (events.isEmpty()) {
			return false;
		}
		List<Webhook> webhooks = this.store.active();
		List<StoredEvent> taken = new ArrayList<>();
		List<JobRequest> jobs = new ArrayList<>();
		long bytes = 0;
		for (StoredEvent event : events) {
			if (jobs.size() >= MANY_JOBS) {
				break;
			}
			WebhookJobs.Batch batch = this.jobs.of(event, webhooks);
			if (!jobs.isEmpty() && bytes + batch.bytes() > WebhookJobs.MAX_BYTES) {
				break;
			}
			taken.add(event);
			jobs.addAll(batch.jobs());
			bytes += batch.bytes();
		}
		try {
			enqueue(from, last(taken), jobs);
		}
		catch (RuntimeException ex) {
			// A queue without room for all jobs may have room for some.
			boolean some = taken.size() > 1 && ex instanceof QueueRefusedException;
			if (!isOfOne(ex) && !some) {
				throw ex;
			}
			logger.debug("One of {} events cannot be enqueued", taken.size(), ex);
			oneByOne(from, taken, webhooks);
		}
		return true;
	}

	/**
	 * Enqueues the jobs of each event by itself, so that one that can never be enqueued
	 * does not delay the others.
	 */
	private void oneByOne(long start, List<StoredEvent> events, List<Webhook> webhooks) {
		long from = start;
		for (StoredEvent event : events) {
			long to = event.position();
			try {
				if (!enqueue(from, to, this.jobs.of(event, webhooks).jobs())) {
					return;
				}
			}
			catch (RuntimeException ex) {
				if (!isOfOne(ex)) {
					throw ex;
				}
				logger.error("Event {} ({}) is not posted to any webhook: no job can be made of it", event.id(),
						event.type(), ex);
				if (!enqueue(from, to, List.of())) {
					return;
				}
			}
			from = to;
		}
	}

	/**
	 * Whether the failure concerns one event and would repeat for ever. After any other
	 * failure the event waits, and is not lost.
	 */
	private static boolean isOfOne(RuntimeException failure) {
		return isOfOne((Throwable) failure) || isOfOne(failure.getCause());
	}

	private static boolean isOfOne(@Nullable Throwable failure) {
		return failure instanceof InvalidJobException || failure instanceof DuplicateIdException;
	}

	private static long last(List<StoredEvent> events) {
		return events.get(events.size() - 1).position();
	}

	private boolean enqueue(long from, long to, List<JobRequest> jobs) {
		return this.transactions.inTransaction(() -> {
			if (!this.store.advance(from, to)) {
				// Another process has enqueued these jobs.
				return false;
			}
			if (!jobs.isEmpty()) {
				this.prepared.enqueueAgain(jobs);
			}
			return true;
		});
	}

	/** Stops the thread after the events in progress. */
	@Override
	public void close() {
		this.poller.close();
	}

}
