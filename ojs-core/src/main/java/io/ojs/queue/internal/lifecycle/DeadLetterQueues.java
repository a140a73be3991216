package io.ojs.queue.internal.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.ojs.queue.InvalidQueueConfigException;
import org.jspecify.annotations.Nullable;

/**
 * Rules for dead letter queues (OJS Queue Configuration §6.4): dead letters go to the
 * queue that their own queue names, and no further.
 */
final class DeadLetterQueues {

	private static final String FIELD = "dead_letter_queue";

	private DeadLetterQueues() {
	}

	/**
	 * Checks the dead letter queue of a queue.
	 * @param next returns the dead letter queue of another queue; {@code null} if it has
	 * none
	 * @throws InvalidQueueConfigException if it is the queue itself, or leads back to it
	 */
	static void check(String queue, String target, Function<String, @Nullable String> next) {
		if (target.equals(queue)) {
			throw new InvalidQueueConfigException(FIELD, target,
					"must be another queue; leave it out to keep dead letters where they are");
		}
		List<String> way = new ArrayList<>(List.of(queue));
		String at = target;
		while (at != null && !way.contains(at)) {
			way.add(at);
			at = next.apply(at);
		}
		if (queue.equals(at)) {
			throw new InvalidQueueConfigException(FIELD, target,
					"must not lead back to where it began: %s → %s".formatted(String.join(" → ", way), queue));
		}
	}

}
