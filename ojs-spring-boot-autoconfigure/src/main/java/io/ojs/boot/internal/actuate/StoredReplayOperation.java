package io.ojs.boot.internal.actuate;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.ojs.OjsException;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.ReplayResult;
import io.ojs.retry.RetryOverrides;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Replays dead letters of the job store.
 */
public final class StoredReplayOperation implements ReplayOperation {

	private final DeadLetters letters;

	public StoredReplayOperation(DeadLetters letters) {
		this.letters = letters;
	}

	@Override
	public Answer replay(Map<String, @Nullable String> parameters) {
		try {
			ReplayParameters asked = new ReplayParameters(parameters);
			String queue = asked.queue();
			ReplayResult result = this.letters.replayAll(filter(asked), options(asked));
			long left = this.letters.stats(DeadLetterFilter.ANY.queue(queue).tenant(asked.tenant())).total();
			return new Answer(200, body(queue, result, left));
		}
		catch (StoreUnavailableException ex) {
			return new Answer(503, Map.of("error", "The job store cannot be reached: " + ex.getMessage()));
		}
		catch (StoreException ex) {
			throw ex;
		}
		catch (OjsException | IllegalArgumentException ex) {
			return new Answer(400, Map.of("error", String.valueOf(ex.getMessage())));
		}
	}

	private static DeadLetterFilter filter(ReplayParameters asked) {
		for (String name : List.of("errorCode", "stackHash")) {
			if (asked.text(name) != null) {
				throw new IllegalArgumentException(
						"The parameter '%s' is for dead letters on the broker; the job store looks for errorType."
							.formatted(name));
			}
		}
		String id = asked.text("id");
		return new DeadLetterFilter(asked.queue(), null, asked.text("type"), asked.text("errorType"),
				asked.moment("deadSince"), asked.moment("deadBefore"), (id != null) ? Set.of(id) : Set.of(),
				asked.tenant());
	}

	private static ReplayOptions options(ReplayParameters asked) {
		Integer maxAttempts = asked.maxAttempts();
		ReplayOverrides overrides = new ReplayOverrides(asked.text("toQueue"), asked.priority(), null, Map.of(),
				(maxAttempts != null) ? RetryOverrides.NONE.maxAttempts(maxAttempts) : null);
		boolean dryRun = asked.dryRun();
		return new ReplayOptions(dryRun, !dryRun, asked.max(), asked.rate(), overrides);
	}

	/** Uses the names of the answer for the broker, for all values that both have. */
	private static Map<String, Object> body(String queue, ReplayResult result, long left) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("source", "store");
		body.put("queue", queue);
		body.put("dryRun", result.dryRun());
		body.put("end", end(result.end()));
		body.put("replayed", result.replayed());
		Map<String, Long> skipped = new TreeMap<>();
		result.skipped().forEach((reason, count) -> skipped.put(reason.name().toLowerCase(Locale.ROOT), count));
		body.put("skipped", skipped);
		body.put("left", left);
		if (!result.examples().isEmpty()) {
			body.put("examples",
					result.examples()
						.stream()
						.map((each) -> Map.of("id", each.jobId(), "problem", each.problem()))
						.toList());
		}
		Instant publishedBy = result.publishedBy();
		if (publishedBy != null) {
			body.put("publishedBy", publishedBy.toString());
		}
		return body;
	}

	private static String end(ReplayEnd end) {
		return switch (end) {
			case COMPLETE -> "done";
			case LIMIT -> "max_reached";
			case STOPPED -> "cancelled";
		};
	}

}
