package io.ojs.amqp.internal.topology;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.ojs.amqp.OjsNaming;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Queue;

/**
 * An AMQP queue that this application declares, or would declare.
 *
 * @param name its name on the broker
 * @param role what it is for
 * @param queue the OJS queue that it belongs to, or {@code null} if all OJS queues share
 * it
 * @param delay the longest time that its messages wait, or {@code null} if they have no
 * time to live
 */
public record DeclaredQueue(String name, Role role, @Nullable String queue, @Nullable Duration delay) {

	/**
	 * The queues among the declarables of one OJS queue. Their dead letter exchanges show
	 * their roles.
	 */
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

		/** Holds jobs that wait for a worker. */
		JOBS,

		/** Keeps jobs that failed for good. */
		DEAD_LETTERS,

		/** Holds retries that wait. */
		RETRY_QUEUE,

		/** Holds scheduled jobs that wait. */
		DELAY_LEVEL

	}

}
