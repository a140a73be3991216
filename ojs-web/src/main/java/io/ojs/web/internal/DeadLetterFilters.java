package io.ojs.web.internal;

import java.util.function.Supplier;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.deadletter.internal.DeadLetterFilterJson;
import io.ojs.deadletter.internal.DeadLetterRequests;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.internal.JobRules;
import io.ojs.web.HttpFailure;
import org.jspecify.annotations.Nullable;

/**
 * Reads filters for dead letters from requests.
 */
public final class DeadLetterFilters {

	private DeadLetterFilters() {
	}

	/** Reads the query parameters. */
	public static DeadLetterFilter of(HttpCall call) {
		HttpQuery query = call.query();
		String queue = origin(query.string("queue"), query.string("origin"));
		String tenant = JobFilters.tenant(call);
		return named(query,
				() -> DeadLetterFilter.ANY.origin(queue)
					.queue(query.string("dead_letter_queue"))
					.type(type(query.string("type")))
					.errorType(query.string("error_type"))
					.stackHash(query.string("error_hash"))
					.since(query.time("since"))
					.until(query.time("until"))
					.tenant(tenant));
	}

	/** Both are names of the queue in which a job failed. */
	private static @Nullable String origin(@Nullable String queue, @Nullable String origin) {
		if (queue != null && origin != null && !queue.equals(origin)) {
			throw HttpFailure.invalid("origin", origin, "must not stand beside another 'queue'");
		}
		return (origin != null) ? origin : queue;
	}

	private static @Nullable String type(@Nullable String type) {
		DeadLetterRequests.rule("filter.type", type, (given) -> JobRules.type(DeadLetterRequests.stem(given)));
		return type;
	}

	private static DeadLetterFilter named(HttpQuery query, Supplier<DeadLetterFilter> filter) {
		try {
			return filter.get();
		}
		catch (InvalidDeadLetterRequestException ex) {
			String field = switch (ex.field().replaceFirst("^filter\\.", "")) {
				case "queue" -> "dead_letter_queue";
				case "origin" -> (query.string("origin") != null) ? "origin" : "queue";
				case "stack_hash" -> "error_hash";
				default -> ex.field().replaceFirst("^filter\\.", "");
			};
			throw HttpFailure.invalid(field, query.string(field), ex.problem());
		}
	}

	/** Reads the fields of {@code filter} in a body. Refuses unknown fields. */
	public static DeadLetterFilter of(HttpCall call, @Nullable JsonFields fields) {
		if (fields == null) {
			return DeadLetterFilter.ANY.tenant(call.tenant());
		}
		DeadLetterFilter filter = DeadLetterFilterJson.read(fields);
		String tenant = JobFilters.tenant(call, fields);
		fields.refuseLeftOver("is nothing that dead letters are chosen by");
		return filter.tenant(tenant);
	}

}
