package io.ojs.web.internal.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.JobStore;
import io.ojs.web.Access;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Health and manifest, which need no authentication.
 */
class SystemEndpointsTests {

	private static final SystemEndpoints.Backend HEALTHY = SystemEndpoints.Backend
		.of(Doubles.of(JobStore.class, (method, arguments) -> Optional.empty()));

	private static final SystemEndpoints.Backend DOWN = SystemEndpoints.Backend
		.of(Doubles.of(JobStore.class, (method, arguments) -> {
			throw new StoreUnavailableException("FATAL: no route to 10.0.0.7", null);
		}));

	@ParameterizedTest
	@ValueSource(strings = { "/ojs/v1/health", "/health", "/ready" })
	void healthIsThatOfTheBackend(String path) {
		MockHttpServletResponse healthy = get(new SystemEndpoints(HEALTHY, true, true, true, HttpRequests.CLOCK), path);
		assertThat(healthy.getStatus()).isEqualTo(200);
		assertThat(HttpRequests.body(healthy)).containsEntry("status", "ok");
		MockHttpServletResponse down = get(new SystemEndpoints(DOWN, true, true, true, HttpRequests.CLOCK), path);
		assertThat(down.getStatus()).isEqualTo(503);
		assertThat(HttpRequests.body(down)).containsEntry("status", "degraded");
		assertThat(HttpRequests.text(down)).doesNotContain("FATAL", "10.0.0.7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/health", "/ready" })
	void rootPathsAreServedOnlyIfEnabled(String path) {
		assertThat(get(new SystemEndpoints(HEALTHY, false, true, true, HttpRequests.CLOCK), path).getStatus())
			.isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource({ "true, 200", "false, 503" })
	void withoutAStoreTheBrokerIsTheBackend(boolean reachable, int status) {
		SystemEndpoints endpoints = new SystemEndpoints(SystemEndpoints.Backend.ofBroker(() -> reachable), false, false,
				false, HttpRequests.CLOCK);
		MockHttpServletResponse health = get(endpoints, "/ojs/v1/health");
		assertThat(health.getStatus()).isEqualTo(status);
		assertThat(HttpRequests.text(health)).contains("\"type\":\"amqp\"");
		assertThat(HttpRequests.body(get(endpoints, "/ojs/manifest"))).containsEntry("conformance_level", 0)
			.containsEntry("protocols", List.of("amqp"))
			.containsEntry("backend", "amqp");
	}

	/** Level 2 has crons, level 3 workflows. */
	@ParameterizedTest
	@CsvSource({ "false, false, 1", "false, true, 1", "true, false, 2", "true, true, 9" })
	void levelOfTheManifestIsLimitedByTheFeaturesThatAreEnabled(boolean crons, boolean workflows, int most)
			throws IOException {
		Map<String, @Nullable Object> manifest = HttpRequests
			.body(get(new SystemEndpoints(HEALTHY, false, crons, workflows, HttpRequests.CLOCK), "/ojs/manifest"));
		assertThat(manifest).containsEntry("conformance_level", Math.min(most, passed()));
		Map<?, ?> capabilities = (Map<?, ?>) manifest.get("capabilities");
		assertThat(capabilities.get("cron")).isEqualTo(crons);
		assertThat(capabilities.get("workflows")).isEqualTo(workflows);
	}

	private static int passed() throws IOException {
		try (InputStream level = Objects
			.requireNonNull(SystemEndpoints.class.getResourceAsStream("/io/ojs/web/conformance-level"))) {
			return Integer.parseInt(new String(level.readAllBytes(), StandardCharsets.UTF_8).strip());
		}
	}

	private static MockHttpServletResponse get(SystemEndpoints endpoints, String path) {
		return HttpRequests.of(endpoints, (access, request) -> {
			throw new AssertionError("%s is asked for, and not %s".formatted(access, Access.PUBLIC));
		}).get(path, Map.of());
	}

}
