package io.ojs.amqp.internal.observe;

import java.io.IOException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * The broker's counts for a queue.
 *
 * @param messages messages that are ready
 * @param consumers consumers of all processes
 */
public record QueueCounts(long messages, long consumers) {

	/**
	 * Asks the broker. Unlike {@code RabbitAdmin}, this distinguishes a missing queue
	 * from a failure.
	 * @return the counts; {@code null} if there is no such queue
	 * @throws AmqpException if the broker cannot be reached or refuses to answer
	 */
	public static @Nullable QueueCounts ask(RabbitTemplate template, String queue) {
		return template.execute((channel) -> {
			try {
				AMQP.Queue.DeclareOk declared = channel.queueDeclarePassive(queue);
				return new QueueCounts(declared.getMessageCount(), declared.getConsumerCount());
			}
			catch (IOException ex) {
				if (isMissing(ex)) {
					return null;
				}
				throw ex;
			}
		});
	}

	private static boolean isMissing(IOException ex) {
		return ex.getCause() instanceof ShutdownSignalException signal
				&& signal.getReason() instanceof AMQP.Channel.Close close && close.getReplyCode() == AMQP.NOT_FOUND;
	}

}
