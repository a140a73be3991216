package io.ojs.amqp.control;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.ojs.amqp.topology.OjsNaming;
import io.ojs.job.ForeignText;
import io.ojs.job.NamePatterns;
import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Queues to which questions about jobs are answered (AMQP binding §5.8). The question
 * names the queue, and an answer has the arguments of the job: without a rule, everybody
 * who can ask could have them put into any queue.
 */
final class ReplyQueues {

	private static final Logger logger = SafeLogger.of(ReplyQueues.class);

	/** Named by the broker: exclusive queues, and direct reply-to. */
	private static final List<String> OF_BROKER = List.of("amq.gen-*", "amq.rabbitmq.reply-to*");

	/** More refused names than these are not remembered. */
	private static final int MOST_TOLD = 100;

	private final OjsNaming naming;

	private final List<String> others;

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	ReplyQueues(OjsNaming naming, List<String> others) {
		this.naming = naming;
		this.others = List.copyOf(others);
	}

	/** Jobs, dead letters and requests: an answer is none of these. */
	private boolean isOwn(String queue) {
		return Stream
			.of(this.naming.jobQueue(""), this.naming.deadLetterQueue(""), this.naming.controlQueue(""),
					this.naming.workerQueue(""))
			.anyMatch(queue::startsWith);
	}

	/**
	 * Whether a queue is answered to; the log names one that is not, once.
	 * @param queue the queue
	 * @param exchange the exchange that the question came over: only workers ask each
	 * other over the control exchange, and have the answers sent to their own queues
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
