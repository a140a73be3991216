package io.ojs.amqp.deadletter;

import org.springframework.amqp.AmqpException;

/**
 * Replays dead letters (OJS Dead Letter): publishes each selected one to its job queue
 * again, with its id, from the first attempt. Thread-safe; only one replay at a time,
 * over all processes, uses a dead letter queue.
 *
 * <p>
 * The replayer publishes every dead letter and waits for the confirm before it acks it.
 * Dead letters that stay move from the head of the queue to its end in the same way. So a
 * replay that is killed loses nothing, but messages that it held may be duplicated. A
 * replay examines each dead letter that was in the queue when it began, once.
 */
public interface DeadLetterReplayer {

	/**
	 * Replays dead letters and returns when that is done. The replay ends early if its
	 * thread is interrupted or the listener of the request cancels it. It settles the
	 * dead letters that it holds first.
	 * @param request what to replay, and how
	 * @return the result, even if the replay failed on the way
	 * @throws ReplayRefusedException if the replay did not begin: the dead letter queue
	 * does not exist, is being replayed, or the broker refuses
	 * @throws AmqpException if the broker cannot be reached
	 */
	BrokerReplayResult replay(ReplayRequest request);

}
