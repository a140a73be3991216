package io.ojs.amqp.internal.topology;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.internal.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Queue;
import org.springframework.core.NestedExceptionUtils;

/**
 * Declares exchanges, queues and bindings, and interprets the broker's refusals. If one
 * exists with other arguments, it records the difference as a {@link Drift}, and the
 * application uses the queue or exchange as it is.
 */
final class DeclaringAdmin {

	/** The wording of RabbitMQ 3.10 to 4.3. */
	private static final Pattern INEQUIVALENT = Pattern
		.compile("inequivalent arg '([^']+)' for \\S+ '.*' in vhost '.*': received (.*) but current is (.*?)"
				+ "(, class-id=.*)?", Pattern.DOTALL);

	private static final Pattern VALUE = Pattern.compile("(?:the value )?'(.*?)'(?: of type '.*')?", Pattern.DOTALL);

	private static final Logger logger = SafeLogger.of(DeclaringAdmin.class);

	private final AmqpAdmin admin;

	/** Queues and exchanges that exist with other arguments, by name. */
	private final Map<String, Drift> drift = new ConcurrentHashMap<>();

	DeclaringAdmin(AmqpAdmin admin) {
		this.admin = admin;
	}

	List<Drift> drift() {
		return this.drift.values().stream().sorted(Comparator.comparing(Drift::name)).toList();
	}

	void declare(Declarable declarable) {
		try {
			if (declarable instanceof Queue queue) {
				this.admin.declareQueue(queue);
				this.drift.remove(queue.getName());
			}
			else if (declarable instanceof Exchange exchange) {
				this.admin.declareExchange(exchange);
				this.drift.remove(exchange.getName());
			}
			else {
				this.admin.declareBinding((Binding) declarable);
			}
		}
		catch (AmqpException ex) {
			ShutdownSignalException refusal = refusal(ex);
			if (refusal == null) {
				throw ex;
			}
			refused(declarable, refusal.getMessage(), ex);
		}
	}

	private void refused(Declarable declarable, String answer, AmqpException cause) {
		if (!answer.contains("inequivalent arg")) {
			throw new DeclarationRefusedException(declarable.toString(), answer, cause);
		}
		String name = (declarable instanceof Queue queue) ? queue.getName()
				: (declarable instanceof Exchange exchange) ? exchange.getName() : declarable.toString();
		this.drift.put(name, drift(name, answer));
		if (isOrdered(declarable)) {
			throw new DeclarationRefusedException(declarable.toString(),
					answer + ". The order of its jobs depends on it: delete the queue when it is empty, or change the "
							+ "configuration to match.",
					cause);
		}
		logger.error("The broker has {} with other arguments and uses those; change the configuration to match, "
				+ "or delete it when it is empty. {}", declarable, answer);
	}

	/**
	 * An ordered queue must not exist with other arguments: its jobs would run out of
	 * order.
	 */
	private static boolean isOrdered(Declarable declarable) {
		return declarable instanceof Queue queue
				&& Boolean.TRUE.equals(queue.getArguments().get("x-single-active-consumer"));
	}

	/**
	 * The error by which the broker closed the channel, or by which it closed the
	 * connection because of the declaration. {@code null} for any other failure.
	 */
	private static @Nullable ShutdownSignalException refusal(AmqpException ex) {
		return (NestedExceptionUtils.getMostSpecificCause(ex) instanceof ShutdownSignalException signal
				&& (!signal.isHardError() || signal.getMessage().contains("COMMAND_INVALID"))) ? signal : null;
	}

	static Drift drift(String name, String answer) {
		int start = answer.indexOf("inequivalent arg");
		Matcher told = INEQUIVALENT.matcher((start >= 0) ? answer.substring(start) : "");
		return told.matches() ? new Drift(name, told.group(1), argument(told.group(2)), argument(told.group(3)), answer)
				: new Drift(name, "", null, null, answer);
	}

	private static @Nullable String argument(String told) {
		if (told.equals("none")) {
			return null;
		}
		Matcher value = VALUE.matcher(told);
		return value.matches() ? value.group(1) : told;
	}

}
