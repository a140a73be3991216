package io.ojs.web.internal.deadletter;

import java.util.Map;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayResult;
import io.ojs.web.HttpFailure;

/**
 * Dead letters that wait at the broker.
 */
public interface BrokerDeadLetters {

	/**
	 * Counts them. Does not touch them.
	 * @return how many each queue has that this application knows
	 * @throws HttpFailure with 503 if the broker does not answer
	 */
	Map<String, Long> counts();

	/**
	 * Replays those of a queue, or looks at them. Each of them is moved to the end of its
	 * queue, unless it is replayed.
	 * @param filter which; its queue is required
	 * @throws HttpFailure with 409 if the queue has no dead letters or is being replayed,
	 * or with 503 if the broker cannot be reached
	 */
	ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options);

}
