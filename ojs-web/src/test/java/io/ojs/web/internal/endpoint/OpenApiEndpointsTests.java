package io.ojs.web.internal.endpoint;

import java.util.Map;
import java.util.Objects;

import io.ojs.web.Access;
import io.ojs.web.internal.HttpRequests;
import io.ojs.web.internal.HttpResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The OpenAPI description has only the endpoints of this application.
 */
class OpenApiEndpointsTests {

	private final HttpRequests requests = HttpRequests.of((routes) -> {
		new OpenApiEndpoints().addTo(routes);
		// Added later, and described all the same.
		routes.get("/v1/jobs/{id}", Access.READ, (call) -> HttpResult.noContent())
			.get("/v1/undescribed", Access.READ, (call) -> HttpResult.noContent());
	});

	@Test
	void onlyRegisteredEndpointsAreDescribed() {
		MockHttpServletResponse response = this.requests.get("/ojs/openapi.json", Map.of());
		assertThat(response.getContentType()).isEqualTo("application/json");
		Map<String, @Nullable Object> description = HttpRequests.body(response);
		assertThat(description).containsKeys("openapi", "info", "components");
		Map<?, ?> paths = (Map<?, ?>) Objects.requireNonNull(description.get("paths"));
		assertThat(paths.keySet()).hasToString("[/ojs/openapi.json, /ojs/v1/jobs/{id}]");
		assertThat(((Map<?, ?>) Objects.requireNonNull(paths.get("/ojs/v1/jobs/{id}"))).keySet()).hasToString("[get]");
	}

}
