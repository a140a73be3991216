package io.ojs.web.internal;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.internal.admin.JobSearch;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Values that the answers of several endpoints have.
 */
public final class ResponseJson {

	private ResponseJson() {
	}

	/** Returns the number of jobs in each state, including zeros. */
	public static Map<String, Object> counts(Map<JobState, Long> counts) {
		Map<String, Object> object = new LinkedHashMap<>();
		for (JobState state : JobState.values()) {
			object.put(state.wireName(), counts.getOrDefault(state, 0L));
		}
		return object;
	}

	/**
	 * Returns a job, for callers of all tenants with the process or worker that runs it.
	 */
	public static Map<String, @Nullable Object> job(StoredJob stored, HttpCall call) {
		Map<String, @Nullable Object> object = stored.json();
		if (stored.worker() != null && call.tenant() == null) {
			object.put("worker", stored.worker());
		}
		return object;
	}

	/** Returns a job with its workflow and its labels. */
	public static Map<String, @Nullable Object> job(StoredJob stored, JobSearch.Marks marks, HttpCall call) {
		Map<String, @Nullable Object> object = job(stored, call);
		if (marks.workflowId() != null) {
			object.put("workflow_id", marks.workflowId());
		}
		object.put("labels", marks.labels());
		return object;
	}

	public static String time(Instant time) {
		return Rfc3339.format(time);
	}

	public static @Nullable String timeOrNull(@Nullable Instant time) {
		return (time != null) ? time(time) : null;
	}

}
