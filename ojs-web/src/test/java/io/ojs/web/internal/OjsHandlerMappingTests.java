package io.ojs.web.internal;

import io.ojs.web.Access;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests below {@code /ojs} go to one handler.
 */
class OjsHandlerMappingTests {

	private final OjsRequestHandler handler = HttpRequests
		.handler((routes) -> routes.getAtRoot("/health", Access.PUBLIC, (call) -> HttpResult.noContent()));

	private final OjsHandlerMapping mapping = new OjsHandlerMapping(this.handler);

	@ParameterizedTest
	@CsvSource({ "'', /ojs/v1/jobs, true", "'', /ojs, true", "'', /health, true", "/shop, /shop/ojs/v1/jobs, true",
			"'', /orders, false", "'', /ojs-orders, false", "/ojs, /ojs/orders, false", "/shop, /shop/orders, false" })
	void requestsBelowOjsAreTaken(String contextPath, String path, boolean taken) throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
		request.setContextPath(contextPath);
		assertThat(this.mapping.getHandlerInternal(request)).isEqualTo(taken ? this.handler : null);
	}

}
