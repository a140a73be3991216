package io.ojs.web.internal.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.event.EventFeed;
import io.ojs.event.EventPage;
import io.ojs.event.StoredEvent;
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
 * The feed of events (OJS Events).
 */
public final class EventEndpoints implements Endpoints {

	private static final int MAX_LIMIT = 1000;

	private static final int MOST_VALUES = 20;

	private final EventFeed feed;

	public EventEndpoints(EventFeed feed) {
		this.feed = feed;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants().get("/v1/events", Access.READ, this::list);
	}

	private HttpResult list(HttpCall call) {
		HttpQuery query = call.query();
		int limit = (int) query.number("limit", HttpQuery.DEFAULT_LIMIT, 1, MAX_LIMIT);
		long after = query.number("after", 0, 0, Long.MAX_VALUE);
		EventPage page = this.feed.page(after, few(query, "types"), few(query, "queues"), call.tenant(), limit);
		List<Map<String, @Nullable Object>> items = page.events().stream().map(EventEndpoints::json).toList();
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		pagination.put("limit", limit);
		pagination.put("has_more", page.more());
		pagination.put("next_cursor", Long.toString(page.position()));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("events", items);
		body.put("pagination", pagination);
		return HttpResult.ok(body);
	}

	/** Each value is looked for in each event. */
	private static Set<String> few(HttpQuery query, String name) {
		Set<String> values = query.strings(name);
		if (values.size() > MOST_VALUES) {
			throw HttpFailure.invalid(name, values.size() + " values", "must be at most " + MOST_VALUES);
		}
		return values;
	}

	private static Map<String, @Nullable Object> json(StoredEvent event) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("specversion", "1.0");
		object.put("id", event.id());
		object.put("type", event.type());
		object.put("source", event.source());
		object.put("time", ResponseJson.time(event.time()));
		object.put("subject", event.subject());
		object.put("position", event.position());
		object.put("data", event.data());
		return object;
	}

}
