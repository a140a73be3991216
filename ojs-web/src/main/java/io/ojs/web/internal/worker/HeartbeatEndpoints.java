package io.ojs.web.internal.worker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.internal.json.JsonFields;
import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.worker.HandledJobsJson;
import io.ojs.internal.worker.Heartbeat;
import io.ojs.internal.worker.HeartbeatAnswer;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.WorkerState;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.Rfc3339;
import io.ojs.tenant.internal.TenantWorkers;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeats of workers: BEAT (OJS HTTP Binding §10.4), and their health.
 */
public final class HeartbeatEndpoints implements Endpoints {

	private static final String WORKER_ID = "worker_id";

	private static final String STATE = "state";

	private static final String ACTIVE_JOBS = "active_jobs";

	/** The details of a worker that are kept. */
	private static final List<String> DETAILS = List.of("hostname", "pid", "concurrency", "labels", "started_at",
			"version");

	/**
	 * How many bytes each of them may have as JSON: the store keeps it, and all callers
	 * may read it.
	 */
	private static final int MAX_DETAIL_BYTES = 4096;

	private final JsonObjects objects = new JsonObjects();

	private final RemoteWorkers workers;

	public HeartbeatEndpoints(RemoteWorkers workers) {
		this.workers = workers;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.post("/v1/workers/heartbeat", Access.WRITE, this::beat)
			.post("/v1/workers/beat", Access.WRITE, this::beat)
			.get("/v1/workers/{id}/health", Access.READ, this::health);
	}

	private HttpResult beat(HttpCall call) {
		JsonFields fields = call.fields();
		String worker = fields.string(WORKER_ID);
		if (worker == null) {
			throw fields.refuse(WORKER_ID, null, "is required");
		}
		WorkerState state = state(fields);
		List<String> jobIds = fields.strings("active_job_ids");
		Integer active = null;
		if (fields.peek(ACTIVE_JOBS) instanceof Integer) {
			active = fields.integer(ACTIVE_JOBS);
		}
		else {
			List<String> named = fields.strings(ACTIVE_JOBS);
			jobIds = (jobIds != null) ? jobIds : named;
		}
		List<String> queues = fields.strings("queues");
		HandledJobs handled = HandledJobsJson.read(fields);
		HeartbeatAnswer answer = this.workers
			.heartbeat(new Heartbeat(TenantWorkers.known(call.tenant(), worker), call.tenant(), state,
					Objects.requireNonNullElse(jobIds, List.of()), active, WorkerEndpoints.millis(fields),
					Objects.requireNonNullElse(queues, List.of()), details(fields, handled)));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("acknowledged", true);
		body.put(STATE, answer.state().wireName());
		body.put("jobs_extended", answer.extended());
		body.put("jobs_lost", answer.lost());
		body.put("server_time", Rfc3339.format(answer.time()));
		return HttpResult.ok(body);
	}

	private static @Nullable WorkerState state(JsonFields fields) {
		String word = fields.string(STATE);
		boolean shutdown = Boolean.TRUE.equals(fields.bool("shutdown"));
		WorkerState said = (word != null) ? WorkerState.fromWire(word)
			.orElseThrow(() -> fields.refuse(STATE, word, "must be running, quiet or terminate")) : null;
		return shutdown ? WorkerState.TERMINATE : said;
	}

	private Map<String, @Nullable Object> details(JsonFields fields, @Nullable HandledJobs handled) {
		Map<String, @Nullable Object> details = new LinkedHashMap<>();
		if (handled != null) {
			details.put(HandledJobsJson.FIELD, HandledJobsJson.write(handled));
		}
		for (String name : DETAILS) {
			Object value = fields.any(name);
			if (value != null && this.objects.write(Map.of(name, value)).length > MAX_DETAIL_BYTES) {
				throw fields.refuse(name, value, "must take at most %d bytes".formatted(MAX_DETAIL_BYTES));
			}
			if (value != null) {
				details.put(name, value);
			}
		}
		return details;
	}

	private HttpResult health(HttpCall call) {
		String id = call.path("id");
		KnownWorker worker = this.workers.find(TenantWorkers.known(call.tenant(), id))
			.orElseThrow(() -> HttpFailure.notFound("worker", id));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(WORKER_ID, id);
		body.put("status", (worker.wanted() == WorkerState.RUNNING) ? "ok" : "degraded");
		body.put(STATE, word(worker.wanted()));
		body.put(ACTIVE_JOBS, worker.activeJobs());
		body.put("last_seen_at", Rfc3339.format(worker.lastSeen()));
		return HttpResult.ok(body);
	}

	/**
	 * Returns the name of a state in the answer about health, which has names of its own.
	 */
	private static String word(WorkerState state) {
		return switch (state) {
			case RUNNING -> "running";
			case QUIET -> "draining";
			case TERMINATE -> "shutting_down";
		};
	}

}
