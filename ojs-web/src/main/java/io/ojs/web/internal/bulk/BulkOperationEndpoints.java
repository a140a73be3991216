package io.ojs.web.internal.bulk;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.internal.DeadLetterFacets;
import io.ojs.deadletter.internal.ReplayOverridesJson;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.bulk.BulkAction;
import io.ojs.internal.bulk.BulkOperation;
import io.ojs.internal.bulk.BulkOperationStore;
import io.ojs.internal.bulk.BulkRequest;
import io.ojs.internal.bulk.BulkRunner;
import io.ojs.internal.bulk.BulkState;
import io.ojs.internal.bulk.BulkWork;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.internal.JobRules;
import io.ojs.queue.internal.Producers;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.DeadLetterFilters;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.JobFilters;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many jobs, which go on after the answer.
 */
public final class BulkOperationEndpoints implements Endpoints {

	private static final String PATH = "/v1/operations";

	/** How many jobs are counted before an operation. */
	private static final int BOUND = 100_000;

	/** How many replayed jobs are looked at. */
	private static final int OUTCOMES = 10_000;

	/** How many types and errors a dry run names. */
	private static final int MOST = 5;

	/** Instead of what may name parts of the database. */
	private static final String PROBLEM = "The operation could not go on. Operators see the reason.";

	private final BulkOperationStore store;

	private final BulkRunner runner;

	private final BulkWork work;

	private final DeadLetters letters;

	private final EnqueueRules rules;

	private final Producers producers;

	private final JobIdGenerator ids;

	public BulkOperationEndpoints(BulkOperationStore store, BulkRunner runner, BulkWork work, DeadLetters letters,
			EnqueueRules rules, Producers producers, JobIdGenerator ids) {
		this.store = store;
		this.runner = runner;
		this.work = work;
		this.letters = letters;
		this.rules = rules;
		this.producers = producers;
		this.ids = ids;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.post(PATH, Access.ADMIN, this::create)
			.get(PATH, Access.READ, this::list)
			.get(PATH + "/{id}", Access.READ, this::get)
			.post(PATH + "/{id}/stop", Access.ADMIN, this::stop);
	}

	private HttpResult create(HttpCall call) {
		JsonFields fields = call.fields();
		BulkAction action = action(fields);
		boolean dryRun = Objects.requireNonNullElse(fields.bool("dry_run"), false);
		Boolean confirm = fields.bool("confirm");
		Instant until = JobFilters.instant(fields, "until");
		String target = fields.string("target");
		Long limit = fields.longInteger("limit");
		Double rate = fields.number("rate");
		JsonFields overrides = fields.nested("overrides");
		JsonFields filter = fields.nested("filter");
		fields.refuseLeftOver("is no field of an operation");
		if (filter == null) {
			throw HttpFailure.invalid("filter", null, "is required; {} means all");
		}
		if (action != BulkAction.REPLAY && (rate != null || overrides != null)) {
			throw HttpFailure.invalid((rate != null) ? "rate" : "overrides", (rate != null) ? rate : "{…}",
					"must be left out, because only replays have it");
		}
		ReplayOptions options = new ReplayOptions(dryRun, true, limit, rate,
				(overrides != null) ? overrides(overrides) : ReplayOverrides.NONE);
		BulkRequest request = isOfLetters(action, target, filter)
				? BulkRequest.of(present(DeadLetterFilters.of(call, filter), until, call.now()), options.limit(),
						options.rate(), options.overrides())
				: BulkRequest.of(possible(action, JobFilters.criteria(call, filter)),
						(until != null && until.isBefore(call.now())) ? until : call.now(), options.limit());
		this.rules.checkReplay(request.overrides().queue(),
				(request.letters() != null) ? request.letters().type() : null, call.tenant() == null);
		if (!dryRun && !Boolean.TRUE.equals(confirm)) {
			throw HttpFailure.invalid("confirm", confirm, "must be true, because this changes many jobs at once");
		}
		if (dryRun) {
			return dryRun(call, action, request);
		}
		BulkOperation operation = operation(call, action, request, this.work.count(action, request, BOUND));
		this.store.insert(operation);
		this.runner.wake();
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("operation", json(operation, call));
		return HttpResult.accepted(body).header("Location", Routes.BASE + PATH + "/" + operation.id());
	}

	private BulkOperation operation(HttpCall call, BulkAction action, BulkRequest request,
			BulkOperation.Progress progress) {
		return BulkOperation.of(this.ids.next(), action, request, call.tenant(), this.producers.current(), progress,
				call.now());
	}

	private HttpResult dryRun(HttpCall call, BulkAction action, BulkRequest request) {
		DeadLetterFacets facets = (request.letters() != null) ? this.work.facets(request.letters(), call.now()) : null;
		Map<String, @Nullable Object> json = json(operation(call, action, request,
				(facets != null) ? BulkOperation.Progress.of(facets.counted(), facets.complete())
						: this.work.count(action, request, BOUND)),
				call);
		json.put("id", null);
		json.put("state", BulkState.COMPLETED.wireName());
		json.put("dry_run", true);
		if (facets != null) {
			json.put("by_queue", counts(facets.queues(), DeadLetterFacets.VALUES));
			json.put("by_type", counts(facets.types(), MOST));
			json.put("by_error_type", counts(facets.errorTypes(), MOST));
		}
		return HttpResult.ok("operation", json);
	}

	private static List<Map<String, Object>> counts(List<DeadLetterFacets.Value> values, int most) {
		return values.stream().limit(most).map((value) -> {
			Map<String, Object> json = new LinkedHashMap<>();
			json.put("value", value.value());
			json.put("count", value.count());
			return json;
		}).toList();
	}

	private HttpResult get(HttpCall call) {
		BulkOperation operation = find(call);
		Map<String, @Nullable Object> json = json(operation, call);
		if (operation.action() == BulkAction.REPLAY) {
			BulkOperationStore.Outcome outcome = this.store.outcome(operation.id(), OUTCOMES);
			Map<String, Object> states = new LinkedHashMap<>();
			outcome.jobs()
				.entrySet()
				.stream()
				.sorted(Map.Entry.comparingByKey())
				.forEach((entry) -> states.put(entry.getKey().wireName(), entry.getValue()));
			Map<String, Object> shown = new LinkedHashMap<>();
			shown.put("states", states);
			shown.put("complete", outcome.complete());
			json.put("outcome", shown);
		}
		return HttpResult.ok("operation", json);
	}

	private static BulkAction action(JsonFields fields) {
		String action = fields.string("action");
		return BulkAction.fromWire(String.valueOf(action))
			.orElseThrow(() -> HttpFailure.invalid("action", action, "must be one of replay, cancel, delete"));
	}

	/**
	 * Whether the operation is about dead letters. A deletion is, unless it names jobs by
	 * their states.
	 */
	private static boolean isOfLetters(BulkAction action, @Nullable String target, JsonFields filter) {
		boolean letters = switch (action) {
			case REPLAY -> true;
			case CANCEL -> false;
			case DELETE -> !filter.has("state") && !filter.has("states");
		};
		if (target == null) {
			return letters;
		}
		boolean named = switch (target) {
			case "dead_letters" -> true;
			case "jobs" -> false;
			default -> throw HttpFailure.invalid("target", target, "must be dead_letters or jobs");
		};
		if (action != BulkAction.DELETE && named != letters) {
			throw HttpFailure.invalid("target", target, "must be left out, because only deletions have a choice");
		}
		return named;
	}

	/** The changes are kept in the database, where encrypted arguments must not be. */
	private static ReplayOverrides overrides(JsonFields fields) {
		if (fields.has("args")) {
			throw fields.refuse("args", fields.peek("args"),
					"must be left out, because an operation is kept: use POST /ojs/v1/dead-letter/retry");
		}
		try {
			return ReplayOverridesJson.read(fields);
		}
		catch (InvalidJobException ex) {
			throw ex.in("overrides");
		}
	}

	/**
	 * Restricts a filter to the dead letters that were there when the request came, or
	 * when the caller has looked. One that is replayed and fails again is a later one.
	 */
	private DeadLetterFilter present(DeadLetterFilter filter, @Nullable Instant until, Instant now) {
		Instant end = earliest(filter.until(), until);
		Instant present = this.letters.end(filter).orElse(now);
		Instant bound = (end != null && end.isBefore(present)) ? end : present;
		if (filter.since() != null && !filter.since().isBefore(bound)) {
			throw HttpFailure.invalid("filter.since", ResponseJson.time(filter.since()),
					"must be earlier than " + ResponseJson.time(bound));
		}
		return filter.until(bound);
	}

	private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
		return (one == null || (other != null && other.isBefore(one))) ? other : one;
	}

	private static JobSearch.Criteria possible(BulkAction action, JobSearch.Criteria criteria) {
		boolean delete = action == BulkAction.DELETE;
		criteria.filter()
			.states()
			.stream()
			.filter((state) -> AdminStore.DELETABLE.contains(state) != delete)
			.findFirst()
			.ifPresent((state) -> {
				throw HttpFailure.invalid("filter.state", state.wireName(),
						delete ? "must be a state of jobs that have ended: only such jobs can be deleted"
								: "must be a state of jobs that have not ended: only such jobs can be cancelled");
			});
		return criteria;
	}

	private HttpResult list(HttpCall call) {
		Set<BulkState> states = new LinkedHashSet<>();
		for (String word : call.query().strings("state")) {
			states.add(BulkState.fromWire(word)
				.orElseThrow(() -> HttpFailure.invalid("state", word, "must be one of "
						+ String.join(", ", Arrays.stream(BulkState.values()).map(BulkState::wireName).toList()))));
		}
		String before = call.query().string("cursor");
		try {
			before = (before != null) ? JobRules.id(before) : null;
		}
		catch (InvalidJobException ex) {
			throw HttpFailure.invalid("cursor", before, "must be what the page before ended with");
		}
		int limit = call.query().limit();
		List<BulkOperation> found = this.store.list(call.tenant(), states, before, limit + 1);
		boolean more = found.size() > limit;
		List<BulkOperation> page = more ? found.subList(0, limit) : found;
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		pagination.put("has_more", more);
		if (more) {
			pagination.put("next_cursor", page.get(limit - 1).id());
		}
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("items", page.stream().map((operation) -> json(operation, call)).toList());
		body.put("pagination", pagination);
		return HttpResult.ok(body);
	}

	private BulkOperation find(HttpCall call) {
		String id = call.path("id");
		return this.store.find(id)
			.filter((operation) -> call.tenant() == null || call.tenant().equals(operation.tenant()))
			.orElseThrow(() -> HttpFailure.notFound("operation", id));
	}

	private HttpResult stop(HttpCall call) {
		BulkOperation found = find(call);
		BulkOperation stopping = this.runner.stop(found.id())
			.orElseThrow(() -> HttpFailure.notFound("operation", found.id()));
		return HttpResult.ok("operation", json(stopping, call));
	}

	private static Map<String, @Nullable Object> json(BulkOperation operation, HttpCall call) {
		BulkRequest request = operation.request();
		BulkOperation.Progress progress = operation.progress();
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("id", operation.id());
		json.put("action", operation.action().wireName());
		json.put("target", (request.letters() != null) ? "dead_letters" : "jobs");
		json.put("state", operation.state().wireName());
		json.put("filter", filter(operation));
		json.put("until", (request.until() != null) ? request.until().toString() : null);
		json.put("limit", request.limit());
		json.put("rate", request.rate());
		json.put("overrides", request.overrides().equals(ReplayOverrides.NONE) ? null
				: ReplayOverridesJson.write(request.overrides()));
		json.put("tenant", operation.tenant());
		json.put("by", operation.by());
		json.put("matched", progress.matched());
		json.put("complete", progress.complete());
		json.put("done", progress.done());
		json.put("failed", progress.failed());
		json.put("skipped", progress.skipped());
		json.put("errors", progress.errors().stream().map((error) -> {
			Map<String, Object> example = new LinkedHashMap<>();
			example.put("job_id", error.jobId());
			example.put("error", error.problem());
			return example;
		}).toList());
		boolean operator = call.tenant() == null;
		json.put("problem", (operator || operation.problem() == null) ? operation.problem() : PROBLEM);
		json.put("process", operator ? operation.process() : null);
		json.put("created_at", ResponseJson.timeOrNull(operation.createdAt()));
		json.put("started_at", ResponseJson.timeOrNull(operation.startedAt()));
		json.put("ended_at", ResponseJson.timeOrNull(operation.endedAt()));
		json.put("updated_at", ResponseJson.timeOrNull(operation.updatedAt()));
		return json;
	}

	/** That of an operator may name a tenant. */
	private static Map<String, @Nullable Object> filter(BulkOperation operation) {
		Map<String, @Nullable Object> filter = operation.request().filter();
		if (operation.tenant() == null && operation.request().tenant() != null) {
			filter.put("tenant", operation.request().tenant());
		}
		return filter;
	}

}
