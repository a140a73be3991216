package io.ojs.internal.admin;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Filters for jobs as JSON objects.
 */
public final class JobFilterJson {

	private JobFilterJson() {
	}

	/**
	 * Reads a filter, without a tenant. Unknown fields are left over for the caller.
	 * @throws InvalidJobException if no job can have a value
	 */
	public static JobFilter read(JsonFields fields) {
		String state = fields.string("state");
		List<String> states = named(fields, "states");
		List<String> ids = named(fields, "ids");
		Set<JobState> meant = new LinkedHashSet<>();
		for (String word : (state != null) ? List.of(state) : (states != null) ? states : List.<String>of()) {
			try {
				meant.add(JobState.fromWire(word));
			}
			catch (InvalidJobException ex) {
				throw fields.refuse("state", word, ex.problem());
			}
		}
		return new JobFilter(fields.string("queue"), fields.string("type"), meant, false, instant(fields, "since"),
				instant(fields, "until"), (ids != null) ? Set.copyOf(ids) : Set.of(), null);
	}

	/** Reads a list. Refuses an empty one: it must not mean all jobs. */
	private static @Nullable List<String> named(JsonFields fields, String name) {
		List<String> values = fields.strings(name);
		if (values != null && values.isEmpty()) {
			throw fields.refuse(name, values, "must name at least one; leave it out to mean any");
		}
		return values;
	}

	private static @Nullable Instant instant(JsonFields fields, String name) {
		OffsetDateTime time = fields.time(name);
		return (time != null) ? time.toInstant() : null;
	}

	/** Writes a filter that {@link #read} has read, with all digits of its times. */
	public static Map<String, @Nullable Object> write(JobFilter filter) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		put(json, "queue", filter.queue());
		put(json, "type", filter.type());
		put(json, "states",
				filter.states().isEmpty() ? null : filter.states().stream().map(JobState::wireName).toList());
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
