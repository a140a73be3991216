package io.ojs.web.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.ojs.internal.process.KnownProcess;
import io.ojs.internal.process.ThisProcess;
import io.ojs.internal.version.HandlerStore;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.WorkerState;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.ForeignText;
import io.ojs.job.internal.HandledJobs;
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
 * Who works jobs, for operators: processes of applications with handlers, and workers
 * that fetch (OJS Admin API §9).
 */
public final class AdminWorkerEndpoints implements Endpoints {

	/**
	 * How long a worker may be silent before it is stale. Workers report every few
	 * seconds.
	 */
	private static final Duration SILENCE = Duration.ofMinutes(1);

	private static final List<String> STATES = List.of("running", "quiet", "terminate", "stale");

	private final Supplier<List<KnownProcess>> processes;

	private final @Nullable RemoteWorkers workers;

	/**
	 * Creates the endpoints.
	 * @param processes returns the processes that work jobs
	 * @param workers knows the workers that fetch; {@code null} if none can
	 */
	public AdminWorkerEndpoints(Supplier<List<KnownProcess>> processes, @Nullable RemoteWorkers workers) {
		this.processes = processes;
		this.workers = workers;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/admin/workers", Access.READ, this::list).get("/v1/admin/workers/{id}", Access.READ, this::get);
		RemoteWorkers fetching = this.workers;
		if (fetching != null) {
			routes
				.post("/v1/admin/workers/{id}/quiet", Access.ADMIN, (call) -> direct(call, fetching, WorkerState.QUIET))
				.post("/v1/admin/workers/{id}/terminate", Access.ADMIN,
						(call) -> direct(call, fetching, WorkerState.TERMINATE));
		}
	}

	private HttpResult list(HttpCall call) {
		Page page = Page.numbered(call);
		List<Map<String, @Nullable Object>> all = new ArrayList<>();
		this.processes.get().forEach((process) -> all.add(json(process, call.now())));
		if (this.workers != null) {
			this.workers.list().forEach((worker) -> all.add(json(worker, call.now())));
		}
		Map<String, @Nullable Object> body = page.body("items", page.of(all), all.size());
		Map<String, Object> summary = new LinkedHashMap<>();
		summary.put("total", all.size());
		STATES.forEach(
				(state) -> summary.put(state, all.stream().filter((each) -> state.equals(each.get("state"))).count()));
		body.put("summary", summary);
		return HttpResult.ok(body);
	}

	private HttpResult get(HttpCall call) {
		String id = call.path("id");
		Optional<KnownWorker> worker = (this.workers != null) ? this.workers.find(id) : Optional.empty();
		return HttpResult.ok(worker.map((found) -> json(found, call.now()))
			.or(() -> process(id).map((found) -> json(found, call.now())))
			.orElseThrow(() -> HttpFailure.notFound("worker", id)));
	}

	private Optional<KnownProcess> process(String id) {
		return this.processes.get().stream().filter((process) -> process.id().equals(id)).findFirst();
	}

	private HttpResult direct(HttpCall call, RemoteWorkers fetching, WorkerState state) {
		String id = call.path("id");
		if (!fetching.direct(id, state)) {
			if (process(id).isPresent()) {
				throw HttpFailure.conflict("'%s' is a process of an application, not a worker that fetches: stop it "
					.formatted(ForeignText.escape(id, 128)) + "where it was started, or pause its queues.");
			}
			throw HttpFailure.notFound("worker", id);
		}
		return get(call);
	}

	private static String state(KnownWorker worker, Instant now) {
		boolean stale = worker.lastSeen().plus(SILENCE).isBefore(now);
		return stale ? "stale" : worker.wanted().wireName();
	}

	private static Map<String, @Nullable Object> json(KnownProcess known, Instant now) {
		boolean stale = known.lastSeen().plus(HandlerStore.TRUSTED).isBefore(now);
		ThisProcess process = known.process();
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("id", known.id());
		object.put("kind", "process");
		object.put("state", stale ? "stale" : "running");
		object.put("queues", List.copyOf(known.queues().keySet()));
		object.put("consumers", known.queues());
		object.put("types", types(known.handled()));
		object.put("host", (process != null) ? process.host() : null);
		object.put("pid", (process != null) ? process.pid() : null);
		object.put("application", (process != null) ? process.application() : null);
		object.put("application_version", (process != null) ? process.version() : null);
		object.put("active_jobs", known.running());
		object.put("started_at", (process != null) ? ResponseJson.time(process.startedAt()) : null);
		object.put("last_seen", ResponseJson.time(known.lastSeen()));
		object.put("last_heartbeat_at", ResponseJson.time(known.lastSeen()));
		return object;
	}

	private static Map<String, @Nullable Object> json(KnownWorker worker, Instant now) {
		HandledJobs handled = worker.handled();
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("id", worker.id());
		object.put("kind", "worker");
		object.put("state", state(worker, now));
		object.put("directive", worker.directive().wireName());
		object.put("queues", worker.queues());
		object.put("types", (handled != null) ? types(handled) : null);
		object.put("host", worker.details().get("hostname"));
		object.put("active_jobs", worker.activeJobs());
		object.put("started_at", ResponseJson.time(worker.firstSeen()));
		object.put("last_seen", ResponseJson.time(worker.lastSeen()));
		object.put("last_heartbeat_at", ResponseJson.time(worker.lastSeen()));
		worker.details().forEach(object::putIfAbsent);
		return object;
	}

	private static List<Map<String, Object>> types(HandledJobs handled) {
		return new TreeMap<>(handled.versions()).entrySet().stream().map((type) -> {
			Map<String, Object> object = new LinkedHashMap<>();
			object.put("type", type.getKey());
			object.put("versions", type.getValue().stream().map(VersionRange::toString).toList());
			return object;
		}).toList();
	}

}
