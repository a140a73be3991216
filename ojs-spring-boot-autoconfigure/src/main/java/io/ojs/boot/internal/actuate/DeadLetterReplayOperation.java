package io.ojs.boot.internal.actuate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.ojs.OjsException;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.deadletter.ReplayRefusedException;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetterKind;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayResult;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Replays dead letters of the job store or, without one, of the broker.
 */
public final class DeadLetterReplayOperation implements ReplayOperation {

	private final DeadLetterReplayer replayer;

	private final @Nullable DeadLetters letters;

	/**
	 * Creates the operation.
	 * @param letters the dead letters of the job store; {@code null} without one
	 */
	public DeadLetterReplayOperation(DeadLetterReplayer replayer, @Nullable DeadLetters letters) {
		this.replayer = replayer;
		this.letters = letters;
	}

	@Override
	public Answer replay(Map<String, @Nullable String> parameters) {
		try {
			ReplayParameters asked = new ReplayParameters(parameters);
			return new Answer(200, (this.letters != null) ? fromStore(this.letters, asked) : fromBroker(asked));
		}
		catch (ReplayRefusedException ex) {
			return error(409, String.valueOf(ex.getMessage()));
		}
		catch (AmqpException ex) {
			return error(503, "The broker cannot be reached: " + ex.getMessage());
		}
		catch (StoreUnavailableException ex) {
			return error(503, "The job store cannot be reached: " + ex.getMessage());
		}
		catch (StoreException ex) {
			throw ex;
		}
		catch (OjsException | IllegalArgumentException ex) {
			return error(400, ReplayParameters.explain(ex));
		}
	}

	private static Answer error(int status, String message) {
		return new Answer(status, Map.of("error", message));
	}

	private Map<String, Object> fromBroker(ReplayParameters asked) {
		ReplayResult result = this.replayer.replayAll(asked.filter(), asked.options());
		Map<String, Object> body = body("broker", asked, result, (result.left() != null) ? result.left() : -1);
		body.put("lookedAt", result.lookedAt());
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

	private static Map<String, Object> fromStore(DeadLetters letters, ReplayParameters asked) {
		ReplayResult result = letters.replayAll(asked.filter(), asked.options());
		DeadLetterFilter all = DeadLetterFilter.ANY.queue(asked.queue()).tenant(asked.tenant());
		Map<String, Object> body = body("store", asked, result, letters.stats(all).total());
		if (!result.examples().isEmpty()) {
			body.put("examples",
					result.examples()
						.stream()
						.map((each) -> Map.of("id", each.jobId(), "problem", each.problem()))
						.toList());
		}
		if (result.publishedBy() != null) {
			body.put("publishedBy", result.publishedBy().toString());
		}
		return body;
	}

	private static Map<String, Object> body(String source, ReplayParameters asked, ReplayResult result, long left) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("source", source);
		body.put("queue", asked.queue());
		body.put("dryRun", result.dryRun());
		body.put("end", (result.end() == ReplayEnd.LIMIT) ? "max_reached" : text(result.end()));
		body.put("replayed", result.replayed());
		Map<String, Long> skipped = new TreeMap<>();
		result.skipped().forEach((reason, count) -> skipped.put(text(reason), count));
		body.put("skipped", skipped);
		body.put("left", left);
		return body;
	}

	private static String text(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
