package io.ojs.amqp.internal.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.UnsendableJobException;
import io.ojs.amqp.internal.message.HeaderFrame;
import io.ojs.job.Job;

/**
 * Rejects jobs that AMQP cannot carry, before a broker is asked.
 */
final class SendableMessages {

	/** The default of RabbitMQ, in bytes; a broker may be configured for less. */
	private static final int USUAL_FRAME = 131_072;

	private SendableMessages() {
	}

	/**
	 * Checks the message of a job.
	 * @param properties the properties and headers of its message
	 * @throws UnsendableJobException if AMQP cannot carry them
	 */
	static void check(Job job, BasicProperties properties) {
		try {
			HeaderFrame.check(properties, USUAL_FRAME);
		}
		catch (RuntimeException ex) {
			throw new UnsendableJobException(job, ex);
		}
	}

}
