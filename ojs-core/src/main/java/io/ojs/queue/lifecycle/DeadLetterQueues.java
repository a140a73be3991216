package io.ojs.queue.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.ojs.queue.InvalidQueueConfigException;
import org.jspecify.annotations.Nullable;

/**
 * Where dead letters go (OJS Queue Configuration §6.4): to the queue that theirs names,
 * and no further.
 */
final class DeadLetterQueues {

	private static final String FIELD = "dead_letter_queue";

	private DeadLetterQueues() {
	}

	/**
	 * Checks what somebody said about the dead letters of a queue.
	 * @param queue the queue
	 * @param target where they are to go
	 * @param next where those of another queue go; {@code null} if they stay
	 * @throws InvalidQueueConfigException if that is the queue itself, or leads back to
	 * it
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
