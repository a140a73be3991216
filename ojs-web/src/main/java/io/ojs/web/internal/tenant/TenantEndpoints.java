package io.ojs.web.internal.tenant;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.admin.AdminStore;
import io.ojs.job.JobState;
import io.ojs.job.Rate;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.TenantLimits;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.limit.TenantUsage;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpQuery;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * The jobs and limits of tenants (OJS Multi-Tenancy §10).
 */
public final class TenantEndpoints implements Endpoints {

	private static final String TENANT_ID = "tenant_id";

	private static final String UNFINISHED = "unfinished";

	/** Up to how many jobs of a kind are counted for each tenant. */
	private static final int BOUND = 1_000;

	/** Up to how many jobs are counted if one tenant is asked for. */
	private static final int BOUND_OF_ONE = 20_000;

	private final AdminStore jobs;

	private final TenantLimitSource limits;

	private final TenantUsage usage;

	private final Clock clock;

	public TenantEndpoints(AdminStore jobs, TenantLimitSource limits, TenantUsage usage, Clock clock) {
		this.jobs = jobs;
		this.limits = limits;
		this.usage = usage;
		this.clock = clock;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/admin/tenants", Access.READ, this::list);
		routes.forTenants().get("/v1/admin/tenants/{id}/stats", Access.READ, this::stats);
	}

	private HttpResult list(HttpCall call) {
		HttpQuery query = call.query();
		int limit = query.limit();
		List<Map<String, Object>> items = isUnfinished(query) ? unfinished(query.string("cursor"), limit + 1)
				: all(query.string("cursor"), limit + 1);
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		pagination.put("limit", limit);
		// One more than the page has tells whether there are more.
		boolean more = items.size() > limit;
		pagination.put("has_more", more);
		if (more) {
			items.remove(limit);
			pagination.put("next_cursor", items.get(limit - 1).get(TENANT_ID));
		}
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("items", items);
		body.put("pagination", pagination);
		return HttpResult.ok(body);
	}

	private static boolean isUnfinished(HttpQuery query) {
		String view = query.string("view");
		if (view != null && !view.equals(UNFINISHED)) {
			throw HttpFailure.invalid("view", view, "must be unfinished, or be left out");
		}
		return view != null;
	}

	private List<Map<String, Object>> all(@Nullable String after, int limit) {
		List<Map<String, Object>> items = new ArrayList<>();
		this.jobs.countsByTenant(after, limit).forEach((tenant, ofTenant) -> {
			Map<String, Object> item = new LinkedHashMap<>();
			item.put(TENANT_ID, tenant);
			item.put("total_jobs", total(ofTenant));
			item.put("jobs", ResponseJson.counts(ofTenant));
			items.add(item);
		});
		return items;
	}

	private List<Map<String, Object>> unfinished(@Nullable String after, int limit) {
		List<Map<String, Object>> items = new ArrayList<>();
		this.jobs.unfinishedByTenant(after, limit, BOUND).forEach((tenant, ofTenant) -> {
			Map<String, Object> item = new LinkedHashMap<>();
			item.put(TENANT_ID, tenant);
			item.put("jobs", unfinished(ofTenant.unfinished()));
			item.put("dead_letters", ofTenant.deadLetters());
			item.put("complete", ofTenant.complete());
			items.add(item);
		});
		return items;
	}

	private static Map<String, Object> unfinished(Map<JobState, Long> counts) {
		Map<String, Object> jobs = new LinkedHashMap<>();
		for (JobState state : JobState.values()) {
			if (!state.isTerminal()) {
				jobs.put(state.wireName(), counts.getOrDefault(state, 0L));
			}
		}
		return jobs;
	}

	private HttpResult stats(HttpCall call) {
		String id = call.path("id");
		if (!Tenants.isValid(id) || (call.tenant() != null && !call.tenant().equals(id))) {
			throw HttpFailure.notFound("tenant", id);
		}
		boolean unfinished = isUnfinished(call.query());
		Map<String, Map<JobState, Long>> counts = unfinished ? this.jobs.unfinished(id, BOUND_OF_ONE)
				: this.jobs.counts(null, id);
		Map<JobState, Long> all = new EnumMap<>(JobState.class);
		Map<String, Object> queues = new LinkedHashMap<>();
		counts.forEach((queue, ofQueue) -> {
			ofQueue.forEach((state, count) -> all.merge(state, count, Long::sum));
			queues.put(queue, unfinished ? unfinished(ofQueue) : ResponseJson.counts(ofQueue));
		});
		Map<String, Object> body = new LinkedHashMap<>();
		body.put(TENANT_ID, id);
		if (unfinished) {
			body.put("jobs", unfinished(all));
			body.put("complete", total(all) < BOUND_OF_ONE);
		}
		else {
			body.put("total_jobs", total(all));
			body.put("jobs", ResponseJson.counts(all));
		}
		body.put("queues", queues);
		body.put("limits", limits(id, all));
		return HttpResult.ok(body);
	}

	/** Returns the limits of a tenant, each with the present number of the tenant. */
	private Map<String, Object> limits(String id, Map<JobState, Long> jobs) {
		TenantLimits limits = this.limits.of(id);
		long scheduled = jobs.getOrDefault(JobState.SCHEDULED, 0L);
		Map<String, Object> all = new LinkedHashMap<>();
		add(all, "max_concurrency", limits.maxConcurrency(), jobs.getOrDefault(JobState.ACTIVE, 0L));
		Rate rate = limits.maxEnqueueRate();
		if (rate != null) {
			Instant now = this.clock.instant();
			Map<String, Object> item = limit(rate.limit(),
					this.usage.enqueued(id).map((period) -> period.jobs(rate, now)).orElse(0L));
			item.put("period", rate.period().toString());
			all.put("max_enqueue_rate", item);
		}
		add(all, "max_queue_depth", limits.maxQueueDepth(), scheduled + jobs.getOrDefault(JobState.AVAILABLE, 0L));
		add(all, "max_scheduled", limits.maxScheduled(), scheduled);
		return all;
	}

	private static void add(Map<String, Object> all, String name, @Nullable Number limit, long current) {
		if (limit != null) {
			all.put(name, limit(limit, current));
		}
	}

	private static Map<String, Object> limit(Number limit, long current) {
		Map<String, Object> item = new LinkedHashMap<>();
		item.put("limit", limit);
		item.put("current", current);
		return item;
	}

	private static long total(Map<JobState, Long> counts) {
		return counts.values().stream().mapToLong(Long::longValue).sum();
	}

}
