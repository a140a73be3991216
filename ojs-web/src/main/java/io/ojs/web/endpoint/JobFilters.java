package io.ojs.web.endpoint;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.ojs.admin.JobFilter;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import io.ojs.json.JsonFields;
import io.ojs.web.HttpFailure;
import io.ojs.web.HttpQuery;
import org.jspecify.annotations.Nullable;

/**
 * Reads which jobs somebody means.
 */
final class JobFilters {

	private JobFilters() {
	}

	static JobFilter of(HttpQuery query) {
		return new JobFilter(query.string("queue"), query.string("type"), states("state", query.strings("state")),
				false, query.time("since"), query.time("until"), Set.of());
	}

	/** The fields of {@code filter} in a body; anything unknown is refused. */
	static JobFilter of(JsonFields fields) {
		String state = fields.string("state");
		List<String> states = fields.strings("states");
		List<String> ids = fields.strings("ids");
		JobFilter filter = new JobFilter(fields.string("queue"), fields.string("type"),
				states("filter.state", (state != null) ? List.of(state) : (states != null) ? states : List.of()), false,
				instant(fields, "since"), instant(fields, "until"), (ids != null) ? Set.copyOf(ids) : Set.of());
		fields.refuseLeftOver("is nothing that jobs are chosen by");
		return filter;
	}

	static Set<JobState> states(String field, Collection<String> words) {
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

	static @Nullable Instant instant(JsonFields fields, String name) {
		OffsetDateTime time = fields.time(name);
		return (time != null) ? time.toInstant() : null;
	}

}
