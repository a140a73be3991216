package io.ojs.web.internal.inspect;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.internal.inspect.Explanation;
import io.ojs.internal.inspect.InspectionStore;
import io.ojs.internal.inspect.JobReasons;
import io.ojs.internal.inspect.JobTimeline;
import io.ojs.internal.inspect.Reason;
import io.ojs.internal.inspect.TimelineEntry;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Why a job does not run, and what has happened to it.
 */
public final class InspectionEndpoints implements Endpoints {

	private static final String JOB_ID = "job_id";

	private final InspectionStore store;

	private final JobReasons reasons;

	public InspectionEndpoints(InspectionStore store, JobReasons reasons) {
		this.store = store;
		this.reasons = reasons;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.get("/v1/jobs/{id}/why", Access.READ, this::why)
			.get("/v1/jobs/{id}/timeline", Access.READ, this::timeline);
	}

	private HttpResult why(HttpCall call) {
		String id = id(call);
		Explanation explanation = this.reasons.of(id, call.tenant()).orElseThrow(() -> notFound(id));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(JOB_ID, explanation.jobId());
		body.put("state", (explanation.state() != null) ? explanation.state().wireName() : null);
		body.put("as_of", ResponseJson.time(explanation.asOf()));
		body.put("reasons", explanation.reasons().stream().map(InspectionEndpoints::json).toList());
		return HttpResult.ok(body);
	}

	private static Map<String, @Nullable Object> json(Reason reason) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("code", reason.code());
		json.put("sentence", reason.sentence());
		json.put("since", (reason.since() != null) ? ResponseJson.time(reason.since()) : null);
		json.put("until", (reason.until() != null) ? ResponseJson.time(reason.until()) : null);
		json.put("facts", reason.facts());
		return json;
	}

	private HttpResult timeline(HttpCall call) {
		String id = id(call);
		JobTimeline timeline = this.store.history(id, call.tenant())
			.map((history) -> JobTimeline.of(history, call.tenant() == null))
			.orElseThrow(() -> notFound(id));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(JOB_ID, id);
		body.put("complete", timeline.isComplete());
		body.put("entries", timeline.entries().stream().map(InspectionEndpoints::json).toList());
		return HttpResult.ok(body);
	}

	private static Map<String, @Nullable Object> json(TimelineEntry entry) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("at", ResponseJson.time(entry.at()));
		json.put("kind", entry.kind().wireName());
		if (entry.attempt() != null) {
			json.put("attempt", entry.attempt());
		}
		json.putAll(entry.more());
		return json;
	}

	private static String id(HttpCall call) {
		try {
			return JobRules.id(call.path("id"));
		}
		catch (InvalidJobException ex) {
			throw notFound(call.path("id"));
		}
	}

	private static HttpFailure notFound(String id) {
		return HttpFailure.notFound("job", id);
	}

}
