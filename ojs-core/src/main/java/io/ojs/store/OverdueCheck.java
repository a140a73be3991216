package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds queues of which the broker has fewer messages than the store has jobs, and has
 * those published again that wait longest: a broker that was set up anew, or a queue that
 * was purged or deleted, has lost them. Jobs that a worker holds in advance are missed
 * too; for them it is one message too many, which nobody can claim.
 */
public final class OverdueCheck {

	/** Default of how long a job may be on its way before it is missed. */
	public static final Duration DEFAULT_AFTER = Duration.ofMinutes(5);

	private static final Logger logger = LoggerFactory.getLogger(OverdueCheck.class);

	/** The next time goes on where this one ended. */
	private static final int LIMIT = 10_000;

	private final RelayStore store;

	private final JobPublisher publisher;

	private final Relay relay;

	private final Clock clock;

	private final Duration after;

	/**
	 * Creates it.
	 * @param store knows what the broker should have
	 * @param publisher knows what it has
	 * @param relay publishes what is missing
	 * @param clock tells the time
	 * @param after how long a job may be on its way before it is missed
	 */
	public OverdueCheck(RelayStore store, JobPublisher publisher, Relay relay, Clock clock, Duration after) {
		this.store = store;
		this.publisher = publisher;
		this.relay = relay;
		this.clock = clock;
		this.after = after;
	}

	/**
	 * Looks for missing jobs.
	 * @throws RuntimeException if the database or the broker does not answer
	 */
	public void check() {
		if (!this.publisher.isReady()) {
			return;
		}
		Instant now = this.clock.instant();
		Instant before = now.minus(this.after);
		int again = 0;
		for (RelayStore.AtBroker expected : this.store.atBroker(before)) {
			long missing = expected.jobs() - this.publisher.waiting(expected.queue());
			if (missing > 0) {
				again += publishAgain(expected, missing, before, now);
			}
		}
		if (again > 0) {
			this.relay.wake();
		}
	}

	private int publishAgain(RelayStore.AtBroker expected, long missing, Instant before, Instant now) {
		int again = this.store.publishAgain(expected.queue(), before, now, (int) Math.min(missing, LIMIT));
		if (again > 0) {
			logger.info(
					"{} jobs of queue '{}' have been with the broker for more than {} and are published again: it "
							+ "has {} fewer messages than there are jobs",
					again, expected.queue(), this.after, missing);
		}
		return again;
	}

}
