package io.ojs.amqp.internal.control;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.ojs.amqp.OjsNaming;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.internal.ForeignText;
import io.ojs.job.internal.NamePatterns;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The queues that may receive answers about jobs (AMQP binding §5.8). A question names
 * the queue, and an answer contains the arguments of the job. Without a rule, any program
 * that can ask could have them sent to any queue.
 */
final class ReplyQueues {

	private static final Logger logger = SafeLogger.of(ReplyQueues.class);

	/** Names that the broker gives: exclusive queues, and direct reply-to. */
	private static final List<String> OF_BROKER = List.of("amq.gen-*", "amq.rabbitmq.reply-to*");

	/** Refused names beyond this number are neither remembered nor logged. */
	private static final int MOST_TOLD = 100;

	private final OjsNaming naming;

	private final List<String> others;

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	ReplyQueues(OjsNaming naming, List<String> others) {
		this.naming = naming;
		this.others = List.copyOf(others);
	}

	/** Queues for jobs, dead letters and requests, which must not receive answers. */
	private boolean isOwn(String queue) {
		return Stream
			.of(this.naming.jobQueue(""), this.naming.deadLetterQueue(""), this.naming.controlQueue(""),
					this.naming.workerQueue(""))
			.anyMatch(queue::startsWith);
	}

	/**
	 * Whether a queue may receive answers. The log names a refused queue once.
	 * @param exchange the exchange of the question. Only workers send questions over the
	 * control exchange, and get answers in their own queues
	 */
	boolean allow(String queue, @Nullable String exchange) {
		boolean ofWorker = this.naming.controlExchange().equals(exchange)
				&& queue.startsWith(this.naming.workerQueue(""));
		if (ofWorker || NamePatterns.matches(OF_BROKER, queue)
				|| (NamePatterns.matches(this.others, queue) && !isOwn(queue))) {
			return true;
		}
		if (this.told.size() < MOST_TOLD && this.told.add(queue)) {
			logger.warn("A question about a job was not answered: its reply_to '{}' is not a queue that the broker has "
					+ "named, such as an exclusive one. Ask with such a queue, or name it in "
					+ "ojs.worker.reply-queues. Told once for each name", ForeignText.escape(queue));
		}
		return false;
	}

}
