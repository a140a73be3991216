package io.ojs.amqp.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.message.HeaderFrame;
import io.ojs.job.Job;

/**
 * Refuses what no broker would take, without asking one.
 */
final class SendableMessages {

	/** What a broker offers unless it is configured otherwise; it may offer less. */
	private static final int USUAL_FRAME = 131_072;

	private SendableMessages() {
	}

	/**
	 * Checks a message.
	 * @param job the job
	 * @param properties what its message would carry
	 * @throws UnsendableJobException if AMQP cannot carry it
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
