package io.ojs.web.internal.queue;

import java.util.Map;

import io.ojs.web.internal.HttpRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks before a queue is created or deleted. A deletion needs a strategy for its jobs.
 */
class QueueEndpointsTests {

	/** A request that passes the checks fails with 500: there are no queues. */
	private final HttpRequests requests = HttpRequests.of(new QueueEndpoints(null, null));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{}                                                   | strategy
			{"strategy":"drop"}                                  | strategy
			{"strategy":true}                                    | strategy
			{"strategy":"move"}                                  | target_queue
			{"strategy":"reject","force":true}                   | force
			""")
	void deletionNeedsAValidStrategy(String body, String field) {
		refused(this.requests.send("DELETE", "/ojs/v1/queues/mail", body, Map.of("Content-Type", HttpRequests.JSON)),
				field);
	}

	@Test
	void deletionWithoutABodyTakesParameters() {
		refused(delete(Map.of()), "strategy");
		refused(delete(Map.of("strategy", "drop")), "strategy");
		refused(delete(Map.of("strategy", "move")), "target_queue");
		assertThat(delete(Map.of("strategy", "move", "target_queue", "other")).getStatus()).isEqualTo(500);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{}                              | name
			{"name":7}                      | name
			{"name":"mail","config":[]}     | config
			{"name":"mail","max_size":5}    | max_size
			""")
	void invalidFieldOfANewQueueIsNamed(String body, String field) {
		refused(this.requests.post("/ojs/v1/queues", body), field);
	}

	private MockHttpServletResponse delete(Map<String, String> parameters) {
		MockHttpServletRequest request = new MockHttpServletRequest("DELETE", "/ojs/v1/queues/mail");
		parameters.forEach(request::addParameter);
		return this.requests.send(request);
	}

	private static void refused(MockHttpServletResponse response, String field) {
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
	}

}
