package io.ojs.web.internal;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.ojs.web.Access;
import io.ojs.web.AccessControl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many requests are answered, how many bodies are in memory, and what no body may
 * have.
 */
class RequestLimitsTests {

	private static final AccessControl KEY = (access, request) -> (request.getHeader("X-Key") != null)
			? AccessControl.Decision.ALLOWED : AccessControl.Decision.UNKNOWN;

	private static final Map<String, String> KNOWN = Map.of("X-Key", "k", "Content-Type", HttpRequests.JSON);

	@Test
	void strangersDoNotUseUpWhatKnownCallersHave() {
		HttpRequests requests = new HttpRequests(
				(routes) -> routes.get("/v1/read", Access.READ, (call) -> HttpResult.ok(Map.of()))
					.get("/v1/open", Access.PUBLIC, (call) -> HttpResult.ok(Map.of())),
				KEY, new HttpOptions(1000, 1000, 3, false, HttpOptions.ALL_THERE));
		for (int i = 0; i < 3; i++) {
			assertThat(requests.send("GET", "/ojs/v1/read", null, Map.of()).getStatus()).isEqualTo(401);
		}
		for (String path : new String[] { "/ojs/v1/read", "/ojs/v1/open", "/ojs/v1/nothing" }) {
			assertThat(requests.send("GET", path, null, Map.of()).getStatus()).isEqualTo(429);
		}
		for (int i = 0; i < 3; i++) {
			assertThat(requests.send("GET", "/ojs/v1/read", null, KNOWN).getStatus()).isEqualTo(200);
		}
		assertThat(requests.send("GET", "/ojs/v1/read", null, KNOWN).getStatus()).isEqualTo(429);
	}

	@Test
	void strangersDoNotUseUpWhatWatchesOverTheProcess() {
		HttpRequests requests = new HttpRequests(
				(routes) -> routes.get("/v1/read", Access.READ, (call) -> HttpResult.ok(Map.of()))
					.uncounted()
					.get("/v1/health", Access.PUBLIC, (call) -> HttpResult.ok(Map.of()))
					.getAtRoot("/ready", Access.PUBLIC, (call) -> HttpResult.ok(Map.of())),
				KEY, new HttpOptions(1000, 1000, 3, false, HttpOptions.ALL_THERE));
		for (int i = 0; i < 4; i++) {
			requests.send("GET", "/ojs/v1/read", null, Map.of());
		}
		assertThat(requests.send("GET", "/ojs/v1/read", null, Map.of()).getStatus()).isEqualTo(429);
		for (int i = 0; i < 9; i++) {
			assertThat(requests.send("GET", "/ojs/v1/health", null, Map.of()).getStatus()).isEqualTo(200);
			assertThat(requests.send("GET", "/ready", null, Map.of()).getStatus()).isEqualTo(200);
		}
	}

	@Test
	void bodiesAreInMemoryAsFarAsTheyFit() {
		AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {
		});
		HttpRequests requests = new HttpRequests((routes) -> routes.post("/v1/work", Access.WRITE, (call) -> {
			Runnable once = meanwhile.getAndSet(() -> {
			});
			once.run();
			return HttpResult.ok(Map.of());
		}), KEY, new HttpOptions(100_000, 150_000, 0, false, HttpOptions.ALL_THERE));
		String large = "{\"a\":\"" + "x".repeat(90_000) + "\"}";
		meanwhile.set(() -> {
			MockHttpServletResponse second = requests.send("POST", "/ojs/v1/work", large, KNOWN);
			assertThat(second.getStatus()).isEqualTo(429);
			assertThat(second.getHeader("Retry-After")).isEqualTo("1");
			assertThat(requests.send("POST", "/ojs/v1/work", "{}", KNOWN).getStatus()).isEqualTo(200);
		});
		assertThat(requests.send("POST", "/ojs/v1/work", large, KNOWN).getStatus()).isEqualTo(200);
		assertThat(requests.send("POST", "/ojs/v1/work", large, KNOWN).getStatus()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"a":["x",{"b":"x\\u0000y"}]} | a[1].b
			{"a":{"\\u0000":1}}           | a
			{"\\u0000":1}                 | ''
			""")
	void nulIsRefusedWhereverItStands(String body, String field) {
		HttpRequests requests = HttpRequests
			.of((routes) -> routes.post("/v1/work", Access.WRITE, (call) -> HttpResult.ok("body", call.body())));
		MockHttpServletResponse response = requests.post("/ojs/v1/work", body);
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.error(response).get("code")).isEqualTo("invalid_request");
		assertThat(((Map<?, ?>) HttpRequests.error(response).get("details")).get("field")).isEqualTo(field);
		assertThat(requests.post("/ojs/v1/work", "{\"a\":\"\\\\u0000\",\"b\":\"u0000\"}").getStatus()).isEqualTo(200);
	}

}
