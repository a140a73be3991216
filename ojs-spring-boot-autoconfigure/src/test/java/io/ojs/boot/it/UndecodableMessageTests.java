package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.handler.OjsJobHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Messages that are no jobs: each ends in the dead letter queue with a reason, unchanged,
 * and the worker goes on.
 */
class UndecodableMessageTests extends BrokerTest {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private static final String GOOD = "019461a8-1a2b-7c3d-8e4f-000000000001";

	@Test
	@Tag("PLAY-8-5")
	void messagesThatAreNoJobsAreDeadLetteredWithAReasonAndTheGoodOnesBetweenThemRun() {
		List<BadMessage> badMessages = badMessages();
		try (Application application = application(Numbers.class).property("ojs.queues.numbers.concurrency", 1)
			.start()) {
			for (int i = 0; i < badMessages.size(); i++) {
				client().publish("numbers", badMessages.get(i).properties(), badMessages.get(i).body());
				client().publishJob("numbers", "019461a8-1a2b-7c3d-8e4f-%012d".formatted(i), "number.add",
						"[%d]".formatted(i));
			}
			await().untilAsserted(() -> assertThat(application.bean(Numbers.class).added)
				.containsExactlyElementsOf(IntStream.range(0, badMessages.size()).boxed().toList()));
		}
		assertThat(client().count("ojs.queue.numbers")).isZero();
		List<GetResponse> dead = client().drain("ojs.queue.dlx.numbers");
		assertThat(dead).hasSameSizeAs(badMessages);
		for (int i = 0; i < dead.size(); i++) {
			BadMessage bad = badMessages.get(i);
			assertThat(dead.get(i).getBody()).as(bad.name()).isEqualTo(bad.body());
			Map<String, String> headers = RawClient.headers(dead.get(i));
			assertThat(headers).as(bad.name()).containsEntry("x-ojs-error-code", bad.code());
			assertThat(headers.get("x-ojs-error-message")).as(bad.name()).contains(bad.reason());
		}
	}

	@Test
	void jobThatIsTooLargeToBeReceivedIsADeadLetterThatNamesTheProperty() {
		try (Application application = application(Numbers.class).property("ojs.max-envelope-size", "1KB")
			.property("ojs.max-received-size", "3KB")
			.start()) {
			client().publishJob("numbers", ID, "number.add", "[1%s]".formatted(" ".repeat(3 * 1024)));
			client().publishJob("numbers", GOOD, "number.add", "[2%s]".formatted(" ".repeat(2 * 1024)));
			await().untilAsserted(() -> assertThat(application.bean(Numbers.class).added).containsExactly(2));
			GetResponse dead = client().take("ojs.queue.dlx.numbers");
			assertThat(dead.getProps().getMessageId()).isEqualTo(ID);
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-error-code", "INVALID_PAYLOAD");
			assertThat(RawClient.headers(dead).get("x-ojs-error-message")).contains("more than 3072",
					"raise ojs.max-received-size");
		}
	}

	static List<BadMessage> badMessages() {
		byte[] good = RawClient.envelope(ID, "number.add", "numbers", "[1]");
		BasicProperties properties = RawClient.properties(ID, "number.add").build();
		return Stream
			.of(new BadMessage("not JSON", properties, utf8("{\"id\":"), "INVALID_PAYLOAD", "not JSON"),
					new BadMessage("empty", properties, new byte[0], "INVALID_PAYLOAD", "not JSON"),
					new BadMessage("not UTF-8", properties, new byte[] { '{', '"', (byte) 0xC3, (byte) 0x28, '"', '}' },
							"INVALID_PAYLOAD", "not UTF-8"),
					new BadMessage("not an object", properties, utf8("[1]"), "INVALID_PAYLOAD", "not an object"),
					new BadMessage("args no array", properties, RawClient.envelope(ID, "number.add", "numbers", "{}"),
							"INVALID_PAYLOAD", "'args' must be an array"),
					new BadMessage("id no UUIDv7", RawClient.properties("17", "number.add").build(),
							RawClient.envelope("17", "number.add", "numbers", "[1]"), "INVALID_PAYLOAD", "'id'"),
					new BadMessage("unknown type", RawClient.properties(ID, "number.divide").build(),
							RawClient.envelope(ID, "number.divide", "numbers", "[1]"), "INVALID_JOB_TYPE",
							"@OjsJobHandler(\"number.divide\")"),
					new BadMessage("contradicts itself", RawClient.properties(GOOD, "number.add").build(), good,
							"INVALID_PAYLOAD", "message_id"),
					new BadMessage("wrong content type", properties.builder().contentType("text/plain").build(), good,
							"INVALID_PAYLOAD", "content_type is 'text/plain'"),
					new BadMessage("no content type", properties.builder().contentType(null).build(), good,
							"INVALID_PAYLOAD", "content_type is missing"),
					new BadMessage("negative attempt",
							properties.builder().headers(Map.of("x-ojs-attempt", -1)).build(), good, "INVALID_PAYLOAD",
							"x-ojs-attempt"),
					new BadMessage("looks like a batch",
							properties.builder()
								.contentType("a")
								.headers(Map.of("springBatchFormat", "lengthHeader4"))
								.build(),
							good, "INVALID_PAYLOAD", "content_type"),
					new BadMessage("wrong argument", properties,
							RawClient.envelope(ID, "number.add", "numbers", "[\"seven\"]"), "INVALID_ARGS",
							"Parameter 'number' of Numbers.add(int number)"),
					new BadMessage("too few arguments", properties,
							RawClient.envelope(ID, "number.add", "numbers", "[]"), "INVALID_ARGS",
							"takes 1 argument, but 'args' has 0"),
					new BadMessage("retry policy that cannot be", properties,
							utf8("{\"id\":\"%s\",\"type\":\"number.add\",\"args\":[1],\"retry\":{\"max_attempts\":-1}}"
								.formatted(ID)),
							"INVALID_PAYLOAD", "retry.max_attempts"))
			.toList();
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * A message that is no job.
	 *
	 * @param name what is wrong with it
	 * @param properties its properties
	 * @param body its body
	 * @param code the code that it must be dead-lettered with
	 * @param reason what the reason must say
	 */
	record BadMessage(String name, BasicProperties properties, byte[] body, String code, String reason) {
	}

	static class Numbers {

		private final BlockingQueue<Integer> added = new LinkedBlockingQueue<>();

		@OjsJobHandler(value = "number.add", queue = "numbers")
		void add(int number) {
			this.added.add(number);
		}

	}

}
