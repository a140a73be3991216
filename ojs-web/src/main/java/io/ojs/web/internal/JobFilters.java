package io.ojs.web.internal;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobFilterJson;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import io.ojs.web.HttpFailure;
import org.jspecify.annotations.Nullable;

/**
 * Reads filters for jobs from requests.
 */
public final class JobFilters {

	private JobFilters() {
	}

	public static JobFilter of(HttpCall call) {
		HttpQuery query = call.query();
		return new JobFilter(query.string("queue"), query.string("type"), states("state", query.strings("state")),
				false, query.time("since"), query.time("until"), Set.of(), call.tenant());
	}

	/** Reads the fields of {@code filter} in a body. Refuses unknown fields. */
	public static JobFilter of(HttpCall call, JsonFields fields) {
		JobFilter filter = JobFilterJson.read(fields);
		fields.refuseLeftOver("is nothing that jobs are chosen by");
		return filter.tenant(call.tenant());
	}

	public static Set<JobState> states(String field, Collection<String> words) {
		Set<JobState> states = new LinkedHashSet<>();
		for (String word : words) {
			try {
				states.add(JobState.fromWire(word));
			}
			catch (InvalidJobException ex) {
				throw HttpFailure.invalid(field, word, ex.problem());
			}
		}
		return states;
	}

	public static @Nullable Instant instant(JsonFields fields, String name) {
		OffsetDateTime time = fields.time(name);
		return (time != null) ? time.toInstant() : null;
	}

}
