package io.ojs.web.internal;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiFunction;

import io.ojs.internal.admin.JobCriteriaJson;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobFilterJson;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
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

	/**
	 * Reads the fields of {@code filter} in a body, which are those of the list of jobs.
	 * Refuses unknown fields.
	 */
	public static JobSearch.Criteria criteria(HttpCall call, JsonFields fields) {
		JobSearch.Criteria criteria = JobCriteriaJson.read(fields);
		checkWorker(call, criteria.worker());
		String tenant = tenant(call, fields);
		fields.refuseLeftOver("is nothing that jobs are chosen by");
		return criteria.filter(criteria.filter().tenant(tenant));
	}

	/**
	 * Refuses the process that runs a job from callers of a tenant, who do not see it.
	 */
	public static void checkWorker(HttpCall call, @Nullable String worker) {
		if (call.tenant() != null && worker != null) {
			throw HttpFailure.invalid("worker", worker, "must be left out, because only operators see processes");
		}
	}

	/**
	 * The tenant whose jobs a request means, by the query parameter {@code tenant}.
	 * @return the caller's, or the one that an operator names; {@code null} for all
	 */
	public static @Nullable String tenant(HttpCall call) {
		return tenant(call, call.query().string("tenant"),
				(named, problem) -> HttpFailure.invalid("tenant", named, problem));
	}

	/** The same by the field {@code tenant} of a body. */
	static @Nullable String tenant(HttpCall call, JsonFields fields) {
		return tenant(call, fields.string("tenant"), (named, problem) -> fields.refuse("tenant", named, problem));
	}

	private static @Nullable String tenant(HttpCall call, @Nullable String named,
			BiFunction<String, String, RuntimeException> refusal) {
		if (named != null && !Tenants.isValid(named)) {
			throw refusal.apply(named, ThreadTenants.RULE);
		}
		if (named != null && call.tenant() != null && !named.equals(call.tenant())) {
			throw refusal.apply(named,
					"must be left out, or be '%s', for which the request is made".formatted(call.tenant()));
		}
		return (call.tenant() != null) ? call.tenant() : named;
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
