package io.ojs.web.internal.endpoint;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.engine.JobRow;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.ForeignText;
import io.ojs.job.internal.JobRules;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpQuery;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.JobFilters;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * The search for jobs, in a bounded time.
 */
public final class JobSearchEndpoints implements Endpoints {

	private static final int SHOWN_MESSAGE = 200;

	private final JobSearch jobs;

	public JobSearchEndpoints(JobSearch jobs) {
		this.jobs = jobs;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants().get("/v1/jobs", Access.READ, this::search);
	}

	private HttpResult search(HttpCall call) {
		HttpQuery query = call.query();
		JobSearch.Criteria criteria = new JobSearch.Criteria(filter(call), null, null, query.each("label"),
				query.string("error_type"), query.string("error"), query.string("workflow_id"), query.string("worker"))
			.id(query.string("id"));
		JobSearch.Result result = this.jobs.search(criteria, cursor(query), query.limit());
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		pagination.put("has_more", result.next() != null);
		if (result.next() != null) {
			pagination.put("next_cursor", result.next());
		}
		Map<String, @Nullable Object> searched = new LinkedHashMap<>();
		searched.put("complete", result.complete());
		putTime("back_to", result.backTo(), searched);
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("items", result.jobs().stream().map((found) -> json(found, call)).toList());
		body.put("pagination", pagination);
		body.put("searched", searched);
		return HttpResult.ok(body);
	}

	private static JobFilter filter(HttpCall call) {
		JobFilters.checkWorker(call, call.query().string("worker"));
		return JobFilters.of(call).operation(call.query().string("operation")).tenant(JobFilters.tenant(call));
	}

	private static @Nullable String cursor(HttpQuery query) {
		String cursor = query.string("cursor");
		try {
			return (cursor != null) ? JobRules.id(cursor) : null;
		}
		catch (InvalidJobException ex) {
			throw HttpFailure.invalid("cursor", cursor, "must be 'next_cursor' of the page before");
		}
	}

	private static Map<String, @Nullable Object> json(JobSearch.Found found, HttpCall call) {
		JobRow row = found.row();
		Map<String, @Nullable Object> job = new LinkedHashMap<>();
		job.put("id", row.id.toString());
		job.put("type", row.type);
		job.put("queue", row.queue);
		job.put("state", row.state.wireName());
		job.put("priority", row.priority);
		job.put("attempt", row.attempt);
		job.put("max_attempts", row.maxAttempts);
		put("tenant", row.tenant, job);
		job.put("created_at", ResponseJson.time(row.createdAt));
		putTime("scheduled_at", row.scheduledAt, job);
		putTime("started_at", row.startedAt, job);
		putTime("ended_at", row.endedAt, job);
		putTime("next_attempt_at", (row.state == JobState.RETRYABLE) ? row.dueAt : null, job);
		putTime("dead_lettered_at", row.deadLetteredAt, job);
		put("worker", (call.tenant() == null) ? row.worker : null, job);
		put("workflow_id", (row.workflowId != null) ? row.workflowId.toString() : null, job);
		put("error", (found.error() != null) ? error(found.error()) : null, job);
		job.put("labels", found.labels());
		job.put("encrypted", found.encrypted());
		job.put("size_bytes", row.sizeBytes);
		return job;
	}

	private static Map<String, Object> error(JobError error) {
		Map<String, Object> object = new LinkedHashMap<>();
		object.put("type", error.type());
		object.put("message", ForeignText.beginning(error.message(), SHOWN_MESSAGE));
		return object;
	}

	private static void putTime(String name, @Nullable Instant time, Map<String, @Nullable Object> object) {
		put(name, (time != null) ? ResponseJson.time(time) : null, object);
	}

	private static void put(String name, @Nullable Object value, Map<String, @Nullable Object> object) {
		if (value != null) {
			object.put(name, value);
		}
	}

}
