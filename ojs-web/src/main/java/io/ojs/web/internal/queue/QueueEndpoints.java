package io.ojs.web.internal.queue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.JobState;
import io.ojs.queue.DeletionStrategy;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDeletion;
import io.ojs.queue.QueueNotFoundException;
import io.ojs.queue.QueueStats;
import io.ojs.queue.Queues;
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
 * Queues: their lifecycle, configuration and statistics (OJS Queue Configuration §9, OJS
 * HTTP Binding §11).
 */
public final class QueueEndpoints implements Endpoints {

	private static final String NAME = "name";

	private static final String QUEUE = "queue";

	private final Queues queues;

	private final AdminStore jobs;

	private final QueueJson json = new QueueJson();

	public QueueEndpoints(Queues queues, AdminStore jobs) {
		this.queues = queues;
		this.jobs = jobs;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/queues", Access.READ, this::list)
			.post("/v1/queues", Access.ADMIN, this::create)
			.get("/v1/queues/_default/config", Access.READ, this::defaultPolicy)
			.put("/v1/queues/_default/config", Access.ADMIN, this::setDefaultPolicy)
			.delete("/v1/queues/{name}", Access.ADMIN, this::delete)
			.get("/v1/queues/{name}/config", Access.READ, this::config)
			.put("/v1/queues/{name}/config", Access.ADMIN, this::configure)
			.post("/v1/queues/{name}/pause", Access.ADMIN, this::pause)
			.post("/v1/queues/{name}/resume", Access.ADMIN, this::resume)
			.post("/v1/queues/{name}/drain", Access.ADMIN, this::drain);
		routes.forTenants()
			.get("/v1/queues/{name}", Access.READ, this::get)
			.get("/v1/queues/{name}/stats", Access.READ, this::stats);
	}

	private HttpResult list(HttpCall call) {
		Page page = Page.of(call);
		List<JobQueue> all = this.queues.list();
		List<Map<String, @Nullable Object>> items = page.of(all).stream().map(this.json::full).toList();
		return HttpResult.ok(page.body("queues", items, all.size()));
	}

	private HttpResult create(HttpCall call) {
		JsonFields fields = call.fields();
		String name = fields.string(NAME);
		if (name == null) {
			throw HttpFailure.invalid(NAME, null, "is required");
		}
		Map<String, @Nullable Object> config = fields.object("config");
		fields.refuseLeftOver("is no field of a queue");
		JobQueue queue = this.queues.create(name,
				(config != null) ? this.json.configs().read(config) : QueueConfig.NONE);
		return HttpResult.created(this.json.full(queue)).header("Location", Routes.BASE + "/v1/queues/" + name);
	}

	private HttpResult get(HttpCall call) {
		String name = call.path(NAME);
		if (call.tenant() != null) {
			return stats(call);
		}
		Map<String, @Nullable Object> body = this.json.full(this.queues.get(name));
		body.put("stats", QueueJson.stats(this.queues.stats(name)));
		return HttpResult.ok(body);
	}

	private HttpResult config(HttpCall call) {
		return HttpResult.ok(this.json.configs().toMap(this.queues.get(call.path(NAME)).config()));
	}

	private HttpResult configure(HttpCall call) {
		QueueConfig config = this.json.configs().read(call.body());
		return HttpResult.ok(this.json.full(this.queues.configure(call.path(NAME), config)));
	}

	private HttpResult defaultPolicy(HttpCall call) {
		return HttpResult.ok(this.json.configs().toMap(this.queues.defaultPolicy()));
	}

	private HttpResult setDefaultPolicy(HttpCall call) {
		QueueConfig policy = this.json.configs().read(call.body());
		return HttpResult.ok(this.json.configs().toMap(this.queues.setDefaultPolicy(policy)));
	}

	private HttpResult delete(HttpCall call) {
		JsonFields fields = call.fieldsIfAny();
		String name = call.path(NAME);
		DeletionStrategy strategy = strategy(call, fields);
		fields.refuseLeftOver("is no field of a deletion");
		QueueDeletion deletion = this.queues.delete(name, strategy);
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(QUEUE, deletion.queue());
		body.put("strategy", strategy.wireName());
		if (strategy instanceof DeletionStrategy.Move move) {
			body.put("target_queue", move.target());
		}
		body.put("jobs_affected", deletion.jobsAffected());
		body.put("state", deletion.state().wireName());
		return HttpResult.accepted(body);
	}

	private static DeletionStrategy strategy(HttpCall call, JsonFields fields) {
		String word = either(call, fields, "strategy");
		if (word == null) {
			throw HttpFailure.invalid("strategy", null, "is required: reject, discard or move");
		}
		String target = either(call, fields, "target_queue");
		return switch (word) {
			case "reject" -> new DeletionStrategy.Reject();
			case "discard" -> new DeletionStrategy.Discard();
			case "move" -> {
				if (target == null) {
					throw HttpFailure.invalid("target_queue", null, "is required where 'strategy' is move");
				}
				yield new DeletionStrategy.Move(target);
			}
			default -> throw HttpFailure.invalid("strategy", word, "must be reject, discard or move");
		};
	}

	/**
	 * Reads a value from the body or the query: some callers cannot send a body with
	 * {@code DELETE}.
	 */
	private static @Nullable String either(HttpCall call, JsonFields fields, String name) {
		String value = fields.string(name);
		return (value != null) ? value : call.query().string(name);
	}

	private HttpResult stats(HttpCall call) {
		JobQueue queue = this.queues.get(call.path(NAME));
		String view = call.query().string("view");
		if (view != null) {
			if (!view.equals("state")) {
				throw HttpFailure.invalid("view", view, "must be state, or be left out");
			}
			return HttpResult.ok(QUEUE, this.json.state(queue));
		}
		Map<JobState, Long> counts = this.jobs.counts(queue.name(), call.tenant()).getOrDefault(queue.name(), Map.of());
		Map<String, @Nullable Object> counted = new LinkedHashMap<>(this.json.state(queue));
		Map<String, Object> numbers = new LinkedHashMap<>();
		numbers.put(QUEUE, queue.name());
		if (call.tenant() == null) {
			QueueStats stats = this.queues.stats(queue.name());
			counted.put("depth", stats.depth());
			numbers.putAll(QueueJson.stats(stats));
		}
		else {
			// The totals of the queue include the jobs of other tenants.
			numbers.putAll(ResponseJson.counts(counts));
		}
		counted.putAll(ResponseJson.counts(counts));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(QUEUE, counted);
		body.put("status", queue.state().wireName());
		body.put("stats", numbers);
		body.put("computed_at", ResponseJson.time(call.now()));
		return HttpResult.ok(body);
	}

	private HttpResult pause(HttpCall call) {
		return changed(call, pause(this.queues, call.path(NAME)), "paused_at");
	}

	/** Pauses a queue. Creates it if it had no job yet, so that its first jobs wait. */
	public static JobQueue pause(Queues queues, String name) {
		try {
			return queues.pause(name);
		}
		catch (QueueNotFoundException ex) {
			queues.create(name, QueueConfig.NONE);
			return queues.pause(name);
		}
	}

	private HttpResult resume(HttpCall call) {
		return changed(call, this.queues.resume(call.path(NAME)), "resumed_at");
	}

	private HttpResult drain(HttpCall call) {
		return changed(call, this.queues.drain(call.path(NAME)), "draining_since");
	}

	private HttpResult changed(HttpCall call, JobQueue queue, String when) {
		Map<String, @Nullable Object> object = this.json.state(queue);
		object.put(when, ResponseJson.time(queue.stateSince()));
		return HttpResult.ok(QUEUE, object);
	}

}
