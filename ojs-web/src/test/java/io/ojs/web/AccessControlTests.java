package io.ojs.web;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.web.internal.HttpRequests;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An endpoint answers only callers that have its right.
 */
class AccessControlTests {

	private static final String RIGHTS = "X-Rights";

	/** Callers say which rights they have. */
	private static final AccessControl SAID = (access, request) -> {
		String rights = request.getHeader(RIGHTS);
		if (rights == null) {
			return AccessControl.Decision.UNKNOWN;
		}
		return List.of(rights.split(" ")).contains(access.name()) ? AccessControl.Decision.ALLOWED
				: AccessControl.Decision.REFUSED;
	};

	private static final Set<Access> RESTRICTED = EnumSet.complementOf(EnumSet.of(Access.PUBLIC));

	private final HttpRequests requests = HttpRequests.of(AccessControlTests::endpoints, SAID);

	@ParameterizedTest
	@EnumSource(Access.class)
	void anonymousCallersReachOnlyPublicEndpoints(Access access) {
		MockHttpServletResponse response = get(access, Map.of());
		assertThat(response.getStatus()).isEqualTo((access == Access.PUBLIC) ? 200 : 401);
		if (access != Access.PUBLIC) {
			assertThat(HttpRequests.error(response).get("code")).isEqualTo("unauthenticated");
		}
	}

	@ParameterizedTest
	@EnumSource(names = "PUBLIC", mode = EnumSource.Mode.EXCLUDE)
	void oneRightDoesNotIncludeAnother(Access own) {
		for (Access access : RESTRICTED) {
			MockHttpServletResponse response = get(access, Map.of(RIGHTS, own.name()));
			assertThat(response.getStatus()).as(access.name()).isEqualTo((access == own) ? 200 : 403);
			if (access != own) {
				assertThat(HttpRequests.error(response).get("code")).isEqualTo("PERMISSION_DENIED");
				assertThat(HttpRequests.details(response).get("access")).isEqualTo(access.name().toLowerCase());
			}
		}
	}

	@Test
	void refusedRequestReachesNoEndpoint() {
		Map<String, Object> reached = new LinkedHashMap<>();
		HttpRequests counting = HttpRequests.of((routes) -> routes.post("/v1/work", Access.ADMIN, (call) -> {
			reached.put(call.requestId(), call.body());
			return HttpResult.noContent();
		}), SAID);
		Map<String, String> headers = Map.of(RIGHTS, "WRITE", "Content-Type", HttpRequests.JSON);
		assertThat(counting.send("POST", "/ojs/v1/work", "{}", headers).getStatus()).isEqualTo(403);
		// The body is not parsed for a caller without the right.
		assertThat(counting.send("POST", "/ojs/v1/work", "no JSON", headers).getStatus()).isEqualTo(403);
		assertThat(reached).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "READ, false", "READ ADMIN, true", "READ CODEC, false" })
	void endpointCanAskForAnotherRight(String rights, boolean admin) {
		HttpRequests asking = HttpRequests.of((routes) -> routes.get("/v1/ask", Access.READ,
				(call) -> HttpResult.ok("admin", call.may(Access.ADMIN))), SAID);
		MockHttpServletResponse response = asking.send("GET", "/ojs/v1/ask", null, Map.of(RIGHTS, rights));
		assertThat(HttpRequests.body(response)).containsEntry("admin", admin);
	}

	@ParameterizedTest
	@EnumSource(Access.class)
	void withoutAccessControlOnlyTheCodecIsClosed(Access access) {
		HttpRequests open = HttpRequests.of(AccessControlTests::endpoints);
		assertThat(open.send("GET", path(access), null, Map.of()).getStatus())
			.isEqualTo((access == Access.CODEC) ? 401 : 200);
	}

	private static void endpoints(Routes routes) {
		for (Access access : Access.values()) {
			routes.get("/v1/" + access, access, (call) -> HttpResult.ok(Map.of()));
		}
	}

	private MockHttpServletResponse get(Access access, Map<String, String> headers) {
		return this.requests.send("GET", path(access), null, headers);
	}

	private static String path(Access access) {
		return "/ojs/v1/" + access;
	}

}
