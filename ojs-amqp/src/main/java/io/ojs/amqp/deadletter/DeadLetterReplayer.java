package io.ojs.amqp.deadletter;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.deadletter.ReplayListener;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayResult;

import org.springframework.amqp.AmqpException;

/**
 * Replays dead letters that wait at the broker (OJS Dead Letter): publishes each matching
 * one to its job queue again, with its id, from the first attempt. Use it without a job
 * store; with one, dead letters are in the store, and
 * {@link io.ojs.deadletter.DeadLetters} also finds, deletes and replays single ones.
 * Thread-safe; only one replay at a time, over all processes, uses a dead letter queue.
 *
 * <p>
 * The replayer publishes every dead letter and waits for the confirm before it acks it.
 * Dead letters that stay move from the head of the queue to its end in the same way. So a
 * replay that is killed loses nothing, but messages that it held may be duplicated. A
 * replay examines each dead letter that was in the queue when it began, once.
 *
 * <p>
 * Listeners for events of jobs get {@link io.ojs.event.JobEvent.Enqueued} for each
 * replayed job that the broker has confirmed.
 */
public interface DeadLetterReplayer {

	/**
	 * Replays the dead letters of a queue.
	 * @param filter which; its queue is required, and it cannot have an origin
	 * @param options how many to replay, and how
	 * @return the result, even if the replay failed on the way
	 * @throws InvalidDeadLetterRequestException if the replay is neither a dry run nor
	 * confirmed, or asks for something that only the job store can do
	 * @throws ReplayRefusedException if the replay did not begin: the dead letter queue
	 * does not exist, is being replayed, or the broker refuses
	 * @throws AmqpException if the broker cannot be reached
	 */
	default ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options) {
		return replayAll(filter, options, ReplayListener.NONE);
	}

	/**
	 * Replays the dead letters of a queue and returns when that is done. The replay ends
	 * early if its thread is interrupted or the listener cancels it. It settles the dead
	 * letters that it holds first.
	 * @param filter which; its queue is required, and it cannot have an origin
	 * @param options how many to replay, and how
	 * @param listener receives the progress
	 * @return the result, even if the replay failed on the way
	 * @throws InvalidDeadLetterRequestException if the replay is neither a dry run nor
	 * confirmed, or asks for something that only the job store can do
	 * @throws ReplayRefusedException if the replay did not begin: the dead letter queue
	 * does not exist, is being replayed, or the broker refuses
	 * @throws AmqpException if the broker cannot be reached
	 */
	ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options, ReplayListener listener);

}
