package io.ojs.web.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.WorkerState;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Page;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Workers that fetch, for operators (OJS Admin API §9).
 */
public final class AdminWorkerEndpoints implements Endpoints {

	/**
	 * How long a worker may be silent before it is stale. Workers report every few
	 * seconds.
	 */
	private static final Duration SILENCE = Duration.ofMinutes(1);

	private final RemoteWorkers workers;

	public AdminWorkerEndpoints(RemoteWorkers workers) {
		this.workers = workers;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/admin/workers", Access.READ, this::list)
			.get("/v1/admin/workers/{id}", Access.READ, this::get)
			.post("/v1/admin/workers/{id}/quiet", Access.ADMIN, (call) -> direct(call, WorkerState.QUIET))
			.post("/v1/admin/workers/{id}/terminate", Access.ADMIN, (call) -> direct(call, WorkerState.TERMINATE));
	}

	private HttpResult list(HttpCall call) {
		Page page = Page.numbered(call);
		List<KnownWorker> all = this.workers.list();
		List<Map<String, @Nullable Object>> items = page.of(all)
			.stream()
			.map((worker) -> json(worker, call.now()))
			.toList();
		Map<String, @Nullable Object> body = page.body("items", items, all.size());
		Map<String, Object> summary = new LinkedHashMap<>();
		summary.put("total", all.size());
		for (String state : List.of("running", "quiet", "terminate", "stale")) {
			summary.put(state, all.stream().filter((worker) -> state(worker, call.now()).equals(state)).count());
		}
		body.put("summary", summary);
		return HttpResult.ok(body);
	}

	private HttpResult get(HttpCall call) {
		String id = call.path("id");
		return HttpResult
			.ok(json(this.workers.find(id).orElseThrow(() -> HttpFailure.notFound("worker", id)), call.now()));
	}

	private HttpResult direct(HttpCall call, WorkerState state) {
		String id = call.path("id");
		if (!this.workers.direct(id, state)) {
			throw HttpFailure.notFound("worker", id);
		}
		return get(call);
	}

	private static String state(KnownWorker worker, Instant now) {
		boolean stale = worker.lastSeen().plus(SILENCE).isBefore(now);
		return stale ? "stale" : worker.wanted().wireName();
	}

	private static Map<String, @Nullable Object> json(KnownWorker worker, Instant now) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("id", worker.id());
		object.put("state", state(worker, now));
		object.put("directive", worker.directive().wireName());
		object.put("queues", worker.queues());
		object.put("active_jobs", worker.activeJobs());
		object.put("started_at", ResponseJson.time(worker.firstSeen()));
		object.put("last_heartbeat_at", ResponseJson.time(worker.lastSeen()));
		worker.details().forEach(object::putIfAbsent);
		return object;
	}

}
