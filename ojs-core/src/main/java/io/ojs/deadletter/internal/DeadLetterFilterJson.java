package io.ojs.deadletter.internal;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Filters for dead letters as JSON objects.
 */
public final class DeadLetterFilterJson {

	private DeadLetterFilterJson() {
	}

	/**
	 * Reads a filter, without a tenant. Unknown fields are left over for the caller.
	 * {@code queue} and {@code origin} are both the queue in which the job failed;
	 * {@code dead_letter_queue} is the one that keeps it.
	 * @throws InvalidDeadLetterRequestException if a value cannot match any dead letter
	 */
	public static DeadLetterFilter read(JsonFields fields) {
		List<String> ids = fields.strings("ids");
		String queue = fields.string("queue");
		String origin = fields.string("origin");
		if (queue != null && origin != null && !queue.equals(origin)) {
			throw fields.refuse("origin", origin, "must not stand beside another 'queue'");
		}
		String keptIn = fields.string("dead_letter_queue");
		DeadLetterRequests.rule("filter.dead_letter_queue", keptIn, JobRules::queue);
		DeadLetterFilter filter = DeadLetterFilter.ANY.origin((origin != null) ? origin : queue)
			.queue(keptIn)
			.type(fields.string("type"))
			.errorType(fields.string("error_type"))
			.stackHash(fields.string("error_hash"))
			.since(instant(fields, "since"))
			.until(instant(fields, "until"));
		return (ids != null) ? filter.ids(Set.copyOf(ids)) : filter;
	}

	private static @Nullable Instant instant(JsonFields fields, String name) {
		OffsetDateTime time = fields.time(name);
		return (time != null) ? time.toInstant() : null;
	}

	/** Writes a filter that {@link #read} has read, with all digits of its times. */
	public static Map<String, @Nullable Object> write(DeadLetterFilter filter) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		put(json, "queue", filter.origin());
		put(json, "dead_letter_queue", filter.queue());
		put(json, "type", filter.type());
		put(json, "error_type", filter.errorType());
		put(json, "error_hash", filter.stackHash());
		put(json, "since", (filter.since() != null) ? filter.since().toString() : null);
		put(json, "until", (filter.until() != null) ? filter.until().toString() : null);
		put(json, "ids", filter.ids().isEmpty() ? null : filter.ids().stream().sorted().toList());
		return json;
	}

	private static void put(Map<String, @Nullable Object> json, String name, @Nullable Object value) {
		if (value != null) {
			json.put(name, value);
		}
	}

}
