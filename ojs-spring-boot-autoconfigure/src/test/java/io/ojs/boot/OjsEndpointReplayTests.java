package io.ojs.boot;

import java.util.HashMap;
import java.util.Map;

import io.ojs.boot.internal.actuate.OjsEndpoint;
import io.ojs.boot.internal.actuate.ReplayOperation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A replay that {@code /actuator/ojs} is asked for.
 */
class OjsEndpointReplayTests {

	@Test
	void eachParameterReachesTheReplay() {
		Map<String, @Nullable String> asked = new HashMap<>();
		OjsEndpoint endpoint = new OjsEndpoint(null, (parameters) -> {
			asked.putAll(parameters);
			return new ReplayOperation.Answer(409, Map.of("error", "no"));
		});
		WebEndpointResponse<Map<String, Object>> answer = endpoint.replay("queue", "id", "type", "errorType",
				"errorCode", "stackHash", "tenant", "deadSince", "deadBefore", "dryRun", "max", "rate", "toQueue",
				"priority", "maxAttempts");
		assertThat(asked).hasSize(15).allSatisfy((name, value) -> assertThat(value).isEqualTo(name));
		assertThat(answer.getStatus()).isEqualTo(409);
		assertThat(answer.getBody()).isEqualTo(Map.of("error", "no"));
	}

}
