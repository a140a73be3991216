package io.ojs.boot.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.handler.OjsJobHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whatever comes from outside, a line of the log begins where this library begins one,
 * and shows visible characters only.
 */
@ExtendWith(OutputCaptureExtension.class)
class HostileLogTests extends BrokerTest {

	/** A line of its own, a colour, a direction, and other ends of lines. */
	private static final String EVIL = "x\r\nFORGED\u001b[31m\u202e\u0085FORGED\u2028FORGED\u0007";

	private static final String ID = "019461a8-0bad-7000-8000-%012x";

	@Test
	void nothingFromOutsideReachesTheLogAsItCame(CapturedOutput output) throws Exception {
		try (Application application = application(Evil.class)
			.database("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()), "sa", "")
			.managed()
			.property("ojs.http.enabled", true)
			.property("ojs.http.allow-anonymous", true)
			.property("ojs.queues.input.retry.max-attempts", 1)
			.property("logging.level.io.ojs", "TRACE")
			.property("spring.output.ansi.enabled", "never")
			.start()) {
			overAmqp();
			overHttp(application);
			await().until(() -> Evil.ran.get() >= 2);
			await().until(() -> client().count("ojs.queue.input") == 0 && client().count("ojs.queue.dlx.input") == 0);
			await().until(() -> output.toString().contains("Its type is"));
			await().until(() -> output.toString().contains("among the dead letters of queue"));
		}
		// Only what an end of a line is to a terminal or a log shipper.
		assertThat(output.toString().split("[\\r\\n\\u0085\\u2028\\u2029]"))
			.noneMatch((line) -> line.startsWith("FORGED"));
		assertThat(output.toString()).contains("FORGED")
			.doesNotContain("\u001b", "\u202e", "\u0007", "\u0085", "\u2028");
	}

	private void overAmqp() throws IOException {
		List<BasicProperties> properties = List.of(properties(1).contentType(EVIL).build(),
				properties(2).contentEncoding(EVIL).build(), properties(3).messageId(EVIL).build(),
				properties(4).type(EVIL).build(), properties(5).headers(Map.of("x-ojs-attempt", EVIL)).build(),
				properties(6).headers(Map.of("x-ojs-max-attempts", EVIL)).build());
		for (int i = 0; i < properties.size(); i++) {
			publish("input", properties.get(i), RawClient.envelope(id(i + 1), "any.take", "input", "[1]"));
		}
		String evil = "\"x\\r\\nFORGED\\u001b[31m\\u202e\\u0085FORGED\\u2028FORGED\\u0007\"";
		List<String> bodies = List.of("{%s:1,%s:2}".formatted(evil, evil), "{\"id\":%s}".formatted(evil), EVIL,
				"{\"a\":" + EVIL + "}", envelope(10, "\"any.take\"", "\"priority\":" + evil),
				envelope(11, evil, "\"meta\":{}"), envelope(12, "\"any.take\"", "\"retry\":{%s:1}".formatted(evil)),
				envelope(13, "\"any.take\"", "\"created_at\":" + evil),
				envelope(14, "\"number.take\"", "\"meta\":{%s:%s}".formatted(evil, evil)).replace("[1]",
						"[%s]".formatted(evil)));
		for (String body : bodies) {
			publish("input", RawClient.properties(null, null).build(), body.getBytes(StandardCharsets.UTF_8));
		}
		publish("input", properties(20).type("any.take").build(),
				RawClient.envelope(id(20), "any.take", "input", "[1]"));
		publish("input", properties(21).type("any.caused").build(),
				RawClient.envelope(id(21), "any.caused", "input", "[1]"));
		// Among dead letters, and among requests.
		client().channel()
			.basicPublish("", "ojs.queue.dlx.input", properties(30).messageId(EVIL).build(), EVIL.getBytes());
		publish("ojs.queue.control.input", new BasicProperties.Builder().type(EVIL).build(), "{}".getBytes());
		publish("ojs.queue.control.input",
				new BasicProperties.Builder().type("ojs.control.info").replyTo("ojs.queue.input" + EVIL).build(),
				"{\"job_id\":%s}".formatted(evil).getBytes());
	}

	private void overHttp(Application application) {
		String evil = "\"x\\r\\nFORGED\\u001b[31m\\u202e\\u0085FORGED\\u2028FORGED\\u0007\"";
		for (String body : List.of("{%s:1}".formatted(evil), "{\"type\":%s,\"args\":[]}".formatted(evil), EVIL,
				"{\"type\":\"a.b\",\"args\":[],\"options\":{\"queue\":%s}}".formatted(evil))) {
			application.post("/ojs/v1/jobs", body);
		}
		application.get("/ojs/v1/jobs/x%0D%0AFORGED%1B%5B31m");
		application.get("/ojs/v1/events?after=x%0D%0AFORGED%1B%5B31m");
	}

	private static String envelope(int number, String type, String more) {
		return "{\"specversion\":\"1.0\",\"id\":\"%s\",\"type\":%s,\"queue\":\"input\",\"args\":[1],%s}"
			.formatted(id(number), type, more);
	}

	private static String id(int number) {
		return ID.formatted(number);
	}

	private static BasicProperties.Builder properties(int number) {
		return RawClient.properties(id(number), "any.take");
	}

	private void publish(String key, BasicProperties properties, byte[] body) throws IOException {
		client().channel().basicPublish("ojs.exchange.direct", key, properties, body);
	}

	static class Evil {

		static final AtomicInteger ran = new AtomicInteger();

		@OjsJobHandler(value = "any.take", queue = "input")
		void any(int number) {
			ran.incrementAndGet();
			throw new IllegalStateException(EVIL);
		}

		@OjsJobHandler(value = "any.caused", queue = "input")
		void caused(int number) {
			ran.incrementAndGet();
			throw new IllegalStateException("fine", new RuntimeException("fine, too", new RuntimeException(EVIL)));
		}

		@OjsJobHandler(value = "number.take", queue = "input")
		void number(int number) {
			throw new IllegalStateException("not called");
		}

	}

}
