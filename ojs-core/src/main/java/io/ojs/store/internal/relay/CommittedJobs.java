package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.internal.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Decides how committed jobs get to workers. Jobs of queues that are not ordered are
 * published at once, or a worker that fetches is woken; the relay publishes all others.
 */
public final class CommittedJobs {

	/**
	 * The default of how long the relay leaves a job to the thread that publishes it at
	 * once.
	 */
	public static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

	private final DirectPublisher direct;

	private final Relay relay;

	private final Predicate<String> ordered;

	private final StoreDelivery delivery;

	private final Duration grace;

	/**
	 * Creates the decision for applications in which the broker delivers all jobs.
	 * @param ordered whether an OJS queue is ordered
	 */
	public CommittedJobs(DirectPublisher direct, Relay relay, Predicate<String> ordered, Duration grace) {
		this(direct, relay, ordered, StoreDelivery.NONE, grace);
	}

	/**
	 * Creates the decision.
	 * @param ordered whether an OJS queue is ordered
	 */
	public CommittedJobs(DirectPublisher direct, Relay relay, Predicate<String> ordered, StoreDelivery delivery,
			Duration grace) {
		this.direct = direct;
		this.relay = relay;
		this.ordered = ordered;
		this.delivery = delivery;
		this.grace = grace;
	}

	/** Makes the new job of the store, with the time at which the relay publishes it. */
	NewJob prepare(EncodedJob encoded, Map<String, String> headers, Instant now) {
		boolean inOrder = this.ordered.test(encoded.job().queue());
		return new NewJob(encoded, headers, relayAt(encoded.job(), inOrder, now), inOrder);
	}

	private @Nullable Instant relayAt(Job job, boolean inOrder, Instant now) {
		if (job.state() == JobState.PENDING) {
			return null;
		}
		if (job.state() == JobState.SCHEDULED && job.scheduledAt() != null) {
			return job.scheduledAt().toInstant();
		}
		// The relay alone publishes jobs of ordered queues.
		if (inOrder) {
			return now;
		}
		return this.delivery.delivers(job.queue()) ? this.delivery.relayAt(job.queue(), now) : now.plus(this.grace);
	}

	/**
	 * Whether no worker can have a job that may have been committed since it was
	 * prepared: its message has not been published, and workers do not fetch it.
	 */
	boolean isUntouched(NewJob job, Instant now) {
		return !this.delivery.delivers(job.encoded().job().queue())
				&& (job.relayAt() == null || job.relayAt().isAfter(now));
	}

	/** Publishes committed jobs, or wakes workers that fetch. Does not wait. */
	void accept(List<NewJob> jobs) {
		boolean relayed = false;
		for (NewJob job : jobs) {
			boolean available = job.encoded().job().state() == JobState.AVAILABLE;
			if (available && !job.ordered() && job.relayAt() != null) {
				publish(new RelayedJob(job.encoded(), job.headers(), job.relayAt()));
			}
			else {
				relayed |= job.relayAt() != null;
			}
		}
		if (relayed) {
			this.relay.wake();
		}
	}

	/**
	 * Wakes a worker for a job that waits for the turn of its tenant, if workers fetch
	 * it: a fetch decides which tenant is next. Otherwise the relay publishes the job in
	 * its turn.
	 */
	void acceptInTurn(NewJob job) {
		String queue = job.encoded().job().queue();
		if (this.delivery.delivers(queue)) {
			this.delivery.available(queue);
		}
	}

	private void publish(RelayedJob job) {
		if (this.delivery.delivers(job.queue())) {
			this.delivery.available(job.queue());
		}
		else {
			this.direct.publish(job);
		}
	}

	/**
	 * Wakes the relay, to publish jobs that were kept before and are available now. Does
	 * not wait.
	 */
	void wake() {
		this.relay.wake();
	}

}
