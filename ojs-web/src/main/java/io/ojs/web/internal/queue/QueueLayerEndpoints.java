package io.ojs.web.internal.queue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.queue.Queues;
import io.ojs.queue.internal.lifecycle.QueueRegistry;
import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Which layer sets what in the configuration of a queue (OJS Queue Configuration §7.2).
 */
public final class QueueLayerEndpoints implements Endpoints {

	private final Queues queues;

	private final QueueRegistry registry;

	private final QueueJson json = new QueueJson();

	public QueueLayerEndpoints(Queues queues, QueueRegistry registry) {
		this.queues = queues;
		this.registry = registry;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/queues/{name}/config/layers", Access.READ, this::layers);
	}

	private HttpResult layers(HttpCall call) {
		String name = this.queues.get(call.path("name")).name();
		List<Map<String, Object>> layers = new ArrayList<>();
		this.registry.layers(name).forEach((layer, config) -> {
			Map<String, Object> set = this.json.configs().toMap(config);
			// A group of settings of which none is set.
			set.values().removeIf(Map.of()::equals);
			layers.add(Map.of("layer", layer, "config", set));
		});
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("name", name);
		body.put("layers", layers);
		return HttpResult.ok(body);
	}

}
