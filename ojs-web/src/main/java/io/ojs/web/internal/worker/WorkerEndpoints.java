package io.ojs.web.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.json.JsonFields;
import io.ojs.internal.worker.FetchRequest;
import io.ojs.internal.worker.HandledJobsJson;
import io.ojs.internal.worker.Nacked;
import io.ojs.internal.worker.RemoteFailure;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.RunReference;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.attempt.Progress;
import io.ojs.tenant.internal.TenantWorkers;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * The operations of workers: FETCH, ACK, NACK (OJS HTTP Binding §10), and progress.
 */
public final class WorkerEndpoints implements Endpoints {

	private static final String JOB = "job";

	private static final String JOB_ID = "job_id";

	private static final String WORKER_ID = "worker_id";

	private static final String ATTEMPT = "attempt";

	private static final String ERROR = "error";

	private static final String STATE = "state";

	private static final String RETRY_DELAY = "retry_delay_ms";

	private static final String MESSAGE = "message";

	private final RemoteWorkers workers;

	private final JobStore store;

	private final boolean named;

	/**
	 * Creates the endpoints.
	 * @param named whether a caller has to name the worker of a job to settle the job
	 */
	public WorkerEndpoints(RemoteWorkers workers, JobStore store, boolean named) {
		this.workers = workers;
		this.store = store;
		this.named = named;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.post("/v1/workers/fetch", Access.WRITE, this::fetch)
			.post("/v1/jobs/fetch", Access.WRITE, this::fetch)
			.post("/v1/workers/ack", Access.WRITE, (call) -> ack(call, call.fields(), null))
			.post("/v1/jobs/{id}/ack", Access.WRITE, (call) -> ack(call, call.fieldsIfAny(), call.path("id")))
			.post("/v1/workers/nack", Access.WRITE, (call) -> nack(call, call.fields(), null))
			.post("/v1/jobs/{id}/nack", Access.WRITE, (call) -> nack(call, call.fields(), call.path("id")))
			.put("/v1/jobs/{id}/progress", Access.WRITE, this::report)
			.post("/v1/jobs/{id}/progress", Access.WRITE, this::report)
			.get("/v1/jobs/{id}/progress", Access.READ, this::progress);
	}

	private HttpResult fetch(HttpCall call) {
		JsonFields fields = call.fields();
		List<String> queues = fields.strings("queues");
		if (queues == null) {
			throw fields.refuse("queues", null, "is required and must be an array of names");
		}
		Integer count = fields.integer("count");
		List<FetchedJob> fetched = this.workers.fetch(new FetchRequest(queues, (count != null) ? count : 1,
				worker(call, fields), millis(fields), call.tenant(), HandledJobsJson.read(fields)));
		List<Map<String, @Nullable Object>> jobs = new ArrayList<>(fetched.size());
		for (FetchedJob each : fetched) {
			Map<String, @Nullable Object> job = each.job().json();
			if (each.retryDelay() != null) {
				job.put(RETRY_DELAY, each.retryDelay().toMillis());
			}
			jobs.add(job);
		}
		return HttpResult.ok("jobs", jobs);
	}

	/** Reads the length of a lease, which {@link RemoteWorkers} bounds. */
	static @Nullable Duration millis(JsonFields fields) {
		Long millis = fields.longInteger("visibility_timeout_ms");
		return (millis != null) ? Duration.ofMillis(millis) : null;
	}

	private RunReference run(HttpCall call, JsonFields fields, @Nullable String pathId) {
		String said = fields.string(JOB_ID);
		String id = (pathId != null) ? pathId : said;
		if (id == null) {
			throw fields.refuse(JOB_ID, null, "is required");
		}
		if (said != null && !said.equals(id)) {
			throw fields.refuse(JOB_ID, said, "must be that of the path");
		}
		checkTenant(call, id);
		String worker = worker(call, fields);
		return new RunReference(id, (worker == null && this.named) ? RemoteWorkers.ANONYMOUS : worker,
				fields.integer(ATTEMPT));
	}

	private static @Nullable String worker(HttpCall call, JsonFields fields) {
		String said = fields.string(WORKER_ID);
		return (said != null) ? TenantWorkers.known(call.tenant(), said) : null;
	}

	/**
	 * Refuses a job of another tenant. The tenant of a job never changes, so it can be
	 * checked before the operation.
	 */
	private void checkTenant(HttpCall call, String jobId) {
		if (call.tenant() != null && this.store.find(jobId).filter((stored) -> call.sees(stored.job())).isEmpty()) {
			throw HttpFailure.notFound(JOB, jobId);
		}
	}

	private HttpResult ack(HttpCall call, JsonFields fields, @Nullable String pathId) {
		RunReference run = run(call, fields, pathId);
		StoredJob job = this.workers.ack(run, fields.any("result")).orElseThrow(() -> notFound(run));
		Map<String, @Nullable Object> body = body(job);
		body.put("acknowledged", true);
		return HttpResult.ok(body);
	}

	private HttpResult nack(HttpCall call, JsonFields fields, @Nullable String pathId) {
		RunReference run = run(call, fields, pathId);
		boolean requeue = Boolean.TRUE.equals(fields.bool("requeue"));
		JsonFields error = fields.nested(ERROR);
		if (error == null && !requeue) {
			throw fields.refuse(ERROR, null, "is required and must be an object");
		}
		Nacked nacked = (requeue ? this.workers.requeue(run) : this.workers.nack(run, failure(error)))
			.orElseThrow(() -> notFound(run));
		Map<String, @Nullable Object> body = body(nacked.job());
		if (nacked.retryDelay() != null) {
			body.put(RETRY_DELAY, nacked.retryDelay().toMillis());
		}
		return HttpResult.ok(body);
	}

	private static RemoteFailure failure(JsonFields error) {
		String message = error.string(MESSAGE);
		if (message == null) {
			throw error.refuse(MESSAGE, null, "is required");
		}
		String code = error.string("code");
		Boolean retryable = error.bool("retryable");
		List<String> backtrace = error.strings("backtrace");
		return new RemoteFailure((code != null && !code.isBlank()) ? code : "handler_error", error.string("type"),
				message, !Boolean.FALSE.equals(retryable), (backtrace != null) ? backtrace : List.of(),
				Objects.requireNonNullElse(error.object("details"), Map.of()));
	}

	/** Returns the state of a job in brief, and the job itself. */
	private static Map<String, @Nullable Object> body(StoredJob stored) {
		Map<String, @Nullable Object> job = stored.json();
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("id", stored.job().id());
		body.put(JOB_ID, stored.job().id());
		body.put(STATE, job.get(STATE));
		body.put(ATTEMPT, stored.job().attempt());
		body.put("max_attempts", stored.maxAttempts());
		for (String time : List.of("next_attempt_at", "completed_at", "discarded_at")) {
			if (job.get(time) != null && stored.job().state() != JobState.AVAILABLE) {
				body.put(time, job.get(time));
			}
		}
		body.put(JOB, job);
		return body;
	}

	private HttpResult report(HttpCall call) {
		JsonFields fields = call.fields();
		RunReference run = run(call, fields, call.path("id"));
		Double value = fields.number("progress");
		if (value == null) {
			throw fields.refuse("progress", null, "is required and must be a number between 0 and 1");
		}
		return HttpResult
			.ok(progress(run.jobId(), this.workers.progress(run, value, fields.string(MESSAGE), fields.any("data"))
				.orElseThrow(() -> notFound(run))));
	}

	private HttpResult progress(HttpCall call) {
		String id = call.path("id");
		checkTenant(call, id);
		return HttpResult.ok(this.workers.progress(id)
			.map((progress) -> progress(id, progress))
			.orElseThrow(() -> HttpFailure.notFound("progress", id)));
	}

	private static Map<String, @Nullable Object> progress(String jobId, Progress progress) {
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(JOB_ID, jobId);
		body.put("progress", progress.value());
		body.put(MESSAGE, progress.message());
		if (progress.data() != null) {
			body.put("data", progress.data());
		}
		body.put("updated_at", Rfc3339.format(progress.at()));
		return body;
	}

	private static HttpFailure notFound(RunReference run) {
		return HttpFailure.notFound(JOB, run.jobId());
	}

}
