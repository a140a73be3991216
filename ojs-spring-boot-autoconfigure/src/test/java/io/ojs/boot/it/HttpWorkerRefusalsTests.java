package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import io.ojs.boot.it.RawHttp.Reply;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests of workers, and others, that are refused. None of them changes anything, so
 * that one application is enough for all.
 */
@Tag("broker")
@Tag("java-versions")
@TestInstance(Lifecycle.PER_CLASS)
class HttpWorkerRefusalsTests {

	private static final Map<String, Object> NACK = Map.of("job_id", "nonsense", "error",
			Map.of("code", "handler_error", "message", "no luck", "details", Map.of("error_class", "NetError")));

	private final JsonMapper json = JsonMapper.shared();

	private VirtualHost virtualHost;

	private Application application;

	@BeforeAll
	void start() {
		this.virtualHost = RabbitBroker.shared().newVirtualHost();
		this.application = Application.on(this.virtualHost.uri())
			.database("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID()), "sa", "")
			.http()
			.start();
	}

	@AfterAll
	void stop() {
		if (this.application != null) {
			this.application.close();
		}
		this.virtualHost.close();
	}

	private JsonNode post(int status, String path, Object body) {
		return read(status, this.application.post("/ojs/v1" + path, this.json.writeValueAsString(body)));
	}

	private JsonNode get(int status, String path) {
		return read(status, this.application.get("/ojs/v1" + path));
	}

	private JsonNode read(int status, HttpResponse<String> answer) {
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		return this.json.readTree(answer.body());
	}

	@Test
	void whatIsWrongIsNamed() {
		assertThat(post(400, "/workers/fetch", Map.of()).at("/error/details/field").asString()).isEqualTo("queues");
		assertThat(post(400, "/workers/fetch", Map.of("queues", new String[] { "a" }, "count", 0))
			.at("/error/details/field")
			.asString()).isEqualTo("count");
		assertThat(post(400, "/workers/fetch", Map.of("queues", new String[] { "Not a queue" })).get("error"))
			.isNotNull();
		assertThat(
				post(400, "/workers/heartbeat", Map.of("worker_id", "w", "state", "asleep")).at("/error/details/field")
					.asString())
			.isEqualTo("state");
		assertThat(post(400, "/workers/ack", Map.of()).at("/error/details/field").asString()).isEqualTo("job_id");
		post(404, "/workers/ack", Map.of("job_id", "01962222-bbbb-7ccc-8ddd-eeeeeeeeeeee"));
		post(404, "/workers/nack", NACK);
		get(404, "/workers/nobody/health");
	}

	@ParameterizedTest
	@CsvSource({ "fetch,queues", "fetch,count", "fetch,worker_id", "heartbeat,worker_id", "heartbeat,active_jobs",
			"heartbeat,queues", "heartbeat,hostname" })
	void whatIsTooMuchIsRefused(String call, String field) {
		Map<String, Object> body = new HashMap<>(Map.of("queues", List.of("a"), "worker_id", "w"));
		body.put(field, switch (field) {
			case "queues" ->
				IntStream.rangeClosed(0, call.equals("fetch") ? 100 : 1000).mapToObj((i) -> "q" + i).toList();
			case "active_jobs" -> IntStream.rangeClosed(0, 10_000).mapToObj(Integer::toString).toList();
			case "count" -> 101;
			case "worker_id" -> "w".repeat(129);
			default -> "h".repeat(4096);
		});
		assertThat(post(400, "/workers/" + call, body).at("/error/details/field").asString()).isEqualTo(field);
	}

	/** Both are looked at before anything of this library is. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "GET /ojs/v1/queues?limit=%zz| |0|400|query", "GET /ojs/v1/queues?limit=%ed%a0%80| |0|400|query",
					"POST /ojs/v1/jobs|multipart/form-data|2|415|Content-Type",
					"POST /ojs/v1/jobs|multipart/form-data; boundary=x|2|415|Content-Type",
					"DELETE /ojs/v1/queues/a|application/x-www-form-urlencoded|16|415|Content-Type",
					"POST /ojs/v1/jobs|application/json|10485761|413|" })
	void whatTheContainerReadsDifferentlyIsRefusedToo(String line, @Nullable String contentType, int length, int status,
			@Nullable String field) {
		String request = "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".formatted(line);
		if (contentType != null) {
			request += "Content-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n".formatted(contentType,
					length, "strategy=discard".repeat(length / 16 + 1).substring(0, length));
		}
		Reply reply = new RawHttp(this.application.port()).send((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
		assertThat(reply.status()).as(reply.text()).isEqualTo(status);
		JsonNode error = this.json.readTree(reply.body()).get("error");
		assertThat(error.get("request_id").asString()).isEqualTo(reply.header("X-Request-Id"));
		assertThat(error.at("/details/field").asString("")).isEqualTo((field != null) ? field : "");
	}

}
