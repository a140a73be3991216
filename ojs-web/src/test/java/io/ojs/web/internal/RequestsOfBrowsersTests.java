package io.ojs.web.internal;

import java.util.Map;

import io.ojs.web.Access;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a browser sends for a page of another site without asking first (a form, or a
 * simple request of Fetch §3.2) is refused, whatever the user may do.
 */
class RequestsOfBrowsersTests {

	private final HttpRequests requests = HttpRequests
		.of((routes) -> routes.post("/v1/echo", Access.WRITE, (call) -> HttpResult.ok("found", call.bodyIfAny().size()))
			.delete("/v1/echo", Access.WRITE, (call) -> HttpResult.ok("found", 0)));

	@Test
	void bodyHasToSayThatItIsJson() {
		assertThat(status("{\"a\":1}", Map.of())).isEqualTo(415);
		assertThat(status("{\"a\":1}", Map.of("OJS-Version", "1.0"))).isEqualTo(415);
		assertThat(status("{\"a\":1}", Map.of("Content-Type", "text/plain"))).isEqualTo(415);
		assertThat(status("{\"a\":1}", Map.of("Content-Type", "application/openjobspec+json"))).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "Origin,https://elsewhere.example", "Origin,null", "Sec-Fetch-Site,cross-site",
			"Sec-Fetch-Site,same-site" })
	void postWithoutABodyNeedsAHeaderThatAFormCannotSend(String header, String value) {
		assertThat(status(null, Map.of(header, value))).isEqualTo(415);
		assertThat(status("", Map.of(header, value))).isEqualTo(415);
		assertThat(status(null, Map.of(header, value, "Accept", "application/openjobspec+json"))).isEqualTo(415);
		assertThat(status(null, Map.of(header, value, "Content-Type", "application/json"))).isEqualTo(200);
		assertThat(status(null, Map.of(header, value, "OJS-Version", "1.0"))).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "same-origin", "none" })
	void pagesOfTheSameSiteMayPost(String site) {
		assertThat(status(null, Map.of("Sec-Fetch-Site", site, "Origin", "https://here.example"))).isEqualTo(200);
	}

	@Test
	void programsNeedNothingWithoutABody() {
		assertThat(status(null, Map.of())).isEqualTo(200);
	}

	@Test
	void otherMethodsAreNoSimpleRequests() {
		assertThat(this.requests.send("DELETE", "/ojs/v1/echo", null, Map.of("Origin", "https://elsewhere.example"))
			.getStatus()).isEqualTo(200);
	}

	/** Spring's HiddenHttpMethodFilter makes a DELETE of a form. */
	@Test
	void formThatAFilterMadeADeleteOfIsRefused() {
		Map<String, String> form = Map.of("Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Mode",
				"navigate", "Sec-Fetch-Site", "cross-site");
		assertThat(this.requests.send("DELETE", "/ojs/v1/echo", "", form).getStatus()).isEqualTo(415);
	}

	@Test
	void answersStayWithinTheOrigin() {
		MockHttpServletResponse response = this.requests.send("POST", "/ojs/v1/echo", null, Map.of());
		assertThat(response.getHeader("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
		assertThat(response.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
	}

	private int status(@Nullable String body, Map<String, String> headers) {
		return this.requests.send("POST", "/ojs/v1/echo", body, headers).getStatus();
	}

}
