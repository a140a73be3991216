package io.ojs.web.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.queue.internal.Producers;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.web.Access;
import io.ojs.web.AccessControl;
import io.ojs.web.HttpFailure;
import io.ojs.web.TenantAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * For which tenant a request is made, and which endpoints it cannot call then.
 */
class TenantAccessTests {

	/** Threads outside of a request work for the tenant "resolved". */
	private final ThreadTenants tenants = new ThreadTenants(true, false, () -> Optional.of("resolved"));

	private final HttpRequests trusting = requests(TenantAccess.TRUSTING);

	@Test
	void callSeesTheTenantOfTheHeader() {
		assertThat(HttpRequests.body(get(this.trusting, "/ojs/v1/own", "acme"))).containsEntry("tenant", "acme")
			.containsEntry("works_for", "acme");
	}

	/** The resolver does not count: the request is that of an operator. */
	@Test
	void callWithoutAHeaderSeesAll() {
		assertThat(HttpRequests.body(get(this.trusting, "/ojs/v1/own"))).containsEntry("tenant", null)
			.containsEntry("works_for", null);
		assertThat(get(this.trusting, "/ojs/v1/all").getStatus()).isEqualTo(200);
	}

	@Test
	void endpointsForAllTenantsRefuseATenant() {
		MockHttpServletResponse response = get(this.trusting, "/ojs/v1/all", "acme");
		assertThat(response.getStatus()).isEqualTo(403);
		assertThat(HttpRequests.error(response).get("code")).isEqualTo("PERMISSION_DENIED");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-acme", "acme/w1", "acme corp", "acm\u00e9", "{129}" })
	void headerThatIsNoIdIsRefused(String header) {
		refused(get(this.trusting, "/ojs/v1/own", header.replace("{129}", "a".repeat(129))));
	}

	@Test
	void twoHeadersAreRefused() {
		refused(get(this.trusting, "/ojs/v1/own", "acme", "other"));
		refused(get(this.trusting, "/ojs/v1/own", "acme", "acme"));
	}

	@Test
	void publicEndpointsIgnoreTheHeader() {
		assertThat(get(this.trusting, "/ojs/v1/open", "no id").getStatus()).isEqualTo(200);
		assertThat(HttpRequests.body(get(this.trusting, "/ojs/v1/open", "acme"))).containsEntry("tenant", null);
	}

	/** Otherwise the caller would take all jobs for its own. */
	@Test
	void headerIsRefusedWhereTenantsAreNotKeptApart() {
		HttpRequests off = requests(TenantAccess.OFF);
		refused(get(off, "/ojs/v1/own", "acme"));
		assertThat(get(off, "/ojs/v1/own").getStatus()).isEqualTo(200);
	}

	@Test
	void applicationDecidesForWhichTenantACallerWorks() {
		HttpRequests deciding = requests((request, wanted) -> {
			if (!"acme".equals(wanted)) {
				throw HttpFailure.forbidden("You work for acme.");
			}
			return Optional.of("acme");
		});
		assertThat(get(deciding, "/ojs/v1/own", "acme").getStatus()).isEqualTo(200);
		assertThat(get(deciding, "/ojs/v1/own", "other").getStatus()).isEqualTo(403);
		assertThat(get(deciding, "/ojs/v1/own").getStatus()).isEqualTo(403);
	}

	private HttpRequests requests(TenantAccess access) {
		Endpoints endpoints = (routes) -> {
			routes.get("/v1/all", Access.READ, this::whose).get("/v1/open", Access.PUBLIC, this::whose);
			routes.forTenants().get("/v1/own", Access.READ, this::whose);
		};
		return new HttpRequests(new OjsRequestHandler(List.of(endpoints), AccessControl.ANYBODY, this.tenants, access,
				new Producers("test"), HttpOptions.DEFAULT, HttpRequests.CLOCK));
	}

	private HttpResult whose(HttpCall call) {
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("tenant", call.tenant());
		body.put("works_for", this.tenants.current().orElse(null));
		return HttpResult.ok(body);
	}

	private static MockHttpServletResponse get(HttpRequests requests, String path, String... tenants) {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
		for (String tenant : tenants) {
			request.addHeader(TenantAccess.HEADER, tenant);
		}
		return requests.send(request);
	}

	private static void refused(MockHttpServletResponse response) {
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(TenantAccess.HEADER);
	}

}
