package io.ojs.amqp.topology;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Queue;

/**
 * An AMQP queue that this application declared, or would have.
 *
 * @param name its name on the broker
 * @param role what it is for
 * @param queue the OJS queue that it belongs to, or {@code null} if all share it
 * @param delay how long its messages wait at most, or {@code null} if they do not
 */
public record DeclaredQueue(String name, Role role, @Nullable String queue, @Nullable Duration delay) {

	/** Queues that are declared together, told apart by where they lead. */
	static List<DeclaredQueue> of(List<Declarable> together, OjsNaming naming) {
		List<Queue> queues = together.stream().filter(Queue.class::isInstance).map(Queue.class::cast).toList();
		String queue = queues.stream()
			.map((each) -> text(each, "x-dead-letter-routing-key"))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		return queues.stream().map((each) -> of(each, queue, naming)).toList();
	}

	private static DeclaredQueue of(Queue queue, @Nullable String ofJobs, OjsNaming naming) {
		String leadsTo = text(queue, "x-dead-letter-exchange");
		if (leadsTo == null) {
			return new DeclaredQueue(queue.getName(), Role.DEAD_LETTERS, ofJobs, null);
		}
		if (leadsTo.equals(naming.deadLetterExchange())) {
			return new DeclaredQueue(queue.getName(), Role.JOBS, ofJobs, null);
		}
		Object delay = queue.getArguments().get("x-message-ttl");
		return new DeclaredQueue(queue.getName(),
				leadsTo.equals(naming.directExchange()) ? Role.RETRY_QUEUE : Role.DELAY_LEVEL, ofJobs,
				(delay instanceof Number millis) ? Duration.ofMillis(millis.longValue()) : null);
	}

	private static @Nullable String text(Queue queue, String argument) {
		Object value = queue.getArguments().get(argument);
		return (value != null) ? value.toString() : null;
	}

	/**
	 * What an AMQP queue is for.
	 */
	public enum Role {

		/** Jobs wait for a worker. */
		JOBS,

		/** Jobs that failed for good stay. */
		DEAD_LETTERS,

		/** Retries wait. */
		RETRY_QUEUE,

		/** Scheduled jobs wait. */
		DELAY_LEVEL

	}

}
