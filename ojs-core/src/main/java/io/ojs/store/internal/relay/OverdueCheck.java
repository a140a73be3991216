package io.ojs.store.internal.relay;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.version.HandlerStore;
import org.slf4j.Logger;

/**
 * Finds queues of which the broker has fewer messages than the store has published jobs,
 * and publishes again the jobs that wait longest. A broker that was set up anew, and a
 * queue that was purged or deleted, has lost its messages.
 *
 * <p>
 * The broker counts only messages that it has not delivered, so messages that consumers
 * hold in advance look like lost ones. As many jobs as consumers may hold are left alone
 * for ten times as long. If such a job was not lost, it has one message too many: another
 * worker runs it, or drops it as a duplicate.
 *
 * <p>
 * A consumer of another program takes messages and does not report to the store. If a
 * queue that misses messages has more consumers than the processes with this store have
 * announced, at two checks in a row, the check logs that once and does not publish again
 * the jobs that those consumers may have taken.
 */
public final class OverdueCheck {

	/** The default of how long a published job may wait before it is overdue. */
	public static final Duration DEFAULT_AFTER = Duration.ofMinutes(5);

	private static final Logger logger = SafeLogger.of(OverdueCheck.class);

	/**
	 * The most jobs of a queue that one check publishes again; the next check continues.
	 */
	private static final int LIMIT = 10_000;

	/** The factor of the time for jobs that a consumer may hold. */
	private static final int DOUBTS = 10;

	private final RelayStore store;

	private final JobPublisher publisher;

	private final HandlerStore handlers;

	private final Relay relay;

	private final Clock clock;

	private final Duration after;

	/** Queues that had consumers of other programs at the last check. */
	private final Set<String> suspected = new HashSet<>();

	/** Queues for which this was logged. */
	private final Set<String> logged = new HashSet<>();

	/**
	 * Creates the check.
	 * @param after how long a published job may wait before it is overdue
	 */
	public OverdueCheck(RelayStore store, JobPublisher publisher, HandlerStore handlers, Relay relay, Clock clock,
			Duration after) {
		this.store = store;
		this.publisher = publisher;
		this.handlers = handlers;
		this.relay = relay;
		this.clock = clock;
		this.after = after;
	}

	/**
	 * Checks all queues. To be called by one thread at a time.
	 * @throws RuntimeException if the database or the broker does not answer; if the
	 * broker does not answer for some queues only, the others have been checked
	 */
	public void check() {
		if (!this.publisher.isReady()) {
			return;
		}
		Instant now = this.clock.instant();
		this.store.handOverPublished(now);
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
		this.suspected.retainAll(tooFew.keySet());
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
	 * A job that was claimed or published while the broker was asked is not missing. So
	 * the jobs are counted before and after that, and the smaller number is used.
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
		long foreign = (long) this.publisher.consumers(queue) - this.handlers.consumers(queue);
		if (foreign > 0) {
			// A process may have started consumers since it announced their number.
			if (!this.suspected.add(queue)) {
				giveUp(queue, foreign, missing, now);
			}
			return 0;
		}
		this.suspected.remove(queue);
		// A consumer that runs no job holds no other one either.
		long held = Math.min(missing, active * this.publisher.prefetched(queue));
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

	private void giveUp(String queue, long foreign, long missing, Instant now) {
		if (this.logged.add(queue)) {
			logger
				.warn("Queue '{}' has {} consumers that are not workers of this job store, and {} jobs that it was given are "
						+ "neither there nor begun. They are not published again, and stay available. If other "
						+ "programs work this queue, set ojs.queues.{}.delivery=hand-over; if not, stop those consumers",
						queue, foreign, missing, queue.contains(".") ? "[" + queue + "]" : queue);
		}
		int givenUp = this.store.giveUp(queue, now.minus(this.after), (int) Math.min(missing, LIMIT));
		if (givenUp > 0) {
			logger.debug("{} jobs of queue '{}' are not missed any longer", givenUp, queue);
		}
	}

	private int publishAgain(String queue, Instant before, Instant now, long limit) {
		return (limit > 0) ? this.store.publishAgain(queue, before, now, (int) Math.min(limit, LIMIT)) : 0;
	}

}
