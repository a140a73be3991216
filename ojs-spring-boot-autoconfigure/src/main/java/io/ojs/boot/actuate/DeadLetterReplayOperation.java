package io.ojs.boot.actuate;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import io.ojs.OjsException;
import io.ojs.amqp.deadletter.DeadLetterFilter;
import io.ojs.amqp.deadletter.DeadLetterKind;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.deadletter.ReplayOverrides;
import io.ojs.amqp.deadletter.ReplayRefusedException;
import io.ojs.amqp.deadletter.ReplayRequest;
import io.ojs.amqp.deadletter.ReplayResult;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * A replay as a management endpoint is asked for it: parameters are text, the answer is
 * plain data. Over a network it counts only unless {@code dryRun} is {@code false}, and
 * replays a thousand jobs unless {@code max} says otherwise, so that the answer comes
 * before the question is given up.
 */
public final class DeadLetterReplayOperation {

	private static final String DEFAULT_MAX = "1000";

	private static final Set<String> NAMES = new TreeSet<>(Set.of("queue", "id", "type", "errorType", "errorCode",
			"stackHash", "deadSince", "deadBefore", "dryRun", "max", "rate", "toQueue", "priority", "maxAttempts"));

	private final DeadLetterReplayer replayer;

	/**
	 * Creates the operation.
	 * @param replayer does it
	 */
	public DeadLetterReplayOperation(DeadLetterReplayer replayer) {
		this.replayer = replayer;
	}

	/**
	 * Replays.
	 * @param parameters by name: {@code queue}, which is required, and those of
	 * {@link DeadLetterFilter}, {@link ReplayOverrides} ({@code toQueue},
	 * {@code priority}, {@code maxAttempts}) and {@link ReplayRequest} ({@code dryRun},
	 * {@code max}, {@code rate})
	 * @return the answer, also to a question that is none
	 */
	public Answer replay(Map<String, @Nullable String> parameters) {
		ReplayRequest request;
		try {
			request = request(parameters);
		}
		catch (OjsException | IllegalArgumentException ex) {
			return new Answer(400, Map.of("error", String.valueOf(ex.getMessage())));
		}
		try {
			return new Answer(200, body(this.replayer.replay(request)));
		}
		catch (ReplayRefusedException ex) {
			return new Answer(409, Map.of("error", String.valueOf(ex.getMessage())));
		}
		catch (AmqpException ex) {
			return new Answer(503, Map.of("error", "The broker cannot be reached: " + ex.getMessage()));
		}
	}

	private static ReplayRequest request(Map<String, @Nullable String> parameters) {
		for (String name : parameters.keySet()) {
			if (!NAMES.contains(name)) {
				throw new IllegalArgumentException("There is no parameter '%s'; those that there are: %s."
					.formatted(name, String.join(", ", NAMES)));
			}
		}
		String queue = parameters.get("queue");
		if (queue == null) {
			throw new IllegalArgumentException("The parameter 'queue' is missing: name an OJS queue, such as email.");
		}
		DeadLetterFilter filter = new DeadLetterFilter(parameters.get("id"), parameters.get("type"),
				parameters.get("errorType"), parameters.get("errorCode"), parameters.get("stackHash"),
				moment(parameters, "deadSince"), moment(parameters, "deadBefore"));
		ReplayOverrides overrides = new ReplayOverrides(parameters.get("toQueue"),
				value(parameters, "priority", "a whole number such as 10", Integer::valueOf),
				value(parameters, "maxAttempts", "a whole number such as 5", Integer::valueOf));
		ReplayRequest request = ReplayRequest.of(queue).filter(filter).overrides(overrides);
		Map<String, @Nullable String> limited = new LinkedHashMap<>(parameters);
		limited.putIfAbsent("max", DEFAULT_MAX);
		Long max = value(limited, "max", "a whole number such as 100", Long::valueOf);
		Double rate = value(parameters, "rate", "a number of jobs a second such as 50", Double::valueOf);
		Boolean dryRun = value(parameters, "dryRun", "true or false", DeadLetterReplayOperation::bool);
		request = (max != null) ? request.max(max) : request;
		request = (rate != null) ? request.rate(rate) : request;
		return (dryRun == null || dryRun) ? request.asDryRun() : request;
	}

	private static @Nullable Instant moment(Map<String, @Nullable String> parameters, String name) {
		return value(parameters, name, "a point in time with a zone such as 2026-03-15T09:30:00Z",
				(text) -> OffsetDateTime.parse(text).toInstant());
	}

	private static Boolean bool(String text) {
		return switch (text.toLowerCase(Locale.ROOT)) {
			case "true" -> true;
			case "false" -> false;
			default -> throw new IllegalArgumentException(text);
		};
	}

	private static <T> @Nullable T value(Map<String, @Nullable String> parameters, String name, String what,
			Function<String, T> parse) {
		String text = parameters.get(name);
		if (text == null) {
			return null;
		}
		try {
			return parse.apply(text.strip());
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"The parameter '%s' must be %s, but was '%s'.".formatted(name, what, text), ex);
		}
	}

	private static Map<String, Object> body(ReplayResult result) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("queue", result.queue());
		body.put("dryRun", result.dryRun());
		body.put("end", result.end().name().toLowerCase(Locale.ROOT));
		body.put("lookedAt", result.lookedAt());
		body.put("replayed", result.replayed());
		Map<String, Long> skipped = new TreeMap<>();
		result.skipped().forEach((reason, count) -> skipped.put(reason.name().toLowerCase(Locale.ROOT), count));
		body.put("skipped", skipped);
		body.put("left", result.left());
		List<Map<String, Object>> kinds = new ArrayList<>();
		result.kinds()
			.entrySet()
			.stream()
			.sorted(Map.Entry.<DeadLetterKind, Long>comparingByValue().reversed())
			.forEach((kind) -> kinds.add(Map.of("type", kind.getKey().type(), "errorType", kind.getKey().errorType(),
					"errorCode", kind.getKey().errorCode(), "count", kind.getValue())));
		body.put("kinds", kinds);
		if (result.problem() != null) {
			body.put("problem", result.problem());
		}
		return body;
	}

	/**
	 * An answer.
	 *
	 * @param status 200, or 400 for parameters that cannot be, 409 if the replay was
	 * refused, 503 without a broker: what HTTP calls it
	 * @param body text, numbers, booleans, lists and maps
	 */
	public record Answer(int status, Map<String, Object> body) {
	}

}
