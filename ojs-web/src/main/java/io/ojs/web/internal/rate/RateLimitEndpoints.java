package io.ojs.web.internal.rate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.rate.LimitedJobs;
import io.ojs.internal.rate.RateLimitStatus;
import io.ojs.internal.rate.RateLimitStore;
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
 * Rate limits: what they have let through, and how many jobs wait for them (OJS Rate
 * Limiting §10).
 */
public final class RateLimitEndpoints implements Endpoints {

	/** How many jobs that run, and how many that wait, are shown. */
	private static final int JOBS = 20;

	private final RateLimitStore limits;

	public RateLimitEndpoints(RateLimitStore limits) {
		this.limits = limits;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/rate-limits", Access.READ, this::list).get("/v1/rate-limits/{key}", Access.READ, this::find);
	}

	private HttpResult list(HttpCall call) {
		HttpQuery query = call.query();
		int limit = query.limit();
		// One more than the page has tells whether there are more.
		List<RateLimitStatus> found = this.limits.list(Objects.requireNonNullElse(query.string("cursor"), ""),
				limit + 1);
		List<RateLimitStatus> page = found.subList(0, Math.min(limit, found.size()));
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		pagination.put("limit", limit);
		pagination.put("has_more", found.size() > limit);
		if (found.size() > limit) {
			pagination.put("next_cursor", page.get(page.size() - 1).key());
		}
		List<Map<String, @Nullable Object>> items = new ArrayList<>(page.size());
		page.forEach((status) -> items.add(json(status)));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("items", items);
		body.put("pagination", pagination);
		return HttpResult.ok(body);
	}

	private HttpResult find(HttpCall call) {
		String key = call.path("key");
		return this.limits.find(key)
			.map((status) -> HttpResult.ok(withJobs(json(status), this.limits.jobs(key, JOBS))))
			.orElseThrow(() -> HttpFailure.notFound("rate_limit", key));
	}

	private static Map<String, @Nullable Object> withJobs(Map<String, @Nullable Object> limit, LimitedJobs jobs) {
		limit.put("running_jobs", jobs.running().stream().map(RateLimitEndpoints::json).toList());
		limit.put("waiting_jobs", jobs.waiting().stream().map(RateLimitEndpoints::json).toList());
		return limit;
	}

	private static Map<String, @Nullable Object> json(LimitedJobs.LimitedJob job) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("id", job.id());
		object.put("type", job.type());
		if (job.tenant() != null) {
			object.put("tenant", job.tenant());
		}
		object.put("since", ResponseJson.time(job.since()));
		return object;
	}

	private static Map<String, @Nullable Object> json(RateLimitStatus status) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("key", status.key());
		Integer concurrency = status.limit().concurrency();
		Map<String, @Nullable Object> running = new LinkedHashMap<>();
		running.put("limit", concurrency);
		running.put("active", status.active());
		if (concurrency != null) {
			running.put("available", Math.max(0, concurrency - status.active()));
		}
		object.put("concurrency", running);
		status.windows().forEach((counted) -> {
			Map<String, @Nullable Object> rate = RateLimitJson.write(counted.rate());
			rate.put("current_count", counted.starts());
			rate.put("window_resets_at", ResponseJson.time(counted.until()));
			object.put("rate", rate);
		});
		if (status.limit().rate() != null) {
			object.putIfAbsent("rate", RateLimitJson.write(status.limit().rate()));
		}
		if (status.limit().throttle() != null) {
			Map<String, @Nullable Object> throttle = RateLimitJson.write(status.limit().throttle());
			if (status.nextStart() != null) {
				throttle.put("next_allowed_at", ResponseJson.time(status.nextStart()));
			}
			object.put("throttle", throttle);
		}
		object.put("waiting_count", status.waiting());
		return object;
	}

}
