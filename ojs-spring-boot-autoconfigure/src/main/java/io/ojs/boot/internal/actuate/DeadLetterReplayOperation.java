package io.ojs.boot.internal.actuate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.ojs.OjsException;
import io.ojs.amqp.deadletter.BrokerDeadLetterFilter;
import io.ojs.amqp.deadletter.BrokerReplayOverrides;
import io.ojs.amqp.deadletter.BrokerReplayResult;
import io.ojs.amqp.deadletter.DeadLetterKind;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.deadletter.ReplayRefusedException;
import io.ojs.amqp.deadletter.ReplayRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Replays dead letters of the broker.
 */
public final class DeadLetterReplayOperation implements ReplayOperation {

	private final DeadLetterReplayer replayer;

	public DeadLetterReplayOperation(DeadLetterReplayer replayer) {
		this.replayer = replayer;
	}

	@Override
	public Answer replay(Map<String, @Nullable String> parameters) {
		ReplayRequest request;
		try {
			request = request(new ReplayParameters(parameters));
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

	private static ReplayRequest request(ReplayParameters parameters) {
		BrokerDeadLetterFilter filter = new BrokerDeadLetterFilter(parameters.text("id"), parameters.text("type"),
				parameters.text("errorType"), parameters.text("errorCode"), parameters.text("stackHash"),
				parameters.moment("deadSince"), parameters.moment("deadBefore"), parameters.tenant());
		BrokerReplayOverrides overrides = new BrokerReplayOverrides(parameters.text("toQueue"), parameters.priority(),
				parameters.maxAttempts());
		ReplayRequest request = ReplayRequest.of(parameters.queue())
			.filter(filter)
			.overrides(overrides)
			.max(parameters.max());
		Double rate = parameters.rate();
		request = (rate != null) ? request.rate(rate) : request;
		return parameters.dryRun() ? request.asDryRun() : request;
	}

	private static Map<String, Object> body(BrokerReplayResult result) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("source", "broker");
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

}
