package io.ojs.web.internal.broker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.process.ThisProcess;
import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * The broker as this process sees it, for operators.
 */
public final class BrokerEndpoints implements Endpoints {

	private final BrokerReports reports;

	private final ThisProcess process;

	public BrokerEndpoints(BrokerReports reports, ThisProcess process) {
		this.reports = reports;
		this.process = process;
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/v1/broker", Access.READ, this::get);
	}

	private HttpResult get(HttpCall call) {
		BrokerReport report = this.reports.report();
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("as_of", ResponseJson.time(report.at()));
		body.put("reachable", report.reachable());
		body.put("problem", report.problem());
		body.put("product", report.product());
		body.put("version", report.version());
		body.put("cluster", report.cluster());
		body.put("addresses", report.addresses());
		body.put("connections", report.connections().stream().map(BrokerEndpoints::json).toList());
		body.put("topology", Map.of("drift", report.drift().stream().map(BrokerEndpoints::json).toList()));
		Map<String, @Nullable Object> own = new LinkedHashMap<>();
		own.put("id", this.process.id());
		own.put("application", this.process.application());
		body.put("processes", List.of(own));
		return HttpResult.ok(body);
	}

	private static Map<String, @Nullable Object> json(BrokerReport.Connection connection) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("name", connection.name());
		object.put("state", connection.state());
		object.put("since", ResponseJson.timeOrNull(connection.since()));
		object.put("blocked_since", ResponseJson.timeOrNull(connection.blockedSince()));
		object.put("reason", connection.reason());
		object.put("reconnects", connection.reconnects());
		return object;
	}

	private static Map<String, @Nullable Object> json(BrokerReport.Drift drift) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("queue", drift.queue());
		object.put("what", drift.what());
		object.put("declared", drift.declared());
		object.put("found", drift.found());
		return object;
	}

}
