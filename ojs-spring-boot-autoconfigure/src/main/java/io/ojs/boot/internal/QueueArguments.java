package io.ojs.boot.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.ojs.amqp.QueueKind;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.QueueProperties;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of an AMQP queue from the properties under one key: those with a property
 * of their own, and those under {@code .arguments}. Rejects arguments that the broker
 * would answer with 406 PRECONDITION_FAILED.
 *
 * @param key the key above the properties, for messages
 * @param properties the properties
 */
public record QueueArguments(String key, QueueProperties properties) {

	/** RabbitMQ accepts no time to live above ten years. */
	private static final Duration LONGEST_TTL = Duration.ofDays(3650);

	/**
	 * Jobs have the AMQP priorities 0 to 9; a further level costs memory and has no use.
	 */
	private static final int HIGHEST_PRIORITY = 10;

	/** The library sets them itself, or {@code type} and {@code delivery-limit} do. */
	private static final Set<String> OWN_ARGUMENTS = Set.of("x-queue-type", "x-dead-letter-exchange",
			"x-dead-letter-routing-key", "x-dead-letter-strategy", "x-delivery-limit");

	private static final Set<String> WHOLE_NUMBERS = Set.of("x-max-length", "x-max-length-bytes", "x-message-ttl",
			"x-expires", "x-max-priority", "x-consumer-timeout", "x-max-in-memory-length");

	private static final Set<String> CLASSIC_ONLY = Set.of("x-max-priority", "x-queue-mode", "x-queue-version");

	private static final Set<String> QUORUM_ONLY = Set.of("x-max-in-memory-length", "x-quorum-initial-group-size");

	/**
	 * Collects and checks the arguments.
	 * @param typeKey the key above the type of the queue, for messages
	 * @throws InvalidConfigurationException if an argument is invalid
	 */
	public Map<String, Object> of(QueueKind kind, String typeKey) {
		checkRanges();
		Map<String, Object> arguments = new HashMap<>();
		this.properties.arguments().forEach((name, value) -> {
			String argumentKey = this.key + ".arguments." + name;
			refuseOwn(name, argumentKey, value);
			refuseOfOtherKind(name, argumentKey, value, kind, typeKey);
			Object typed = typed(value);
			if (WHOLE_NUMBERS.contains(name) && !isWhole(typed)) {
				throw new InvalidConfigurationException(argumentKey, value, "must be a whole number, 0 or more",
						"Set it to a number, or remove it.");
			}
			arguments.put(name, typed);
		});
		for (Known known : Known.values()) {
			Object value = known.value.apply(this.properties);
			if (value == null) {
				continue;
			}
			String propertyKey = this.key + "." + known.property;
			if (arguments.containsKey(known.argument)) {
				throw new InvalidConfigurationException(propertyKey, value, "%s.arguments.%s says the same again (%s)"
					.formatted(this.key, known.argument, arguments.get(known.argument)), "Remove one of the two.");
			}
			refuseOfOtherKind(known.argument, propertyKey, value, kind, typeKey);
			arguments.put(known.argument, value);
		}
		return arguments;
	}

	private static void refuseOwn(String name, String argumentKey, Object value) {
		if (OWN_ARGUMENTS.contains(name)) {
			throw new InvalidConfigurationException(argumentKey, value, "this argument is not free to choose",
					"Remove it; see ojs.queues.<name>.type and .delivery-limit.");
		}
	}

	private static void refuseOfOtherKind(String name, String ofKey, Object value, QueueKind kind, String typeKey) {
		if (kind == QueueKind.QUORUM && CLASSIC_ONLY.contains(name)) {
			throw new InvalidConfigurationException(ofKey, value,
					"a quorum queue does not know it (RabbitMQ answers 406 PRECONDITION_FAILED)",
					"Set %s.type=classic, or remove it.".formatted(typeKey));
		}
		if (kind == QueueKind.CLASSIC && QUORUM_ONLY.contains(name)) {
			throw new InvalidConfigurationException(ofKey, value,
					"a classic queue does not know it (RabbitMQ answers 406 PRECONDITION_FAILED)",
					"Set %s.type=quorum, or remove it.".formatted(typeKey));
		}
		if (kind == QueueKind.QUORUM && name.equals("x-overflow") && !"reject-publish".equals(value)) {
			throw new InvalidConfigurationException(ofKey, value,
					"a quorum queue that moves dead letters at least once can only reject what is too much",
					"Set it to reject-publish, or set %s.type=classic.".formatted(typeKey));
		}
	}

	private void checkRanges() {
		QueueProperties of = this.properties;
		between("max-length", of.maxLength(), of.maxLength(), Long.MAX_VALUE, "Set it to 1 or more, or remove it.");
		between("max-length-bytes", of.maxLengthBytes(), bytes(of), Long.MAX_VALUE,
				"Set it to 1B or more, or remove it.");
		between("message-ttl", of.messageTtl(), millis(of), LONGEST_TTL.toMillis(),
				"Set it to between 1ms and 3650d, or remove it.");
		between("max-priority", of.maxPriority(), of.maxPriority(), HIGHEST_PRIORITY,
				"Set it to between 1 and 10; jobs have the priorities 0 to 9 on the broker.");
	}

	private void between(String property, @Nullable Object shown, @Nullable Number value, long most, String action) {
		if (shown != null && value != null && (value.longValue() < 1 || value.longValue() > most)) {
			throw new InvalidConfigurationException(this.key + "." + property, shown,
					(value.longValue() < 1) ? "is less than the broker takes" : "is more than the broker takes or uses",
					action);
		}
	}

	private static @Nullable Long bytes(QueueProperties properties) {
		return (properties.maxLengthBytes() != null) ? properties.maxLengthBytes().toBytes() : null;
	}

	/**
	 * The time in milliseconds. A part of a millisecond becomes 0, which
	 * {@link #checkRanges()} rejects.
	 */
	private static @Nullable Long millis(QueueProperties properties) {
		Duration ttl = properties.messageTtl();
		if (ttl == null) {
			return null;
		}
		return (ttl.compareTo(LONGEST_TTL) > 0) ? LONGEST_TTL.toMillis() + 1 : Long.valueOf(ttl.toMillis());
	}

	private static boolean isWhole(Object value) {
		return (value instanceof Integer || value instanceof Long) && ((Number) value).longValue() >= 0;
	}

	/** Values in a properties file are text; RabbitMQ requires numbers as numbers. */
	private static Object typed(Object value) {
		if (!(value instanceof String text)) {
			return value;
		}
		if (text.matches("-?\\d{1,18}")) {
			return Long.parseLong(text);
		}
		String lower = text.toLowerCase(Locale.ROOT);
		return (lower.equals("true") || lower.equals("false")) ? (Object) Boolean.valueOf(lower) : text;
	}

	/**
	 * Arguments with a property of their own.
	 */
	private enum Known {

		MAX_LENGTH("max-length", "x-max-length", QueueProperties::maxLength),

		MAX_LENGTH_BYTES("max-length-bytes", "x-max-length-bytes", QueueArguments::bytes),

		OVERFLOW("overflow", "x-overflow",
				(properties) -> (properties.overflow() != null) ? properties.overflow().argument() : null),

		MESSAGE_TTL("message-ttl", "x-message-ttl", QueueArguments::millis),

		MAX_PRIORITY("max-priority", "x-max-priority", QueueProperties::maxPriority),

		SINGLE_ACTIVE_CONSUMER("single-active-consumer", "x-single-active-consumer",
				QueueProperties::singleActiveConsumer);

		private final String property;

		private final String argument;

		private final Function<QueueProperties, @Nullable Object> value;

		Known(String property, String argument, Function<QueueProperties, @Nullable Object> value) {
			this.property = property;
			this.argument = argument;
			this.value = value;
		}

	}

}
