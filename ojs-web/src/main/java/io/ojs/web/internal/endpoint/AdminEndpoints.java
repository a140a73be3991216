package io.ojs.web.internal.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.JobState;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.Queues;
import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Page;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.queue.QueueJson;
import io.ojs.web.internal.Routes;
import io.ojs.web.internal.queue.QueueEndpoints;
import org.jspecify.annotations.Nullable;

/**
 * Queues and statistics for operators (OJS Admin API §6, §10).
 */
public final class AdminEndpoints implements Endpoints {

	private static final Duration RECENTLY = Duration.ofMinutes(1);

	private static final String NAME = "name";

	private final Queues queues;

	private final AdminStore jobs;

	private final Supplier<Integer> workers;

	private final Instant startedAt;

	private final QueueJson json = new QueueJson();

	public AdminEndpoints(Queues queues, AdminStore jobs, Supplier<Integer> workers, Instant startedAt) {
		this.queues = queues;
		this.jobs = jobs;
		this.workers = workers;
		this.startedAt = startedAt;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/admin/queues", Access.READ, this::list)
			.get("/v1/admin/queues/{name}", Access.READ, this::get)
			.put("/v1/admin/queues/{name}/config", Access.ADMIN, this::configure)
			.post("/v1/admin/queues/{name}/pause", Access.ADMIN, this::pause)
			.post("/v1/admin/queues/{name}/resume", Access.ADMIN, this::resume)
			.get("/v1/admin/stats", Access.READ, this::stats);
	}

	private HttpResult list(HttpCall call) {
		Page page = Page.numbered(call);
		Map<String, Map<JobState, Long>> counts = this.jobs.counts(null, null);
		List<JobQueue> all = this.queues.list();
		List<Map<String, @Nullable Object>> items = page.of(all).stream().map((queue) -> {
			Map<String, @Nullable Object> item = this.json.state(queue);
			item.put("counts", ResponseJson.counts(counts.getOrDefault(queue.name(), Map.of())));
			item.put("created_at", ResponseJson.time(queue.createdAt()));
			return item;
		}).toList();
		return HttpResult.ok(page.body("items", items, all.size()));
	}

	private HttpResult get(HttpCall call) {
		JobQueue queue = this.queues.get(call.path(NAME));
		Map<String, @Nullable Object> body = this.json.full(queue);
		body.put("counts",
				ResponseJson.counts(this.jobs.counts(queue.name(), null).getOrDefault(queue.name(), Map.of())));
		body.put("configuration", body.remove("config"));
		return HttpResult.ok(body);
	}

	private HttpResult pause(HttpCall call) {
		return HttpResult.ok(changed(QueueEndpoints.pause(this.queues, call.path(NAME)), "paused_at"));
	}

	private HttpResult resume(HttpCall call) {
		return HttpResult.ok(changed(this.queues.resume(call.path(NAME)), "resumed_at"));
	}

	private Map<String, @Nullable Object> changed(JobQueue queue, String when) {
		Map<String, @Nullable Object> body = this.json.state(queue);
		body.put(when, ResponseJson.time(queue.stateSince()));
		return body;
	}

	private HttpResult configure(HttpCall call) {
		Map<String, @Nullable Object> fields = new LinkedHashMap<>(call.body());
		JsonFields backpressure = call.fields().nested("backpressure");
		fields.remove("backpressure");
		QueueConfig config = this.json.configs().read(fields);
		QueueConfig all = (backpressure != null) ? backpressure(backpressure).over(config) : config;
		return HttpResult.ok(this.json.full(this.queues.configure(call.path(NAME), all)));
	}

	/** Reads the same limits by their names in OJS Backpressure §6. */
	private static QueueConfig backpressure(JsonFields fields) {
		Long depth = fields.longInteger("max_depth");
		Long bytes = fields.longInteger("max_bytes");
		String strategy = fields.string("strategy");
		Double warning = fields.number("warning_threshold");
		if (warning != null && !(warning >= 0 && warning <= 1)) {
			throw fields.refuse("warning_threshold", warning, "must be between 0.0 and 1.0");
		}
		fields.refuseLeftOver("is no field of a queue's backpressure");
		return QueueConfig.builder()
			.maxSize(depth)
			.maxSizeBytes(bytes)
			.overflowPolicy((strategy != null) ? OverflowPolicy.fromWire(strategy.replace('-', '_')) : null)
			.build();
	}

	private HttpResult stats(HttpCall call) {
		Map<JobState, Long> total = new EnumMap<>(JobState.class);
		this.jobs.counts(null, null)
			.values()
			.forEach((counts) -> counts.forEach((state, count) -> total.merge(state, count, Long::sum)));
		Map<JobState, Long> ended = this.jobs.ended(call.now().minus(RECENTLY));
		Map<String, Object> throughput = new LinkedHashMap<>();
		throughput.put("processed_per_minute", ended.getOrDefault(JobState.COMPLETED, 0L));
		throughput.put("failed_per_minute", ended.getOrDefault(JobState.DISCARDED, 0L));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("queues", this.queues.list().size());
		body.put("workers", this.workers.get());
		body.put("jobs", ResponseJson.counts(total));
		body.put("throughput", throughput);
		body.put("uptime_seconds", Math.max(0, Duration.between(this.startedAt, call.now()).toSeconds()));
		return HttpResult.ok(body);
	}

}
