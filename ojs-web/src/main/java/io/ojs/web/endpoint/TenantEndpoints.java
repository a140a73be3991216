package io.ojs.web.endpoint;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.admin.AdminStore;
import io.ojs.job.JobState;
import io.ojs.tenant.Tenants;
import io.ojs.web.Access;
import io.ojs.web.Endpoints;
import io.ojs.web.HttpCall;
import io.ojs.web.HttpFailure;
import io.ojs.web.HttpQuery;
import io.ojs.web.HttpResult;
import io.ojs.web.Routes;
import org.jspecify.annotations.Nullable;

/**
 * What tenants have (OJS Multi-Tenancy §10).
 */
public final class TenantEndpoints implements Endpoints {

	private static final String TENANT_ID = "tenant_id";

	private final AdminStore jobs;

	/**
	 * Creates the endpoints.
	 * @param jobs counts jobs
	 */
	public TenantEndpoints(AdminStore jobs) {
		this.jobs = jobs;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/admin/tenants", Access.READ, this::list);
		routes.forTenants().get("/v1/admin/tenants/{id}/stats", Access.READ, this::stats);
	}

	private HttpResult list(HttpCall call) {
		HttpQuery query = call.query();
		int limit = query.limit();
		List<Map<String, Object>> items = new ArrayList<>();
		Map<String, Map<JobState, Long>> counts = this.jobs.countsByTenant(query.string("cursor"), limit + 1);
		counts.forEach((tenant, ofTenant) -> {
			Map<String, Object> item = new LinkedHashMap<>();
			item.put(TENANT_ID, tenant);
			item.put("total_jobs", total(ofTenant));
			item.put("jobs", QueueJson.counts(ofTenant));
			items.add(item);
		});
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		pagination.put("limit", limit);
		// One more tells whether there are more.
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

	private HttpResult stats(HttpCall call) {
		String id = call.path("id");
		if (!Tenants.isValid(id) || (call.tenant() != null && !call.tenant().equals(id))) {
			throw HttpFailure.notFound("tenant", id);
		}
		Map<String, Map<JobState, Long>> counts = this.jobs.counts(null, id);
		Map<JobState, Long> all = new EnumMap<>(JobState.class);
		Map<String, Object> queues = new LinkedHashMap<>();
		counts.forEach((queue, ofQueue) -> {
			ofQueue.forEach((state, count) -> all.merge(state, count, Long::sum));
			queues.put(queue, QueueJson.counts(ofQueue));
		});
		Map<String, Object> body = new LinkedHashMap<>();
		body.put(TENANT_ID, id);
		body.put("total_jobs", total(all));
		body.put("jobs", QueueJson.counts(all));
		body.put("queues", queues);
		return HttpResult.ok(body);
	}

	private static long total(Map<JobState, Long> counts) {
		return counts.values().stream().mapToLong(Long::longValue).sum();
	}

}
