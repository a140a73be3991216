package io.ojs.web.internal.endpoint;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.client.OjsOperations;
import io.ojs.client.internal.JobFactory;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.json.JobJson;
import io.ojs.internal.json.JobRequestJson;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Jobs: PUSH, INFO, CANCEL, ACTIVATE (OJS HTTP Binding §9).
 */
public final class JobEndpoints implements Endpoints {

	/** How many jobs a batch may have. */
	public static final int MAX_BATCH = 1000;

	private static final String JOB = "job";

	private final OjsOperations ojs;

	private final JobFactory factory;

	private final JobStore store;

	private final JobSearch search;

	private final RetryPolicies retryPolicies;

	private final EnqueueRules rules;

	private final JobIdGenerator ids;

	public JobEndpoints(OjsOperations ojs, JobFactory factory, JobStore store, JobSearch search,
			RetryPolicies retryPolicies, EnqueueRules rules, Clock clock) {
		this.ojs = ojs;
		this.factory = factory;
		this.store = store;
		this.search = search;
		this.retryPolicies = retryPolicies;
		this.rules = rules;
		this.ids = new JobIdGenerator(clock);
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.post("/v1/jobs", Access.WRITE, this::push)
			.post("/v1/jobs/batch", Access.WRITE, this::pushBatch)
			.get("/v1/jobs/{id}", Access.READ, this::info)
			.delete("/v1/jobs/{id}", Access.WRITE, this::cancel)
			.post("/v1/jobs/{id}/cancel", Access.WRITE, this::cancel)
			.post("/v1/jobs/{id}/activate", Access.WRITE, this::activate);
	}

	private HttpResult push(HttpCall call) {
		JobRequest request = named(this.factory.arrived(JobRequestJson.read(call.body(), call.now())));
		this.rules.check(List.of(request), call.may(Access.ADMIN));
		Job job = this.ojs.enqueue(request);
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(JOB, json(job));
		if (job.state() == null) {
			body.put("dropped", true);
			return HttpResult.ok(body);
		}
		if (!job.id().equals(request.id())) {
			body.put("deduplicated", true);
			return HttpResult.ok(body);
		}
		return HttpResult.created(body).header("Location", Routes.BASE + "/v1/jobs/" + job.id());
	}

	/**
	 * Gives a job its id before it is enqueued. If the result has another id, that job
	 * existed before.
	 */
	private JobRequest named(JobRequest request) {
		return (request.id() != null) ? request : request.id(this.ids.next());
	}

	private HttpResult pushBatch(HttpCall call) {
		List<@Nullable Object> entries = call.fields().array("jobs");
		if (entries == null || entries.isEmpty() || entries.size() > MAX_BATCH) {
			throw HttpFailure.invalid("jobs", (entries != null) ? entries.size() + " jobs" : null,
					"must be an array of 1 to %d jobs".formatted(MAX_BATCH));
		}
		List<JobRequest> requests = new ArrayList<>(entries.size());
		for (Object entry : entries) {
			requests.add(request("jobs[%d]".formatted(requests.size()), entry, call));
		}
		this.rules.check(requests, call.may(Access.ADMIN));
		List<Job> enqueued = this.ojs.enqueueAll(requests);
		List<Map<String, @Nullable Object>> jobs = new ArrayList<>(enqueued.size());
		for (int i = 0; i < enqueued.size(); i++) {
			Map<String, @Nullable Object> job = json(enqueued.get(i));
			if (enqueued.get(i).state() == null) {
				job.put("dropped", true);
			}
			if (!enqueued.get(i).id().equals(requests.get(i).id())) {
				job.put("deduplicated", true);
			}
			jobs.add(job);
		}
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("jobs", jobs);
		body.put("count", jobs.size());
		return HttpResult.created(body);
	}

	@SuppressWarnings("unchecked")
	private JobRequest request(String at, @Nullable Object entry, HttpCall call) {
		if (!(entry instanceof Map<?, ?> object)) {
			throw HttpFailure.invalid(at, entry, "must be an object");
		}
		try {
			return named(this.factory.arrived(JobRequestJson.read((Map<String, @Nullable Object>) object, call.now())));
		}
		catch (InvalidJobException ex) {
			throw ex.in(at);
		}
	}

	private HttpResult info(HttpCall call) {
		StoredJob stored = stored(call, id(call));
		return HttpResult.ok(JOB, ResponseJson.job(stored, this.search.marks(stored.job().id()), call));
	}

	private HttpResult cancel(HttpCall call) {
		String id = stored(call, id(call)).job().id();
		return changed(call, id, this.ojs.cancel(id));
	}

	private HttpResult activate(HttpCall call) {
		String id = stored(call, id(call)).job().id();
		return changed(call, id, this.ojs.activate(id));
	}

	private HttpResult changed(HttpCall call, String id, Optional<Job> job) {
		if (job.isEmpty()) {
			throw HttpFailure.notFound(JOB, id);
		}
		return HttpResult.ok(JOB, ResponseJson.job(stored(call, id), call));
	}

	private StoredJob stored(HttpCall call, String id) {
		return this.store.find(id)
			.filter((stored) -> call.sees(stored.job()))
			.orElseThrow(() -> HttpFailure.notFound(JOB, id));
	}

	private Map<String, @Nullable Object> json(Job job) {
		return JobJson.of(job, Math.max(1, this.retryPolicies.of(job).maxAttempts()));
	}

	/** Returns the id in the path. There is no job whose id is not valid. */
	private static String id(HttpCall call) {
		String id = call.path("id");
		try {
			return JobRules.id(id);
		}
		catch (InvalidJobException ex) {
			throw HttpFailure.notFound(JOB, id);
		}
	}

}
