package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.ojs.internal.log.SafeLogger;
import io.ojs.retry.internal.Backoff;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Queues whose jobs the broker refuses, such as full ones. The relay publishes no job of
 * such a queue before a pause is over, which grows. Used by one thread.
 */
final class RefusingQueues {

	private static final Logger logger = SafeLogger.of(RefusingQueues.class);

	private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

	private final Map<String, Refusals> queues = new HashMap<>();

	/**
	 * Returns the end of the pause of a queue.
	 * @return the time; empty if jobs of the queue may be published now
	 */
	Optional<Instant> until(String queue, Instant now) {
		return Optional.ofNullable(this.queues.get(queue)).map(Refusals::until).filter((until) -> until.isAfter(now));
	}

	/**
	 * Records that the broker took some jobs, and may have refused others of the same
	 * queues.
	 */
	void taken(List<RelayedJob> taken, List<RelayedJob> refused) {
		Set<String> refusing = refused.stream().map(RelayedJob::queue).collect(Collectors.toSet());
		taken.stream().map(RelayedJob::queue).distinct().forEach((queue) -> {
			if (refusing.contains(queue)) {
				// Tried again soon, and not logged anew.
				this.queues.computeIfPresent(queue, (key, before) -> new Refusals(0, before.until()));
			}
			else {
				this.queues.remove(queue);
			}
		});
	}

	/**
	 * Records that the broker refused a job.
	 * @return when to try this and all other jobs of its queue again
	 */
	Instant refused(RelayedJob job, @Nullable String reason, Instant now) {
		Refusals before = this.queues.get(job.queue());
		if (before != null && before.until().isAfter(now)) {
			return before.until();
		}
		int times = (before != null) ? before.times() + 1 : 1;
		Refusals refusals = new Refusals(times, now.plus(BACKOFF.after(times)));
		this.queues.put(job.queue(), refusals);
		if (before == null) {
			logger.warn(
					"The broker did not take job {} of queue '{}', and perhaps others: {}. The relay publishes the job again until the broker takes it",
					job.id(), job.queue(), (reason != null) ? reason : "it gave no reason");
		}
		return refusals.until();
	}

	/**
	 * A queue whose jobs the broker refuses.
	 *
	 * @param times how often in a row the broker refused
	 */
	private record Refusals(int times, Instant until) {
	}

}
