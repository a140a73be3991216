package io.ojs.web.internal.deadletter;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetterStats;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.ReplayOverridesJson;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoredJob;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.DeadLetterFilters;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpQuery;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.JobFilters;
import io.ojs.web.internal.Page;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters (OJS HTTP Binding §12, OJS Dead Letter, OJS Admin API §11).
 */
public final class DeadLetterEndpoints implements Endpoints {

	private static final String TYPE = "dead_letter_job";

	private static final String PATH = "/v1/dead-letter";

	private static final String ADMIN = "/v1/admin/dead-letter";

	private static final int ALL = Integer.MAX_VALUE - 1;

	private final DeadLetters letters;

	private final DeadLetterStore store;

	private final AdminStore jobs;

	private final EnqueueRules rules;

	public DeadLetterEndpoints(DeadLetters letters, DeadLetterStore store, AdminStore jobs, EnqueueRules rules) {
		this.letters = letters;
		this.store = store;
		this.jobs = jobs;
		this.rules = rules;
	}

	@Override
	public void addTo(Routes routes) {
		Routes tenants = routes.forTenants();
		tenants.get(PATH, Access.READ, this::list).get(ADMIN, Access.READ, this::numbered);
		for (String path : List.of(PATH, ADMIN)) {
			tenants.get(path + "/stats", Access.READ, this::stats)
				.get(path + "/{id}", Access.READ, this::get)
				.post(path + "/retry", Access.ADMIN, this::replayAll)
				.post(path + "/{id}/retry", Access.ADMIN, this::replay)
				.delete(path, Access.ADMIN, this::purge);
		}
		tenants.delete(PATH + "/{id}", Access.ADMIN, (call) -> {
			delete(call);
			Map<String, Object> body = new LinkedHashMap<>();
			body.put("deleted", true);
			body.put("job_id", call.path("id"));
			return HttpResult.ok(body);
		}).delete(ADMIN + "/{id}", Access.ADMIN, (call) -> {
			delete(call);
			return HttpResult.noContent();
		});
	}

	private HttpResult numbered(HttpCall call) {
		DeadLetterFilter filter = DeadLetterFilters.of(call);
		Page page = Page.numbered(call);
		boolean counted = isCounted(call.query());
		List<Map<String, @Nullable Object>> items = json(
				this.store.list(filter, page.offset(), counted ? page.limit() : page.limit() + 1));
		return HttpResult.ok(counted ? page.body("items", items, count(filter)) : page.body("items", items));
	}

	/**
	 * The cursor is the last dead letter of a page, so that the database does not read
	 * the pages before.
	 */
	private HttpResult list(HttpCall call) {
		HttpQuery query = call.query();
		DeadLetterFilter filter = DeadLetterFilters.of(call);
		DeadLetterCursor cursor = cursor(query);
		Page page = Page.byOffset(call);
		List<StoredJob> found = (cursor != null) ? this.store.list(filter, cursor, page.limit() + 1)
				: this.store.list(filter, page.offset(), page.limit() + 1);
		boolean more = found.size() > page.limit();
		List<StoredJob> letters = more ? found.subList(0, page.limit()) : found;
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		if (isCounted(query)) {
			pagination.put("total", count(filter));
		}
		pagination.put("limit", page.limit());
		if (cursor == null) {
			pagination.put("offset", page.offset());
		}
		pagination.put("has_more", more);
		if (more) {
			StoredJob last = letters.get(letters.size() - 1);
			pagination.put("next_cursor",
					new DeadLetterCursor(Objects.requireNonNull(last.deadLetteredAt()), last.job().id()).toString());
		}
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("jobs", json(letters));
		body.put("pagination", pagination);
		return HttpResult.ok(body);
	}

	private long count(DeadLetterFilter filter) {
		return this.store.countUpTo(filter, ALL).jobs();
	}

	private static @Nullable DeadLetterCursor cursor(HttpQuery query) {
		String cursor = query.string("cursor");
		if (cursor != null && query.string("offset") != null) {
			throw HttpFailure.invalid("offset", query.string("offset"), "must not stand beside 'cursor'");
		}
		try {
			return (cursor != null) ? DeadLetterCursor.parse(cursor) : null;
		}
		catch (InvalidDeadLetterRequestException ex) {
			throw HttpFailure.invalid("cursor", cursor, "must be 'next_cursor' of the page before");
		}
	}

	private static List<Map<String, @Nullable Object>> json(List<StoredJob> letters) {
		return letters.stream().map(StoredJob::json).toList();
	}

	/** A caller that follows cursors has the total already, if it wants one. */
	private static boolean isCounted(HttpQuery query) {
		return (query.string("total") != null) ? query.bool("total") : query.string("cursor") == null;
	}

	private HttpResult get(HttpCall call) {
		String id = id(call);
		return HttpResult.ok("job", find(call, id).json());
	}

	private StoredJob find(HttpCall call, String id) {
		return this.letters.get(id)
			.filter((letter) -> call.sees(letter.job()))
			.orElseThrow(() -> HttpFailure.notFound(TYPE, id));
	}

	private HttpResult stats(HttpCall call) {
		DeadLetterStats stats = this.letters.stats(DeadLetterFilter.ANY.tenant(call.tenant()));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("total", stats.total());
		body.put("by_queue", stats.byQueue());
		body.put("by_type", stats.byType());
		body.put("by_error_type", stats.byErrorType());
		body.put("oldest_at", ResponseJson.timeOrNull(stats.oldestAt()));
		body.put("newest_at", ResponseJson.timeOrNull(stats.newestAt()));
		return HttpResult.ok(body);
	}

	private HttpResult replay(HttpCall call) {
		String id = id(call);
		JsonFields fields = call.fieldsIfAny();
		ReplayOverrides overrides = ReplayOverridesJson.read(fields);
		this.rules.checkReplay(overrides.queue(), find(call, id).job().type(), call.tenant() == null);
		Job job = this.letters.replay(id, overrides).orElseThrow(() -> HttpFailure.notFound(TYPE, id));
		Map<String, @Nullable Object> object = this.jobs.search(JobFilter.ANY.queue(job.queue()).ids(Set.of(id)), 0, 1)
			.stream()
			.findFirst()
			.map(StoredJob::json)
			.orElseThrow(() -> HttpFailure.notFound(TYPE, id));
		object.put("re_enqueued_at", ResponseJson.time(call.now()));
		return HttpResult.ok("job", object);
	}

	private HttpResult replayAll(HttpCall call) {
		JsonFields fields = call.fields();
		JsonFields filter = fields.nested("filter");
		boolean dryRun = Objects.requireNonNullElse(fields.bool("dry_run"), false);
		boolean confirm = Objects.requireNonNullElse(fields.bool("confirm"), false);
		Long limit = fields.longInteger("limit");
		Double rate = fields.number("rate");
		JsonFields overrides = fields.nested("overrides");
		fields.refuseLeftOver("is no field of a retry of many");
		DeadLetterFilter letters = DeadLetterFilters.of(call, filter);
		ReplayOptions options = new ReplayOptions(dryRun, confirm, limit, rate, overridesOfMany(overrides));
		this.rules.checkReplay(options.overrides().queue(), letters.type(), call.tenant() == null);
		ReplayResult result = this.letters.replayAll(letters, options);
		return HttpResult.ok(json(result));
	}

	static ReplayOverrides overridesOfMany(@Nullable JsonFields fields) {
		try {
			return (fields != null) ? ReplayOverridesJson.read(fields) : ReplayOverrides.NONE;
		}
		catch (InvalidJobException ex) {
			throw ex.in("overrides");
		}
	}

	static Map<String, @Nullable Object> json(ReplayResult result) {
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("action", "retry");
		body.put("dry_run", result.dryRun());
		body.put("matched", result.lookedAt());
		body.put("succeeded", result.dryRun() ? 0 : result.replayed());
		body.put("failed", result.skippedInAll());
		body.put("errors", result.examples().stream().map((example) -> {
			Map<String, Object> error = new LinkedHashMap<>();
			error.put("job_id", example.jobId());
			error.put("error", example.problem());
			return error;
		}).toList());
		return body;
	}

	private void delete(HttpCall call) {
		String id = find(call, id(call)).job().id();
		if (!this.letters.delete(id)) {
			throw HttpFailure.notFound(TYPE, id);
		}
	}

	private HttpResult purge(HttpCall call) {
		JsonFields fields = call.fields();
		boolean confirm = Objects.requireNonNullElse(fields.bool("confirm"), false);
		Instant before = JobFilters.instant(fields, "older_than");
		JsonFields nested = fields.nested("filter");
		fields.refuseLeftOver("is no field of a purge");
		DeadLetterFilter filter = DeadLetterFilters.of(call, nested);
		boolean earlier = before != null && (filter.until() == null || before.isBefore(filter.until()));
		long purged = this.letters.purge(earlier ? filter.until(before) : filter, confirm);
		return HttpResult.ok("purged_count", purged);
	}

	private static String id(HttpCall call) {
		try {
			return JobRules.id(call.path("id"));
		}
		catch (InvalidJobException ex) {
			throw HttpFailure.notFound(TYPE, call.path("id"));
		}
	}

}
