package io.ojs.amqp.publish;

import com.rabbitmq.client.ShutdownSignalException;

/**
 * What became of a message that was published.
 */
public sealed interface PublishOutcome {

	/**
	 * The broker has it, in a queue.
	 */
	record Confirmed() implements PublishOutcome {
	}

	/**
	 * No queue is bound to where it was sent. The broker confirms such a message too,
	 * after returning it.
	 *
	 * @param code the reply code, 312 for "no route"
	 * @param text the reply text
	 */
	record Returned(int code, String text) implements PublishOutcome {
	}

	/**
	 * The broker refused it: the queue is full, or it could not be stored.
	 */
	record Nacked() implements PublishOutcome {
	}

	/**
	 * The broker closed the channel because of it: the exchange does not exist (404), it
	 * may not be published to (403), or the message is larger than the broker takes
	 * (406). The broker does not have it.
	 *
	 * @param code the reply code
	 * @param text the reply text
	 */
	record Refused(int code, String text) implements PublishOutcome {
	}

	/**
	 * The channel closed before the broker said anything. It may have the message.
	 *
	 * @param cause why the channel closed
	 */
	record Lost(Throwable cause) implements PublishOutcome {

		/** Whether the connection is still there: a message beside it was refused. */
		boolean isOfChannel() {
			return this.cause instanceof ShutdownSignalException signal && !signal.isHardError();
		}

	}

	/**
	 * The broker did not answer in time. It may have the message.
	 */
	record Unknown() implements PublishOutcome {
	}

	/**
	 * There was no connection. The broker does not have it.
	 *
	 * @param cause why there was none
	 */
	record Unsent(Throwable cause) implements PublishOutcome {
	}

	/**
	 * AMQP cannot carry it: a property is too long, or the headers do not fit into a
	 * frame. The broker does not have it, and trying again cannot help.
	 *
	 * @param cause what cannot be carried
	 */
	record Unsendable(Throwable cause) implements PublishOutcome {
	}

}
