package io.ojs.web.internal.stream;

import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;

/**
 * The stream of changes.
 */
public final class ChangeStreamEndpoints implements Endpoints {

	private final ChangeStreams streams;

	public ChangeStreamEndpoints(ChangeStreams streams) {
		this.streams = streams;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants().get("/v1/events/stream", Access.READ, this::open);
	}

	private HttpResult open(HttpCall call) {
		String tenant = call.tenant();
		return HttpResult.stream((request, response) -> this.streams.open(tenant, request, response))
			.header("Content-Type", "text/event-stream")
			// A proxy must not keep what arrives.
			.header("X-Accel-Buffering", "no");
	}

}
