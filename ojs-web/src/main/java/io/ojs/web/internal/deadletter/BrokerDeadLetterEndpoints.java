package io.ojs.web.internal.deadletter;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetterKind;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayResult;
import io.ojs.internal.json.JsonFields;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.JobFilters;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters of an application without a job store, which wait at the broker. They
 * belong to all tenants.
 */
public final class BrokerDeadLetterEndpoints implements Endpoints {

	private static final String QUEUE = "queue";

	private final BrokerDeadLetters letters;

	public BrokerDeadLetterEndpoints(BrokerDeadLetters letters) {
		this.letters = letters;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/dead-letter/stats", Access.READ, this::stats)
			.post("/v1/dead-letter/retry", Access.ADMIN, this::replay);
	}

	/** Only counts, unless the caller wants the messages to be looked at. */
	private HttpResult stats(HttpCall call) {
		String queue = call.query().string(QUEUE);
		boolean look = call.query().bool("look");
		if (look && !call.may(Access.ADMIN)) {
			throw HttpFailure.forbidden("'look' moves messages of the broker and requires the right to admin, which "
					+ "the caller does not have.");
		}
		Map<String, Long> counts = new TreeMap<>(this.letters.counts());
		if (queue != null) {
			counts.keySet().retainAll(List.of(queue));
		}
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("source", "broker");
		body.put("total", counts.values().stream().mapToLong(Long::longValue).sum());
		body.put("by_queue", counts);
		body.put("by_type", Map.of());
		body.put("by_error_type", Map.of());
		body.put("oldest_at", null);
		body.put("newest_at", null);
		if (look) {
			look(counts, body);
		}
		return HttpResult.ok(body);
	}

	private void look(Map<String, Long> counts, Map<String, @Nullable Object> body) {
		Map<DeadLetterKind, Long> kinds = new LinkedHashMap<>();
		counts.forEach((queue, count) -> {
			if (count > 0) {
				this.letters.replayAll(DeadLetterFilter.ANY.queue(queue), ReplayOptions.DRY_RUN)
					.kinds()
					.forEach((kind, found) -> kinds.merge(kind, found, Long::sum));
			}
		});
		Map<String, Long> types = new TreeMap<>();
		Map<String, Long> errorTypes = new TreeMap<>();
		kinds.forEach((kind, count) -> {
			types.merge(kind.type(), count, Long::sum);
			errorTypes.merge(kind.errorType(), count, Long::sum);
		});
		body.put("by_type", types);
		body.put("by_error_type", errorTypes);
		body.put("kinds", json(kinds));
	}

	private HttpResult replay(HttpCall call) {
		JsonFields fields = call.fields();
		JsonFields nested = fields.nested("filter");
		boolean dryRun = Objects.requireNonNullElse(fields.bool("dry_run"), false);
		boolean confirm = Objects.requireNonNullElse(fields.bool("confirm"), false);
		Long limit = fields.longInteger("limit");
		Double rate = fields.number("rate");
		JsonFields overrides = fields.nested("overrides");
		fields.refuseLeftOver("is no field of a retry of many");
		ReplayResult result = this.letters.replayAll(filter(nested),
				new ReplayOptions(dryRun, confirm, limit, rate, DeadLetterEndpoints.overridesOfMany(overrides)));
		Map<String, @Nullable Object> body = DeadLetterEndpoints.json(result);
		body.put("source", "broker");
		body.put("left", result.left());
		body.put("problem", result.problem());
		body.put("kinds", json(result.kinds()));
		return HttpResult.ok(body);
	}

	private static DeadLetterFilter filter(@Nullable JsonFields fields) {
		String queue = (fields != null) ? fields.string(QUEUE) : null;
		if (fields == null || queue == null) {
			throw HttpFailure.invalid("filter.queue", null,
					"is required: without a job store, dead letters are in one queue of the broker for each queue");
		}
		DeadLetterFilter filter = DeadLetterFilter.ANY.queue(queue)
			.type(fields.string("type"))
			.errorType(fields.string("error_type"))
			.since(JobFilters.instant(fields, "since"))
			.until(JobFilters.instant(fields, "until"));
		fields.refuseLeftOver("is nothing that dead letters at the broker are chosen by");
		return filter;
	}

	private static List<Map<String, Object>> json(Map<DeadLetterKind, Long> kinds) {
		return kinds.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())).map((kind) -> {
			Map<String, Object> object = new LinkedHashMap<>();
			object.put("type", kind.getKey().type());
			object.put("error_type", kind.getKey().errorType());
			object.put("error_code", kind.getKey().errorCode());
			object.put("count", kind.getValue());
			return object;
		}).toList();
	}

}
