package io.ojs.web.internal.cron;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.client.internal.JobFactory;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.OverlapPolicy;
import io.ojs.internal.json.JobRequestJson;
import io.ojs.internal.json.JsonFields;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Page;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Crons: register, list, enable, disable, trigger and remove (OJS Cron §8, OJS HTTP
 * Binding §13).
 */
public final class CronEndpoints implements Endpoints {

	private static final String CRON = "cron";

	private static final String PATH = "/v1/cron/{name}";

	private static final String TEMPLATE = "job_template";

	/**
	 * Fields that the server sets. A request may contain them; they are ignored (OJS Cron
	 * §2.2).
	 */
	private static final List<String> MANAGED = List.of("created_at", "next_run_at", "next_runs", "last_run_at",
			"last_job_id", "run_count", "runs", "source");

	/** How many runs of each cron are kept. */
	private static final int MAX_RUNS = 100;

	private static final int NEXT_RUNS = 5;

	private final CronJobs crons;

	private final JobFactory factory;

	private final JsonValues values;

	private final EnqueueRules rules;

	public CronEndpoints(CronJobs crons, JobFactory factory, JsonValues values, EnqueueRules rules) {
		this.crons = crons;
		this.factory = factory;
		this.values = values;
		this.rules = rules;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/cron", Access.READ, this::list)
			.post("/v1/cron", Access.WRITE, (call) -> register(call, null))
			.get(PATH, Access.READ, (call) -> HttpResult.ok(CRON, json(found(call))))
			.put(PATH, Access.WRITE, (call) -> register(call, call.path("name")))
			.delete(PATH, Access.WRITE, this::remove)
			.get(PATH + "/runs", Access.READ, this::runs)
			.post(PATH + "/trigger", Access.WRITE, this::trigger)
			.post(PATH + "/enable", Access.WRITE,
					(call) -> HttpResult.ok(CRON, json(this.crons.enable(changeable(call)))))
			.post(PATH + "/disable", Access.WRITE,
					(call) -> HttpResult.ok(CRON, json(this.crons.disable(changeable(call)))));
	}

	private HttpResult list(HttpCall call) {
		String enabled = call.query().string("enabled");
		boolean wanted = call.query().bool("enabled");
		List<CronJob> all = this.crons.list()
			.stream()
			.filter((cron) -> enabled == null || cron.enabled() == wanted)
			.toList();
		Page page = Page.of(call);
		List<CronJob> crons = page.of(all);
		int limit = (int) call.query().number("runs", 0, 0, MAX_RUNS);
		Map<String, List<CronRun>> runs = (limit > 0)
				? this.crons.runs(crons.stream().map(CronJob::name).toList(), limit) : Map.of();
		List<Map<String, @Nullable Object>> shown = crons.stream().map((cron) -> {
			Map<String, @Nullable Object> object = json(cron);
			if (limit > 0) {
				object.put("runs",
						runs.getOrDefault(cron.name(), List.of()).stream().map(CronEndpoints::json).toList());
			}
			return object;
		}).toList();
		return HttpResult.ok(page.body("crons", shown, all.size()));
	}

	private HttpResult register(HttpCall call, @Nullable String name) {
		CronRequest request = read(call, name);
		this.crons.find(request.name()).ifPresent((cron) -> checkRight(call, cron));
		this.rules.check(List.of(request.job()), call.may(Access.ADMIN));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		try {
			body.put(CRON, json(this.crons.register(request)));
		}
		catch (InvalidJobException ex) {
			throw ex.in(TEMPLATE);
		}
		return (name != null) ? HttpResult.ok(body)
				: HttpResult.created(body).header("Location", Routes.BASE + "/v1/cron/" + request.name());
	}

	private CronRequest read(HttpCall call, @Nullable String path) {
		JsonFields fields = call.fields();
		MANAGED.forEach(fields::any);
		String inBody = fields.string("name");
		if (path != null && inBody != null && !path.equals(inBody)) {
			throw fields.refuse("name", inBody, "must be that of the path, or be left out");
		}
		String name = (path != null) ? path : inBody;
		if (name == null) {
			throw fields.refuse("name", null, "is required");
		}
		String expression = expression(fields);
		String zone = fields.string("timezone");
		String overlap = fields.string("overlap_policy");
		Boolean enabled = fields.bool("enabled");
		String description = fields.string("description");
		JobRequest job = job(fields, call.now());
		fields.refuseLeftOver("is no field of a cron");
		return new CronRequest(name, expression, (zone != null) ? zone : CronRequest.DEFAULT_ZONE, job,
				(overlap != null) ? OverlapPolicy.fromWire(overlap) : OverlapPolicy.SKIP,
				!Boolean.FALSE.equals(enabled), description);
	}

	/** Reads the schedule, which OJS Cron calls {@code cron}. */
	private static String expression(JsonFields fields) {
		String expression = fields.string("expression");
		String other = fields.string(CRON);
		if (expression != null && other != null && !other.equals(expression)) {
			throw fields.refuse(CRON, other, "must not stand beside 'expression', which means the same");
		}
		if (expression == null && other == null) {
			throw fields.refuse("expression", null, "is required, such as 0 3 * * *");
		}
		return (expression != null) ? expression : Objects.requireNonNull(other);
	}

	/**
	 * Reads the job: an object of its own, or fields beside the others as in OJS Cron.
	 */
	private JobRequest job(JsonFields fields, Instant now) {
		Map<String, @Nullable Object> template = fields.object(TEMPLATE);
		boolean nested = template != null;
		Map<String, @Nullable Object> job = new LinkedHashMap<>();
		if (template != null) {
			job.putAll(template);
		}
		else {
			job.put("type", fields.string("type"));
			job.put("args", fields.array("args"));
			job.put("meta", fields.object("meta"));
			job.put("options", fields.object("options"));
		}
		if (job.get("args") == null) {
			job.put("args", List.of());
		}
		if (job.get("meta") == null && job.get("options") instanceof Map<?, ?> options && options.get("meta") != null) {
			Map<Object, @Nullable Object> others = new LinkedHashMap<>(options);
			job.put("meta", others.remove("meta"));
			job.put("options", others);
		}
		try {
			return this.factory.arrived(JobRequestJson.read(job, now));
		}
		catch (InvalidJobException ex) {
			throw nested ? ex.in(TEMPLATE) : ex;
		}
	}

	private HttpResult remove(HttpCall call) {
		CronJob removed = this.crons.remove(changeable(call));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(CRON, json(removed));
		body.put("deleted", true);
		body.put("name", removed.name());
		return HttpResult.ok(body);
	}

	private HttpResult trigger(HttpCall call) {
		CronRun run = this.crons.trigger(name(call));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("run", json(run));
		body.put(CRON, json(found(call)));
		return HttpResult.ok(body);
	}

	private HttpResult runs(HttpCall call) {
		List<Map<String, @Nullable Object>> runs = this.crons.runs(name(call), call.query().limit())
			.stream()
			.map(CronEndpoints::json)
			.toList();
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("runs", runs);
		body.put("count", runs.size());
		return HttpResult.ok(body);
	}

	private CronJob found(HttpCall call) {
		String name = call.path("name");
		return this.crons.find(name).orElseThrow(() -> HttpFailure.notFound(CRON, name));
	}

	/** Returns the name of a cron that the caller may change. */
	private String changeable(HttpCall call) {
		CronJob cron = found(call);
		checkRight(call, cron);
		return cron.name();
	}

	/**
	 * Refuses to change a cron that an application declares, unless the caller has
	 * {@link Access#ADMIN}.
	 */
	private static void checkRight(HttpCall call, CronJob cron) {
		if (!cron.source().equals(CronJob.API) && !call.may(Access.ADMIN)) {
			throw HttpFailure.forbidden("Cron '%s' is declared by '%s'; to change it takes the right to admin."
				.formatted(cron.name(), cron.source()));
		}
	}

	/** Returns the name of a cron that exists. */
	private String name(HttpCall call) {
		return found(call).name();
	}

	private Map<String, @Nullable Object> json(CronJob cron) {
		CronRequest request = cron.request();
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("name", cron.name());
		object.put("expression", request.expression());
		object.put("timezone", request.zone());
		object.put("overlap_policy", request.overlap().wireName());
		object.put("enabled", cron.enabled());
		object.put("description", request.description());
		object.put(TEMPLATE, JobRequestJson.write(request.job(), this.values));
		object.put("source", cron.source());
		object.put("created_at", ResponseJson.timeOrNull(cron.createdAt()));
		object.put("next_run_at", ResponseJson.timeOrNull(cron.nextRunAt()));
		object.put("next_runs", this.crons.nextRuns(cron, NEXT_RUNS).stream().map(ResponseJson::timeOrNull).toList());
		object.put("last_run_at", ResponseJson.timeOrNull(cron.lastRunAt()));
		object.put("last_job_id", cron.lastJobId());
		object.put("run_count", cron.runCount());
		return object;
	}

	private static Map<String, @Nullable Object> json(CronRun run) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("cron", run.cron());
		object.put("scheduled_at", ResponseJson.timeOrNull(run.scheduledAt()));
		object.put("fired_at", ResponseJson.timeOrNull(run.firedAt()));
		object.put("triggered_by", run.triggeredBy());
		object.put("outcome", run.outcome().wireName());
		object.put("job_id", run.jobId());
		object.put("job_state", (run.jobState() != null) ? run.jobState().wireName() : null);
		object.put("job_started_at", ResponseJson.timeOrNull(run.jobStartedAt()));
		object.put("job_ended_at", ResponseJson.timeOrNull(run.jobEndedAt()));
		object.put("reason", run.reason());
		object.put("detail", run.detail());
		return object;
	}

}
