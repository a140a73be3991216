package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds queues of which the broker has fewer messages than the store has jobs, and has
 * those published again that wait longest: a broker that was set up anew, or a queue that
 * was purged or deleted, has lost them.
 *
 * <p>
 * A broker counts only messages that it has not delivered. Those that consumers hold in
 * advance while they run others look lost, and nobody can tell them from lost ones: as
 * many as there may be are left alone for ten times as long. For what is not lost it is
 * one message too many then, which runs the job on another worker, or is dropped.
 */
public final class OverdueCheck {

	/** Default of how long a job may be on its way before it is missed. */
	public static final Duration DEFAULT_AFTER = Duration.ofMinutes(5);

	private static final Logger logger = LoggerFactory.getLogger(OverdueCheck.class);

	/** The next time goes on where this one ended. */
	private static final int LIMIT = 10_000;

	/** How much longer a job is left alone that a consumer may have. */
	private static final int DOUBTS = 10;

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
	 * @throws RuntimeException if the database or the broker does not answer; if the
	 * broker does not tell of some queues only, the others have been looked after
	 */
	public void check() {
		if (!this.publisher.isReady()) {
			return;
		}
		Instant now = this.clock.instant();
		Instant before = now.minus(this.after);
		Map<String, RelayStore.AtBroker> expected = expected(before);
		Map<String, Long> tooFew = new LinkedHashMap<>();
		RuntimeException failure = null;
		for (RelayStore.AtBroker each : expected.values()) {
			try {
				long waiting = this.publisher.waiting(each.queue());
				if (waiting < each.jobs()) {
					tooFew.put(each.queue(), waiting);
				}
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (!tooFew.isEmpty()) {
			publishAgain(tooFew, expected, expected(before), now);
		}
		if (failure != null) {
			throw failure;
		}
	}

	private Map<String, RelayStore.AtBroker> expected(Instant before) {
		return this.store.atBroker(before)
			.stream()
			.collect(Collectors.toMap(RelayStore.AtBroker::queue, Function.identity(), (one, other) -> one,
					LinkedHashMap::new));
	}

	/**
	 * What was claimed or published while the broker was asked is not missing: the store
	 * is counted before and afterwards, and the smaller number taken.
	 */
	private void publishAgain(Map<String, Long> tooFew, Map<String, RelayStore.AtBroker> earlier,
			Map<String, RelayStore.AtBroker> later, Instant now) {
		int again = 0;
		for (Map.Entry<String, Long> queue : tooFew.entrySet()) {
			RelayStore.AtBroker one = earlier.get(queue.getKey());
			RelayStore.AtBroker other = later.get(queue.getKey());
			if (one != null && other != null) {
				long missing = Math.min(one.jobs(), other.jobs()) - queue.getValue();
				again += publishAgain(queue.getKey(), missing, Math.max(one.active(), other.active()), now);
			}
		}
		if (again > 0) {
			this.relay.wake();
		}
	}

	private int publishAgain(String queue, long missing, long active, Instant now) {
		if (missing <= 0) {
			return 0;
		}
		// A consumer that runs nothing holds nothing either.
		long held = Math.min(missing, active * this.publisher.heldInAdvance(queue));
		int again = publishAgain(queue, now.minus(this.after), now, missing - held)
				+ publishAgain(queue, now.minus(this.after.multipliedBy(DOUBTS)), now, held);
		if (again > 0) {
			logger.info(
					"{} jobs of queue '{}' have been with the broker for more than {} and are published again: it "
							+ "has {} fewer messages than there are jobs, of which consumers may have {}",
					again, queue, this.after, missing, held);
		}
		return again;
	}

	private int publishAgain(String queue, Instant before, Instant now, long limit) {
		return (limit > 0) ? this.store.publishAgain(queue, before, now, (int) Math.min(limit, LIMIT)) : 0;
	}

}
