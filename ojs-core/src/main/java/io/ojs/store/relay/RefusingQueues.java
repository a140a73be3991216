package io.ojs.store.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.ojs.log.SafeLogger;
import io.ojs.store.Poller;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Queues whose jobs the broker does not take, such as full ones: nobody asks it again
 * before a pause, which grows. Used by one thread.
 */
final class RefusingQueues {

	private static final Logger logger = SafeLogger.of(RefusingQueues.class);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

	private final Map<String, Refusals> queues = new HashMap<>();

	/**
	 * Until when nobody asks the broker to take jobs of a queue.
	 * @return when; empty if it may be asked now
	 */
	Optional<Instant> until(String queue, Instant now) {
		return Optional.ofNullable(this.queues.get(queue)).map(Refusals::until).filter((until) -> until.isAfter(now));
	}

	/** The broker took jobs, and perhaps others of the same queues not. */
	void taken(List<RelayedJob> taken, List<RelayedJob> refused) {
		Set<String> refusing = refused.stream().map(RelayedJob::queue).collect(Collectors.toSet());
		taken.stream().map(RelayedJob::queue).distinct().forEach((queue) -> {
			if (refusing.contains(queue)) {
				// Asked again soon, and not told of anew.
				this.queues.computeIfPresent(queue, (key, before) -> new Refusals(0, before.until()));
			}
			else {
				this.queues.remove(queue);
			}
		});
	}

	/**
	 * The broker did not take a job.
	 * @return when to try again with it, and all others of its queue
	 */
	Instant refused(RelayedJob job, @Nullable String reason, Instant now) {
		Refusals before = this.queues.get(job.queue());
		if (before != null && before.until().isAfter(now)) {
			return before.until();
		}
		int times = (before != null) ? before.times() + 1 : 1;
		Duration pause = Duration.ofSeconds(Math.min(1L << Math.min(times - 1, 5), LONGEST_PAUSE.toSeconds()));
		Refusals refusals = new Refusals(times, now.plus(Poller.jittered(pause)));
		this.queues.put(job.queue(), refusals);
		if (before == null) {
			logger.warn(
					"The broker did not take job {} of queue '{}', and perhaps others: {}. It is tried again until it does",
					job.id(), job.queue(), (reason != null) ? reason : "it did not say why");
		}
		return refusals.until();
	}

	/**
	 * A queue whose jobs the broker does not take.
	 *
	 * @param times how often in a row it took none
	 * @param until until when nobody asks it again
	 */
	private record Refusals(int times, Instant until) {
	}

}
