package io.ojs.amqp.internal.publish;

import com.rabbitmq.client.ShutdownSignalException;

/**
 * The outcome of publishing a message.
 */
public sealed interface PublishOutcome {

	/**
	 * A queue of the broker has the message.
	 */
	record Confirmed() implements PublishOutcome {
	}

	/**
	 * No queue is bound for the message. The broker returns such a message and then
	 * confirms it, too.
	 *
	 * @param code the reply code, 312 for "no route"
	 */
	record Returned(int code, String text) implements PublishOutcome {
	}

	/**
	 * The broker nacked the message: the queue is full, or the broker could not store it.
	 */
	record Nacked() implements PublishOutcome {
	}

	/**
	 * The broker closed the channel because of the message. The exchange does not exist
	 * (404), the user may not publish to it (403), or the message is too large (406). The
	 * broker does not have the message.
	 *
	 */
	record Refused(int code, String text) implements PublishOutcome {
	}

	/**
	 * The channel closed before the broker answered. The broker may have the message.
	 *
	 */
	record Lost(Throwable cause) implements PublishOutcome {

		/** Whether only the channel closed: the broker refused a message on it. */
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
	 * There was no connection. The broker does not have the message.
	 *
	 * @param cause why there was no connection
	 */
	record Unsent(Throwable cause) implements PublishOutcome {
	}

	/**
	 * AMQP cannot carry the message: a property is too long, or the headers do not fit
	 * into a frame. The broker does not have the message, and a retry cannot help.
	 *
	 */
	record Unsendable(Throwable cause) implements PublishOutcome {
	}

}
