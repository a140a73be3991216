package io.ojs.store.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.ojs.client.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Knows how jobs get to the broker once they are committed: at once, if they may overtake
 * others, and else by the relay.
 */
public final class CommittedJobs {

	/** Default of how long the relay leaves a job to those who publish it at once. */
	public static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

	private final DirectPublisher direct;

	private final Relay relay;

	private final Predicate<String> ordered;

	private final StoreDelivery delivery;

	private final Duration grace;

	/**
	 * Creates it, where the broker delivers all jobs.
	 * @param direct publishes at once
	 * @param relay publishes all else
	 * @param ordered whether an OJS queue keeps its jobs in their order
	 * @param grace how long the relay leaves a job to those who publish it at once
	 */
	public CommittedJobs(DirectPublisher direct, Relay relay, Predicate<String> ordered, Duration grace) {
		this(direct, relay, ordered, StoreDelivery.NONE, grace);
	}

	/**
	 * Creates it.
	 * @param direct publishes at once
	 * @param relay publishes all else
	 * @param ordered whether an OJS queue keeps its jobs in their order
	 * @param delivery knows the queues whose jobs the store delivers
	 * @param grace how long the relay leaves a job to those who publish it at once
	 */
	public CommittedJobs(DirectPublisher direct, Relay relay, Predicate<String> ordered, StoreDelivery delivery,
			Duration grace) {
		this.direct = direct;
		this.relay = relay;
		this.ordered = ordered;
		this.delivery = delivery;
		this.grace = grace;
	}

	/**
	 * Says when the relay takes care of a new job.
	 * @param encoded the job
	 * @param headers what travels beside the envelope
	 * @param now the present
	 * @return the job to be kept
	 */
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
		// Nobody but the relay publishes what has to stay in order.
		if (inOrder) {
			return now;
		}
		return this.delivery.delivers(job.queue()) ? this.delivery.relayAt(job.queue(), now) : now.plus(this.grace);
	}

	/**
	 * Whether no worker can have a job yet that may have been committed since it was
	 * prepared: no message of it has been published, and it is not fetched.
	 */
	boolean isUntouched(NewJob job, Instant now) {
		return !this.delivery.delivers(job.encoded().job().queue())
				&& (job.relayAt() == null || job.relayAt().isAfter(now));
	}

	/**
	 * Has jobs published, or fetched. Waits for nothing.
	 * @param jobs jobs that were committed just now
	 */
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
	 * Has a job fetched that waits for the turn of its tenant, where the store delivers
	 * it: fetches decide by themselves whose turn it is. Otherwise the relay publishes it
	 * when that is.
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
	 * Has jobs published that were kept before and are available from now on. Waits for
	 * nobody.
	 */
	void wake() {
		this.relay.wake();
	}

}
