package io.ojs.web.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;

import io.ojs.queue.internal.Producers;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.web.Access;
import io.ojs.web.AccessControl;
import io.ojs.web.TenantAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The checks of every request, and the headers of every answer.
 */
class OjsRequestHandlerTests {

	private static final String REQUEST_ID = "X-Request-Id";

	private final Producers producers = new Producers("shop");

	private final OjsRequestHandler handler = new OjsRequestHandler(List.of(this::addTo), AccessControl.ANYBODY,
			ThreadTenants.OFF, TenantAccess.OFF, this.producers, HttpOptions.DEFAULT, HttpRequests.CLOCK);

	private final HttpRequests requests = new HttpRequests(this.handler);

	private void addTo(Routes routes) {
		routes.get("/v1/jobs/{id}", Access.READ, (call) -> HttpResult.ok("id", call.path("id")))
			.post("/v1/jobs", Access.WRITE,
					(call) -> HttpResult.created(call.body()).header("Location", "/ojs/v1/jobs/1"))
			.delete("/v1/jobs/{id}", Access.WRITE, (call) -> HttpResult.noContent())
			.put("/v1/jobs/{id}", Access.WRITE, (call) -> {
				throw new IllegalStateException("Password hunter2 was refused");
			})
			.get("/v1/producer", Access.READ, (call) -> HttpResult.ok("producer", this.producers.current()))
			.get("/v1/header", Access.READ, (call) -> HttpResult.ok("header", call.header("x-custom")))
			.get("/openapi.json", Access.PUBLIC,
					(call) -> HttpResult.ok(Map.of()).header("Content-Type", HttpRequests.JSON))
			.getAtRoot("/health", Access.PUBLIC, (call) -> HttpResult.ok(Map.of()));
	}

	@ParameterizedTest
	@CsvSource({ "/ojs, true", "/ojs/, true", "/ojs/v1/anything, true", "/health, true", "/ojsx, false",
			"/health/live, false", "/ready, false", "/api/ojs, false", "/, false" })
	void pathsBelowOjsAndNamedRootPathsAreHandled(String path, boolean handled) {
		assertThat(this.handler.handles(path)).isEqualTo(handled);
	}

	@ParameterizedTest
	@CsvSource({ "GET, /ojs/v1/jobs/7, 200", "DELETE, /ojs/v1/jobs/7, 204", "GET, /ojs/v1/nothing, 404",
			"PATCH, /ojs/v1/jobs/7, 405", "PUT, /ojs/v1/jobs/7, 500" })
	void eachAnswerHasTheSameHeaders(String method, String path, int status) {
		MockHttpServletResponse response = this.requests.send(method, path, null, Map.of());
		assertThat(response.getStatus()).isEqualTo(status);
		assertThat(response.getHeader("OJS-Version")).isEqualTo("1.0");
		assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
		assertThat(response.getHeader(REQUEST_ID)).startsWith("req_");
		assertThat(response.getContentType()).isEqualTo((status == 204) ? null : "application/openjobspec+json");
		assertThat(response.getContentLength()).isEqualTo(response.getContentAsByteArray().length);
	}

	@Test
	void answersCanHaveHeadersOfTheirOwn() {
		assertThat(this.requests.post("/ojs/v1/jobs", "{}").getHeader("Location")).isEqualTo("/ojs/v1/jobs/1");
		assertThat(this.requests.send("GET", "/ojs/openapi.json", null, Map.of()).getContentType())
			.isEqualTo("application/json");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "9e1c-4d", "x{126}y", "~!" })
	void idOfTheCallerIsKept(String text) {
		String id = text.replace("{126}", "x".repeat(126));
		MockHttpServletResponse response = this.requests.send("GET", "/ojs/v1/nothing", null, Map.of(REQUEST_ID, id));
		assertThat(response.getHeader(REQUEST_ID)).isEqualTo(id);
		assertThat(HttpRequests.error(response).get("request_id")).isEqualTo(id);
	}

	/** The id is logged. */
	@ParameterizedTest
	@ValueSource(strings = { "a b", "a\u001b[31m", "\u00e9", "{129}" })
	void longOrInvisibleIdIsReplaced(String text) {
		String id = text.replace("{129}", "x".repeat(129));
		MockHttpServletResponse response = this.requests.send("GET", "/ojs/v1/nothing", null, Map.of(REQUEST_ID, id));
		assertThat(response.getHeader(REQUEST_ID)).startsWith("req_").isNotEqualTo(id);
		assertThat(HttpRequests.error(response).get("request_id")).isEqualTo(response.getHeader(REQUEST_ID));
	}

	@ParameterizedTest
	@CsvSource({ "1, 200", "1.0, 200", "' 1.0 ', 200", "1.0.3, 200", "1.0.0-rc.1, 200", "2.0, 422", "1.1, 422",
			"1.0x, 422", "latest, 422" })
	void otherVersionsAreRefused(String version, int status) {
		MockHttpServletResponse response = this.requests.send("GET", "/ojs/v1/jobs/7", null,
				Map.of("OJS-Version", version));
		assertThat(response.getStatus()).isEqualTo(status);
		if (status == 422) {
			assertThat(HttpRequests.error(response).get("code")).isEqualTo("unsupported");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "application/openjobspec+json", "APPLICATION/JSON",
			"application/json; charset=utf-8", "application/json;charset=utf-8" })
	void jsonBodiesAreAccepted(String contentType) {
		assertThat(post("{\"a\":1}", contentType).getStatus()).isEqualTo(201);
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "text/plain; a=application/json", "application/x-www-form-urlencoded",
			"multipart/form-data; boundary=x", "application/jsonp", "application/xml" })
	void otherBodiesAreRefused(String contentType) {
		MockHttpServletResponse response = post("{\"a\":1}", contentType);
		assertThat(response.getStatus()).isEqualTo(415);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo("Content-Type");
	}

	/** Its fields have become parameters, and the body is empty. */
	@ParameterizedTest
	@ValueSource(strings = { "application/x-www-form-urlencoded", "Multipart/Form-Data; boundary=x" })
	void formThatTheContainerHasParsedIsRefused(String contentType) {
		MockHttpServletRequest request = new MockHttpServletRequest("DELETE", "/ojs/v1/jobs/7") {

			@Override
			public long getContentLengthLong() {
				return 3;
			}

		};
		request.setContentType(contentType);
		assertThat(this.requests.send(request).getStatus()).isEqualTo(415);
		assertThat(this.requests.send("DELETE", "/ojs/v1/jobs/7", "", Map.of("Content-Type", contentType)).getStatus())
			.isEqualTo(204);
	}

	@Test
	void bodyOfGetIsNotRead() {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/ojs/v1/jobs/7") {

			@Override
			public jakarta.servlet.ServletInputStream getInputStream() {
				throw new IllegalStateException("It is read");
			}

		};
		request.setContentType("text/plain");
		assertThat(this.requests.send(request).getStatus()).isEqualTo(200);
	}

	@Test
	void unexpectedExceptionIsNotShown() {
		MockHttpServletResponse response = this.requests.send("PUT", "/ojs/v1/jobs/7", null, Map.of());
		assertThat(response.getStatus()).isEqualTo(500);
		assertThat(HttpRequests.text(response)).doesNotContain("hunter2", "IllegalState");
	}

	@Test
	void producerIsThePrincipal() {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/ojs/v1/producer");
		assertThat(HttpRequests.body(this.requests.send(request))).containsEntry("producer", "anonymous");
		Principal billing = () -> "billing";
		request.setUserPrincipal(billing);
		assertThat(HttpRequests.body(this.requests.send(request))).containsEntry("producer", "billing");
		assertThat(this.producers.current()).isEqualTo("shop");
	}

	@Test
	void namesOfHeadersAreCaseInsensitive() {
		assertThat(HttpRequests.body(this.requests.send("GET", "/ojs/v1/header", null, Map.of("X-CUSTOM", "1"))))
			.containsEntry("header", "1");
	}

	@Test
	void undecodableQueryIsRefused() {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/ojs/v1/jobs/7") {

			@Override
			public Map<String, String[]> getParameterMap() {
				throw new IllegalStateException("Malformed");
			}

		};
		request.setQueryString("a=%zz");
		MockHttpServletResponse response = this.requests.send(request);
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.error(response).get("message").toString()).contains("a=%zz");
	}

	/** Otherwise meters of the web server would have a series for each job. */
	@Test
	void patternOfThePathIsPublishedForMeters() {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/ojs/v1/jobs/7");
		this.requests.send(request);
		assertThat(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)).isEqualTo("/ojs/v1/jobs/{id}");
	}

	@Test
	void contextPathIsNotPartOfThePath() {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/shop/ojs/v1/jobs/7");
		request.setContextPath("/shop");
		assertThat(HttpRequests.body(this.requests.send(request))).containsEntry("id", "7");
	}

	@Test
	void refusalBeforeRoutingHasTheSameForm() throws IOException {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/ojs/v1/jobs");
		request.addHeader(REQUEST_ID, "mine");
		MockHttpServletResponse response = new MockHttpServletResponse();
		this.handler.refuse(HttpErrors.unsupportedMediaType("multipart/mixed"), request, response);
		assertThat(response.getStatus()).isEqualTo(415);
		assertThat(response.getHeader(REQUEST_ID)).isEqualTo("mine");
		assertThat(new String(response.getContentAsByteArray(), StandardCharsets.UTF_8)).contains("multipart/mixed");
	}

	private MockHttpServletResponse post(String body, String contentType) {
		return this.requests.send("POST", "/ojs/v1/jobs", body, Map.of("Content-Type", contentType));
	}

}
