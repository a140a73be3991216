package io.ojs.web.internal.endpoint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.OjsException;
import io.ojs.client.OjsOperations;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpErrors;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.JobFilters;
import io.ojs.web.internal.Page;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Jobs for operators: searches, and changes of many jobs at a time (OJS Admin API §6.5,
 * §7, §8).
 */
public final class AdminJobEndpoints implements Endpoints {

	private static final String STATE = "filter.state";

	private static final int BATCH = 500;

	private static final int MAX_ERRORS = 20;

	private final OjsOperations ojs;

	private final JobStore store;

	private final AdminStore jobs;

	private final JobSearch search;

	private final DeadLetters letters;

	public AdminJobEndpoints(OjsOperations ojs, JobStore store, AdminStore jobs, JobSearch search,
			DeadLetters letters) {
		this.ojs = ojs;
		this.store = store;
		this.jobs = jobs;
		this.search = search;
		this.letters = letters;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.get("/v1/admin/jobs", Access.READ, this::list)
			.get("/v1/admin/jobs/{id}", Access.READ, this::get)
			.post("/v1/admin/jobs/{id}/cancel", Access.ADMIN, this::cancel)
			.post("/v1/admin/jobs/{id}/retry", Access.ADMIN, this::retry)
			.post("/v1/admin/jobs/bulk/retry", Access.ADMIN, this::retryAll)
			.post("/v1/admin/jobs/bulk/cancel", Access.ADMIN, this::cancelAll)
			.post("/v1/admin/jobs/bulk/delete", Access.ADMIN, this::deleteAll)
			.delete("/v1/admin/queues/{name}/jobs", Access.ADMIN, this::purge)
			.post("/v1/queues/{name}/purge", Access.ADMIN, this::purge);
	}

	private HttpResult list(HttpCall call) {
		Page page = Page.numbered(call);
		JobFilter filter = JobFilters.of(call);
		List<Map<String, @Nullable Object>> items = this.jobs.search(filter, page.offset(), page.limit())
			.stream()
			.map((stored) -> ResponseJson.job(stored, call))
			.toList();
		return HttpResult.ok(page.body("items", items, this.jobs.count(filter)));
	}

	private HttpResult get(HttpCall call) {
		StoredJob stored = stored(call, id(call));
		return HttpResult.ok(ResponseJson.job(stored, this.search.marks(stored.job().id()), call));
	}

	private StoredJob stored(HttpCall call, String id) {
		return this.store.find(id)
			.filter((stored) -> call.sees(stored.job()))
			.orElseThrow(() -> HttpFailure.notFound("job", id));
	}

	private Map<String, @Nullable Object> json(HttpCall call, String id) {
		return ResponseJson.job(stored(call, id), call);
	}

	private HttpResult cancel(HttpCall call) {
		String id = id(call);
		json(call, id);
		this.ojs.cancel(id).orElseThrow(() -> HttpFailure.notFound("job", id));
		return HttpResult.ok(json(call, id));
	}

	private HttpResult retry(HttpCall call) {
		String id = id(call);
		Map<String, @Nullable Object> before = json(call, id);
		this.letters.replay(id)
			.orElseThrow(() -> HttpFailure.conflict("Job '%s' is %s and no dead letter; only those can be retried."
				.formatted(id, before.get("state"))));
		return HttpResult.ok(json(call, id));
	}

	private HttpResult retryAll(HttpCall call) {
		JobFilter filter = confirmed(call);
		refuseOthers(STATE, filter, EnumSet.of(JobState.DISCARDED), "must be discarded: only such jobs can be retried");
		return each("retry", present(filter.states(EnumSet.of(JobState.DISCARDED)).onlyDeadLetters()), (id) -> {
			if (this.letters.replay(id).isEmpty()) {
				throw HttpFailure.notFound("dead_letter_job", id);
			}
		});
	}

	/**
	 * Restricts a filter to the present dead letters. A job that fails again at once is a
	 * later dead letter, which the same request must not replay again.
	 */
	private JobFilter present(JobFilter filter) {
		Instant end = this.letters.end(DeadLetterFilter.ANY).orElse(Instant.EPOCH);
		return (filter.until() == null || filter.until().isAfter(end)) ? filter.until(end) : filter;
	}

	private HttpResult cancelAll(HttpCall call) {
		JobFilter filter = confirmed(call);
		refuseOthers(STATE, filter, EnumSet.complementOf(EnumSet.copyOf(AdminStore.DELETABLE)),
				"must be a state of jobs that have not ended: only such jobs can be cancelled");
		Set<JobState> states = filter.states().isEmpty() ? EnumSet.complementOf(EnumSet.copyOf(AdminStore.DELETABLE))
				: filter.states();
		return each("cancel", filter.states(states), (id) -> {
			if (this.ojs.cancel(id).isEmpty()) {
				throw HttpFailure.notFound("job", id);
			}
		});
	}

	private HttpResult deleteAll(HttpCall call) {
		JobFilter filter = confirmed(call);
		refuseOthers(STATE, filter, AdminStore.DELETABLE,
				"must be a state of jobs that have ended: only such jobs can be deleted");
		long deleted = delete(filter);
		return HttpResult.ok(summary("delete", new Changed(deleted, deleted, true), List.of()));
	}

	private long delete(JobFilter filter) {
		long deleted = 0;
		int batch;
		do {
			batch = this.jobs.delete(filter, BATCH);
			deleted += batch;
		}
		while (batch == BATCH);
		return deleted;
	}

	/**
	 * Purges jobs of a queue. Cancels jobs that wait: if they were deleted, the broker
	 * might still have their messages.
	 */
	private HttpResult purge(HttpCall call) {
		JsonFields fields = call.fields();
		confirm(fields);
		List<String> words = fields.strings("states");
		Instant before = JobFilters.instant(fields, "older_than");
		fields.refuseLeftOver("is no field of a purge");
		Set<JobState> states = JobFilters.states("states", (words != null) ? words : List.of());
		if (states.isEmpty()) {
			throw HttpFailure.invalid("states", words, "is required: the states of the jobs to purge");
		}
		JobFilter filter = new JobFilter(call.path("name"), null, states, false, null, before, Set.of(), call.tenant());
		refuseOthers("states", filter, EnumSet.complementOf(EnumSet.of(JobState.ACTIVE)),
				"must not contain active: jobs that run cannot be purged");
		Set<JobState> waiting = EnumSet.copyOf(states);
		waiting.removeAll(AdminStore.DELETABLE);
		Set<JobState> ended = EnumSet.copyOf(states);
		ended.retainAll(AdminStore.DELETABLE);
		long deleted = ended.isEmpty() ? 0 : delete(filter.states(ended));
		List<Map<String, Object>> errors = new ArrayList<>();
		Changed cancelled = waiting.isEmpty() ? new Changed(0, 0, true)
				: each(filter.states(waiting), this.ojs::cancel, errors);
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("purged_count", deleted + cancelled.succeeded());
		body.put("deleted", deleted);
		body.put("cancelled", cancelled.succeeded());
		body.put("states", states.stream().map(JobState::wireName).toList());
		body.put("errors", errors);
		note(cancelled, body);
		return HttpResult.ok(body);
	}

	private static JobFilter confirmed(HttpCall call) {
		JsonFields fields = call.fields();
		confirm(fields);
		JsonFields filter = fields.nested("filter");
		fields.refuseLeftOver("is no field of a bulk operation");
		if (filter == null) {
			throw HttpFailure.invalid("filter", null, "is required; {} means all");
		}
		return JobFilters.of(call, filter);
	}

	private static void confirm(JsonFields fields) {
		Boolean confirm = fields.bool("confirm");
		if (!Boolean.TRUE.equals(confirm)) {
			throw HttpFailure.invalid("confirm", confirm, "must be true, because this changes many jobs at once");
		}
	}

	private static void refuseOthers(String field, JobFilter filter, Set<JobState> allowed, String problem) {
		filter.states().stream().filter((state) -> !allowed.contains(state)).findFirst().ifPresent((state) -> {
			throw HttpFailure.invalid(field, state.wireName(), problem);
		});
	}

	private HttpResult each(String action, JobFilter filter, Change change) {
		List<Map<String, Object>> errors = new ArrayList<>();
		Changed changed = each(filter, change, errors);
		return HttpResult.ok(summary(action, changed, errors));
	}

	/** Changes the jobs that match a filter, each by itself. */
	private Changed each(JobFilter filter, Change change, List<Map<String, Object>> errors) {
		long matched = 0;
		long succeeded = 0;
		long failed = 0;
		List<StoredJob> page = this.jobs.search(filter, 0, BATCH);
		while (!page.isEmpty()) {
			long before = failed;
			for (StoredJob stored : page) {
				matched++;
				try {
					change.apply(stored.job().id());
					succeeded++;
				}
				catch (IllegalStateTransitionException ex) {
					// The state of the job has changed meanwhile, and the job is no
					// longer meant.
					matched--;
				}
				catch (OjsException ex) {
					failed++;
					note(stored.job().id(), ex, errors);
				}
			}
			if (failed - before == BATCH) {
				// Most likely no job can be changed, and there may be millions.
				return new Changed(matched, succeeded, false);
			}
			// The search finds the jobs that could not be changed again.
			page = (page.size() < BATCH) ? List.of() : this.jobs.search(filter, failed, BATCH);
		}
		return new Changed(matched, succeeded, true);
	}

	private static void note(String id, OjsException failure, List<Map<String, Object>> errors) {
		if (errors.size() < MAX_ERRORS) {
			Map<String, Object> error = new LinkedHashMap<>();
			error.put("job_id", id);
			error.put("error", HttpErrors.told(failure));
			errors.add(error);
		}
	}

	private static Map<String, Object> summary(String action, Changed changed, List<Map<String, Object>> errors) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("action", action);
		body.put("matched", changed.matched());
		body.put("succeeded", changed.succeeded());
		body.put("failed", changed.matched() - changed.succeeded());
		body.put("errors", errors);
		note(changed, body);
		return body;
	}

	private static void note(Changed changed, Map<String, Object> body) {
		body.put("complete", changed.complete());
		if (!changed.complete()) {
			body.put("message", ("The last %d jobs could not be changed, one after another, so the others were not "
					+ "tried. Look at 'errors', mend the cause and send the request again.")
				.formatted(BATCH));
		}
	}

	private static String id(HttpCall call) {
		try {
			return JobRules.id(call.path("id"));
		}
		catch (InvalidJobException ex) {
			throw HttpFailure.notFound("job", call.path("id"));
		}
	}

	/**
	 * The result of a bulk operation.
	 *
	 * @param matched number of jobs that it tried to change
	 * @param complete whether it tried all jobs that match the filter
	 */
	private record Changed(long matched, long succeeded, boolean complete) {
	}

	/**
	 * Changes one job.
	 */
	@FunctionalInterface
	private interface Change {

		void apply(String jobId);

	}

}
