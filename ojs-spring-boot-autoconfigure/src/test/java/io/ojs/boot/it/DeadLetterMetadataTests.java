package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a dead letter tells of the job that it was: what failed, where in the code, how
 * often, since when, and where the job came from.
 */
class DeadLetterMetadataTests extends BrokerTest {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	@Test
	@Tag("PLAY-5-2")
	void deadLetterTellsWhatFailedWhereHowOftenAndSinceWhen() {
		Instant before = Instant.now();
		Map<String, String> dead = dead(JobRequest.of("fail.always", "first"));
		assertThat(dead).containsEntry("x-ojs-attempt", "3")
			.containsEntry("x-ojs-error-type", "java.lang.IllegalStateException")
			.containsEntry("x-ojs-error-code", "HANDLER_ERROR")
			.containsEntry("x-ojs-error-message", "first failed at attempt 3")
			.containsEntry("x-ojs-error-routing-key", "failing");
		assertThat(dead.get("x-ojs-error-stack-hash")).matches("[0-9a-f]{16}");
		Instant first = time(dead, "x-ojs-error-first-at");
		Instant last = time(dead, "x-ojs-error-at");
		assertThat(first).isBetween(before.minusMillis(1), last.minusMillis(600));
		assertThat(last).isBeforeOrEqualTo(Instant.now());
	}

	private static Instant time(Map<String, String> headers, String name) {
		return OffsetDateTime.parse(headers.get(name)).toInstant();
	}

	@Test
	void sameFaultHashesAlikeInAnotherRunAndAnotherFaultDoesNot() {
		String hash = dead(JobRequest.of("fail.always", "first")).get("x-ojs-error-stack-hash");
		assertThat(dead(JobRequest.of("fail.always", "second"))).containsEntry("x-ojs-error-stack-hash", hash);
		assertThat(dead(JobRequest.of("fail.otherwise"))).doesNotContainEntry("x-ojs-error-stack-hash", hash)
			.containsKey("x-ojs-error-stack-hash");
	}

	private Map<String, String> dead(JobRequest request) {
		try (Application application = application(Failing.class).start()) {
			Job job = application.ojs().enqueue(request);
			await().until(() -> application.events(job.id()).contains("job.dead_lettered"));
			return RawClient.headers(client().take("ojs.queue.dlx.failing"));
		}
	}

	@Test
	void jobThatWasDueLaterHasTheRoutingKeyOfItsQueue() {
		assertThat(dead(JobRequest.of("fail.always", "late").scheduledAt(Instant.now().plusSeconds(2))))
			.containsEntry("x-ojs-error-routing-key", "failing");
	}

	@Test
	void jobOfAForeignExchangeHasTheRoutingKeyThatItCameWith() throws Exception {
		try (Application application = application(Failing.class).property("ojs.queues.failing.retry.max-attempts", 1)
			.start()) {
			client().channel().exchangeDeclare("orders", "topic");
			client().channel().queueBind("ojs.queue.failing", "orders", "order.#");
			client().channel()
				.basicPublish("orders", "order.eu.17", RawClient.properties(ID, "fail.always").build(),
						RawClient.envelope(ID, "fail.always", "failing", "[\"foreign\"]"));
			assertThat(RawClient.headers(client().take("ojs.queue.dlx.failing")))
				.containsEntry("x-ojs-error-routing-key", "order.eu.17")
				.containsEntry("x-ojs-attempt", "1");
			await().until(() -> application.events(ID).contains("job.dead_lettered"));
		}
	}

	@Test
	@Tag("AMQP-018")
	void retryTellsTheLastErrorAndWhenTheFirstWasAndNothingElse() {
		try (Application application = application(Failing.class)
			.property("ojs.queues.failing.retry.initial-interval", "5m")
			.start()) {
			client().publishJob("failing", ID, "fail.always", "[\"once\"]");
			await().until(() -> application.events(ID).contains("job.retrying"));
		}
		Map<String, String> headers = RawClient.headers(client().take("ojs.queue.retry.failing.384000"));
		headers.keySet().removeIf((name) -> !name.startsWith("x-ojs-"));
		assertThat(headers).containsEntry("x-ojs-attempt", "2");
		assertThat(headers).containsOnlyKeys("x-ojs-attempt", "x-ojs-error-code", "x-ojs-error-message",
				"x-ojs-error-first-at");
	}

	@Test
	void whatAProducerClaimsOfErrorsIsNotTakenForTrueAndDoesNoHarm() {
		Map<String, Object> hostile = new HashMap<>();
		for (String name : new String[] { "error-type", "error-code", "error-message", "error-stack-hash",
				"error-routing-key", "error-first-at", "error-at" }) {
			hostile.put("x-ojs-" + name, (name.length() % 2 == 0) ? new byte[] { 0, -1 } : Map.of("nested", 1));
		}
		hostile.put("x-ojs-error-first-at", "1970-01-01T00:00:00Z");
		BasicProperties properties = RawClient.properties(ID, "fail.always").headers(hostile).build();
		Instant before = Instant.now();
		try (Application application = application(Failing.class).start()) {
			client().publish("failing", properties, RawClient.envelope(ID, "fail.always", "failing", "[\"x\"]"));
			client().publish("failing", properties, "no job".getBytes(StandardCharsets.UTF_8));
			for (int i = 0; i < 2; i++) {
				Map<String, String> dead = RawClient.headers(client().take("ojs.queue.dlx.failing"));
				assertThat(dead.get("x-ojs-error-type")).startsWith((i == 0) ? "io.ojs.job." : "java.lang.");
				assertThat(dead.get("x-ojs-error-stack-hash")).matches("[0-9a-f]{16}");
				assertThat(dead).containsEntry("x-ojs-error-routing-key", "failing")
					.containsEntry("x-ojs-attempt", (i == 0) ? "1" : "3");
				assertThat(time(dead, "x-ojs-error-first-at")).isAfter(before.minusMillis(1))
					.isBeforeOrEqualTo(time(dead, "x-ojs-error-at"));
			}
			assertThat(application.events(ID)).contains("job.retrying");
		}
	}

	static class Failing {

		@OjsJobHandler(value = "fail.always", queue = "failing")
		void fail(String name, JobContext context) {
			throw new IllegalStateException(name + " failed at attempt " + context.attempt());
		}

		@OjsJobHandler(value = "fail.otherwise", queue = "failing")
		void failOtherwise() {
			throw new IllegalStateException("otherwise");
		}

	}

}
