package io.ojs.web.internal.deadletter;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.DeadLetterFacets;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.web.Access;
import io.ojs.web.internal.DeadLetterFilters;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters, counted by what they have in common.
 */
public final class DeadLetterFacetEndpoints implements Endpoints {

	private final DeadLetterStore store;

	public DeadLetterFacetEndpoints(DeadLetterStore store) {
		this.store = store;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants().get("/v1/dead-letter/facets", Access.READ, this::facets);
	}

	private HttpResult facets(HttpCall call) {
		DeadLetterFilter filter = DeadLetterFilters.of(call);
		DeadLetterFacets facets = this.store.facets(filter, call.now(), DeadLetterFacets.BOUND);
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("as_of", ResponseJson.time(call.now()));
		body.put("until", until(facets, call.now()).toString());
		body.put("counted", facets.counted());
		body.put("complete", facets.complete());
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("queue", facets.queues().stream().map(DeadLetterFacetEndpoints::json).toList());
		values.put("type", facets.types().stream().map(DeadLetterFacetEndpoints::json).toList());
		values.put("error_type", facets.errorTypes().stream().map(DeadLetterFacetEndpoints::json).toList());
		values.put("error_hash", facets.errorHashes().stream().map((value) -> {
			Map<String, @Nullable Object> json = json(value);
			json.put("sample", sample(facets.samples().get(value.value())));
			return json;
		}).toList());
		values.put("age", ages(facets));
		body.put("facets", values);
		return HttpResult.ok(body);
	}

	/**
	 * The end of what was counted does not depend on a clock, but on the newest. Written
	 * with all its digits.
	 */
	private static Instant until(DeadLetterFacets facets, Instant now) {
		return (facets.newest() != null) ? facets.newest().plus(1, ChronoUnit.MICROS) : now;
	}

	private static Map<String, @Nullable Object> json(DeadLetterFacets.Value value) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("value", value.value());
		json.put("count", value.count());
		json.put("first_at", ResponseJson.time(value.first()));
		json.put("last_at", ResponseJson.time(value.last()));
		return json;
	}

	private static @Nullable Map<String, @Nullable Object> sample(DeadLetterFacets.@Nullable Sample sample) {
		if (sample == null) {
			return null;
		}
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("job_type", sample.jobType());
		json.put("type", sample.type());
		json.put("message", sample.message());
		json.put("frame", sample.frame());
		return json;
	}

	private static List<Map<String, Object>> ages(DeadLetterFacets facets) {
		return facets.ages().entrySet().stream().map((entry) -> {
			Map<String, Object> json = new LinkedHashMap<>();
			json.put("value", entry.getKey().wireName());
			json.put("count", entry.getValue());
			return json;
		}).toList();
	}

}
