package io.ojs.web.internal.figures;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.ojs.internal.figures.AttentionItem;
import io.ojs.internal.figures.BrokerFigures;
import io.ojs.internal.figures.Depths;
import io.ojs.internal.figures.FigureStore;
import io.ojs.internal.figures.Figures;
import io.ojs.internal.figures.KnownQueue;
import io.ojs.internal.figures.StoreFigures;
import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs wait, at the broker and in the store, and what needs attention.
 */
public final class FigureEndpoints implements Endpoints {

	private final Figures figures;

	public FigureEndpoints(Figures figures) {
		this.figures = figures;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/depths", Access.READ, this::depths).get("/v1/attention", Access.READ, this::attention);
	}

	private HttpResult depths(HttpCall call) {
		Depths depths = this.figures.depths();
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("as_of", ResponseJson.time(depths.asOf()));
		body.put("queues", depths.queues().stream().map(FigureEndpoints::json).toList());
		StoreFigures.Outbox outbox = depths.outbox();
		body.put("outbox", (outbox != null) ? json(outbox) : null);
		Map<String, Object> counted = new LinkedHashMap<>();
		counted.put("complete", depths.complete() && depths.deadLettersComplete());
		counted.put("dead_letters_complete", depths.deadLettersComplete());
		counted.put("bound", FigureStore.BOUND);
		body.put("counted", counted);
		return HttpResult.ok(body);
	}

	private static Map<String, @Nullable Object> json(Depths.QueueDepth depth) {
		KnownQueue queue = depth.queue();
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("name", queue.name());
		object.put("state", queue.state());
		object.put("paused_at", ResponseJson.timeOrNull(queue.pausedAt()));
		object.put("paused_by", queue.pausedBy());
		object.put("delivery", queue.delivery());
		object.put("waiting", depth.waiting());
		StoreFigures.Depth store = depth.store();
		object.put("store", (store != null) ? json(store) : null);
		BrokerFigures.Depth broker = depth.broker();
		object.put("broker", (broker != null) ? json(broker) : null);
		object.put("unacked", (broker != null) ? broker.unacked() : null);
		object.put("retry_queues", (broker != null) ? broker.retries() : null);
		object.put("difference", depth.difference());
		object.put("dead_letters", depth.deadLetters());
		return object;
	}

	private static Map<String, @Nullable Object> json(StoreFigures.Depth depth) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("scheduled", depth.scheduled());
		object.put("available", depth.available());
		object.put("pending", depth.pending());
		object.put("active", depth.active());
		object.put("retryable", depth.retryable());
		object.put("blocked", depth.blocked());
		object.put("oldest_available_at", ResponseJson.timeOrNull(depth.oldestAvailableAt()));
		object.put("complete", depth.complete());
		return object;
	}

	private static Map<String, @Nullable Object> json(BrokerFigures.Depth depth) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("ready", depth.ready());
		object.put("consumers", depth.consumers());
		object.put("exists", depth.exists());
		return object;
	}

	private static Map<String, @Nullable Object> json(StoreFigures.Outbox outbox) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("waiting", outbox.waiting());
		object.put("oldest_at", ResponseJson.timeOrNull(outbox.oldestAt()));
		return object;
	}

	private HttpResult attention(HttpCall call) {
		Depths depths = this.figures.depths();
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("as_of", ResponseJson.time(depths.asOf()));
		body.put("waiting", count(depths.waiting(), depths.complete()));
		body.put("dead_letters", count(depths.deadLetters(), depths.deadLettersComplete()));
		body.put("items", this.figures.attention(depths).stream().map(FigureEndpoints::json).toList());
		return HttpResult.ok(body);
	}

	private static Map<String, Object> count(long count, boolean complete) {
		Map<String, Object> object = new LinkedHashMap<>();
		object.put("count", count);
		object.put("complete", complete);
		return object;
	}

	private static Map<String, @Nullable Object> json(AttentionItem item) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("code", item.code().wireName());
		object.put("severity", item.severity().name().toLowerCase(Locale.ROOT));
		object.put("sentence", item.sentence());
		object.put("since", ResponseJson.timeOrNull(item.since()));
		object.put("queue", item.queue());
		object.put("tenant", item.tenant());
		Map<String, Object> link = new LinkedHashMap<>();
		link.put("page", item.page());
		link.put("params", item.params());
		object.put("link", link);
		return object;
	}

}
