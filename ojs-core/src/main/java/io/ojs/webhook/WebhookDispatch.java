package io.ojs.webhook;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.ojs.client.EnqueueException;
import io.ojs.client.JobFactory;
import io.ojs.client.PreparedJobs;
import io.ojs.event.EventFeed;
import io.ojs.event.StoredEvent;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.queue.QueueRefusedException;
import io.ojs.retry.BackoffStrategy;
import io.ojs.retry.OnExhaustion;
import io.ojs.store.Poller;
import io.ojs.store.StoreException;
import io.ojs.store.StoreTransactions;
import io.ojs.store.StoreUnavailableException;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes jobs of events that somebody subscribed to. It reads the feed, and notes how far
 * in the transaction that enqueues the jobs: any number of processes can do this at the
 * same time, and one that dies in the middle has done nothing.
 */
public final class WebhookDispatch implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(WebhookDispatch.class);

	/** Their data are held in memory. */
	private static final int PAGE = 100;

	/** As many jobs as one transaction enqueues, and those of one event more at most. */
	private static final int MANY_JOBS = 500;

	private static final double BACKOFF = 4;

	private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);

	private final WebhookStore store;

	private final EventFeed feed;

	private final StoreTransactions transactions;

	private final PreparedJobs prepared;

	private final JobFactory factory;

	private final WebhookOptions options;

	private final JobIdGenerator ids;

	private final Poller poller = new Poller("ojs-webhooks", "Events cannot be handed out to webhooks", this::round);

	/**
	 * Creates it.
	 * @param store knows subscriptions, and how far the feed was read
	 * @param feed tells events
	 * @param transactions what jobs are enqueued in
	 * @param prepared enqueues them
	 * @param factory tells whether something can be a job
	 * @param options how events are posted
	 * @param clock tells the time
	 */
	public WebhookDispatch(WebhookStore store, EventFeed feed, StoreTransactions transactions, PreparedJobs prepared,
			JobFactory factory, WebhookOptions options, Clock clock) {
		this.store = store;
		this.feed = feed;
		this.transactions = transactions;
		this.prepared = prepared;
		this.factory = factory;
		this.options = options;
		this.ids = new JobIdGenerator(clock);
	}

	/**
	 * Starts. May be done again once it was closed and its thread has ended.
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
	 * Makes jobs of the next events, as its thread does once it is started. To be called
	 * by one thread at a time. An event that cannot be made a job of is left out, and
	 * told to the log.
	 * @return whether there may be more
	 * @throws StoreException if the database does not let it; no event is left out
	 * @throws EnqueueException if the queue takes no jobs now; no event is left out
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
		for (StoredEvent event : events) {
			if (jobs.size() >= MANY_JOBS) {
				break;
			}
			taken.add(event);
			jobs.addAll(jobs(event, webhooks));
		}
		try {
			enqueue(from, last(taken), jobs);
		}
		catch (RuntimeException ex) {
			if (isOfAll(ex)) {
				throw ex;
			}
			logger.debug("One of {} events cannot be enqueued", taken.size(), ex);
			oneByOne(from, taken, webhooks);
		}
		return true;
	}

	/** One that nobody can enqueue must not hold up the others. */
	private void oneByOne(long start, List<StoredEvent> events, List<Webhook> webhooks) {
		long from = start;
		for (StoredEvent event : events) {
			long to = event.position();
			try {
				if (!enqueue(from, to, jobs(event, webhooks))) {
					return;
				}
			}
			catch (RuntimeException ex) {
				if (isOfAll(ex)) {
					throw ex;
				}
				logger.error("Event {} ({}) is told to nobody: no job can be made of it", event.id(), event.type(), ex);
				if (!enqueue(from, to, List.of())) {
					return;
				}
			}
			from = to;
		}
	}

	/** Whether it has nothing to do with single events. */
	private static boolean isOfAll(RuntimeException failure) {
		return failure instanceof StoreUnavailableException || failure.getCause() instanceof StoreUnavailableException
				|| failure instanceof QueueRefusedException;
	}

	private static long last(List<StoredEvent> events) {
		return events.get(events.size() - 1).position();
	}

	private boolean enqueue(long from, long to, List<JobRequest> jobs) {
		return this.transactions.inTransaction(() -> {
			if (!this.store.advance(from, to)) {
				// Another process has done it.
				return false;
			}
			if (!jobs.isEmpty()) {
				this.prepared.enqueueAgain(jobs);
			}
			return true;
		});
	}

	private List<JobRequest> jobs(StoredEvent event, List<Webhook> webhooks) {
		if (isOwn(event)) {
			return List.of();
		}
		List<Map<String, @Nullable Object>> variants = WebhookEnvelope.variants(event);
		List<JobRequest> jobs = new ArrayList<>();
		for (Webhook webhook : webhooks) {
			if (webhook.wants(event)) {
				job(event, variants, webhook).ifPresentOrElse(jobs::add,
						() -> logger.error("Event {} ({}) is not told to {}: no job can carry it", event.id(),
								event.type(), webhook.id()));
			}
		}
		return jobs;
	}

	/** What tells of deliveries is not delivered: that would never end. */
	private static boolean isOwn(StoredEvent event) {
		return WebhookDelivery.TYPE.equals(event.data().get(WebhookEnvelope.JOB_TYPE))
				|| WebhookDelivery.QUEUE.equals(event.subject());
	}

	private Optional<JobRequest> job(StoredEvent event, List<Map<String, @Nullable Object>> variants, Webhook webhook) {
		for (Map<String, @Nullable Object> envelope : variants) {
			JobRequest request = job(event, envelope, webhook);
			if (!fits(request)) {
				continue;
			}
			// Whoever cannot be encrypted now is another time: that is no matter of the
			// event.
			JobRequest encrypted = this.factory.encryption().encrypt(request, WebhookDelivery.QUEUE);
			if (encrypted == request || fits(encrypted)) {
				return Optional.of(encrypted);
			}
		}
		return Optional.empty();
	}

	private boolean fits(JobRequest request) {
		try {
			this.factory.again(request);
			return true;
		}
		catch (RuntimeException ex) {
			// Those of what writes JSON, too.
			logger.debug("No job can carry all of an event", ex);
			return false;
		}
	}

	private JobRequest job(StoredEvent event, Map<String, @Nullable Object> envelope, Webhook webhook) {
		Duration first = this.options.retryInterval();
		Duration longest = (first.compareTo(LONGEST_INTERVAL) < 0) ? LONGEST_INTERVAL : first;
		JobRequest request = JobRequest.of(WebhookDelivery.TYPE, envelope)
			.id(this.ids.next())
			.queue(WebhookDelivery.QUEUE)
			.meta(WebhookDelivery.META_SUBSCRIPTION, webhook.id())
			.meta(WebhookDelivery.META_EVENT, event.id())
			.meta(WebhookDelivery.META_EVENT_TYPE, event.type())
			.retry((retry) -> retry.maxAttempts(this.options.maxAttempts())
				.initialInterval(first)
				.maxInterval(longest)
				.backoffCoefficient(BACKOFF)
				.backoffStrategy(BackoffStrategy.EXPONENTIAL)
				.onExhaustion(OnExhaustion.DEAD_LETTER));
		return (webhook.tenant() != null) ? request.meta(Tenants.META_KEY, webhook.tenant()) : request;
	}

	/** Ends after what it is doing. */
	@Override
	public void close() {
		this.poller.close();
	}

}
