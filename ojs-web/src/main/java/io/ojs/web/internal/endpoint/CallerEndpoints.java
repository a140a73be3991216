package io.ojs.web.internal.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.internal.process.ThisProcess;
import io.ojs.web.Access;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may do here, and what there is, so that a page shows only that.
 */
public final class CallerEndpoints implements Endpoints {

	/** Features, each with an endpoint that only applications with the feature have. */
	private static final Map<String, String> FEATURES = features();

	private final ThisProcess process;

	private final boolean tenants;

	private final List<String> labels;

	/**
	 * Creates the endpoint.
	 * @param tenants whether jobs belong to tenants
	 * @param labels the names of the meta values that become labels of jobs
	 */
	public CallerEndpoints(ThisProcess process, boolean tenants, List<String> labels) {
		this.process = process;
		this.tenants = tenants;
		this.labels = labels;
	}

	private static Map<String, String> features() {
		Map<String, String> features = new LinkedHashMap<>();
		features.put("store", "GET /v1/jobs/{id}");
		features.put("broker", "GET /v1/broker");
		features.put("cron", "GET /v1/cron");
		features.put("workflows", "GET /v1/workflows");
		features.put("webhooks", "GET /v1/webhooks/subscriptions");
		features.put("rate-limits", "GET /v1/rate-limits");
		features.put("tenants", "GET /v1/admin/tenants");
		features.put("codec", "POST /v1/codec/decode");
		features.put("operations", "GET /v1/operations");
		features.put("labels", "GET /v1/jobs");
		return features;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forCallers().get("/v1/me", Access.READ, (call) -> describe(call, routes));
	}

	private HttpResult describe(HttpCall call, Routes routes) {
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("caller", call.caller());
		TenantAccess.Scope scope = call.tenants();
		// Arguments are of no tenant that the codec server could know.
		boolean ofAll = !this.tenants || (scope.all() && call.tenant() == null);
		body.put("rights",
				Stream.of(Access.READ, Access.WRITE, Access.ADMIN, Access.CODEC)
					.filter((access) -> call.may(access) && (ofAll || access != Access.CODEC))
					.map((access) -> access.name().toLowerCase(Locale.ROOT))
					.toList());
		Map<String, @Nullable Object> ofTenants = new LinkedHashMap<>();
		ofTenants.put("enabled", this.tenants);
		ofTenants.put("current", call.tenant());
		ofTenants.put("own", List.copyOf(new TreeSet<>(scope.own())));
		ofTenants.put("all", scope.all());
		body.put("tenants", ofTenants);
		Set<String> there = routes.all()
			.stream()
			.map((route) -> route.method() + " " + route.path())
			.collect(Collectors.toSet());
		body.put("features",
				FEATURES.entrySet()
					.stream()
					.filter((feature) -> there.contains(feature.getValue().replace(" ", " " + Routes.BASE)))
					.map(Map.Entry::getKey)
					.toList());
		body.put("labels", this.labels);
		body.put("application", this.process.application());
		body.put("application_version", this.process.version());
		body.put("ojs_version", SystemEndpoints.version());
		body.put("process", this.process.id());
		body.put("now", ResponseJson.time(call.now()));
		return HttpResult.ok(body);
	}

}
