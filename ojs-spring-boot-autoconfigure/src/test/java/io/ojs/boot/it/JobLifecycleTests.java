package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.event.JobEvent;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.OjsRetry;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.retry.OnExhaustion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A job's way: done, tried again, given up.
 */
@Tag("java-versions")
class JobLifecycleTests extends BrokerTest {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	@Test
	@Tag("PLAY-3-1")
	@Tag("PLAY-8-3")
	void jobThatSucceedsIsAckedOnceItsHandlerReturned() {
		try (Application application = application(Mails.class).start()) {
			Job job = application.ojs().enqueue("email.send", "user@example.com", new Template("welcome", 2));
			await().untilAsserted(() -> assertThat(application.events(job.id()))
				.containsExactlyInAnyOrder("job.enqueued", "job.started", "job.completed")
				.containsSubsequence("job.started", "job.completed"));
			assertThat(application.bean(Mails.class).sent).containsExactly("user@example.com welcome 2 attempt 1 of 3");
			assertThat(completed(application).result()).isEqualTo("sent");
		}
		// The consumers are gone: what was not acked would be ready again.
		assertThat(client().count("ojs.queue.email")).isZero();
		assertThat(client().count("ojs.queue.dlx.email")).isZero();
	}

	private static JobEvent.Completed completed(Application application) {
		return application.events()
			.stream()
			.filter(JobEvent.Completed.class::isInstance)
			.map(JobEvent.Completed.class::cast)
			.findFirst()
			.orElseThrow();
	}

	@Test
	@Tag("PLAY-3-2")
	@Tag("PLAY-8-6")
	void jobThatFailsReturnsAfterItsDelayWithTheNextAttemptAndTheErrorAndAllElseUnchanged() throws Exception {
		BasicProperties original = exoticProperties();
		byte[] body = ("{\"id\":\"%s\",\"type\":\"fail.always\",\"queue\":\"failing\",\"args\":[],"
				+ "\"x_vendor\":{\"kept\":1.50}}")
			.formatted(ID)
			.getBytes(StandardCharsets.UTF_8);
		GetResponse returned;
		try (Application application = application(Failing.class)
			.property("ojs.queues.failing.retry.initial-interval", "700ms")
			.property("ojs.queues.failing.concurrency", 1)
			.property("ojs.queues.failing.prefetch", 1)
			.start()) {
			long published = System.nanoTime();
			client().publish("failing", original, body);
			// Keeps the only consumer busy when the job is back.
			Job busy = application.ojs().enqueue("fail.never");
			await().until(() -> application.events(busy.id()).contains("job.started"));
			assertThat(application.events(ID)).contains("job.retrying");
			returned = client().take("ojs.queue.failing");
			assertThat(Duration.ofNanos(System.nanoTime() - published)).isGreaterThan(Duration.ofMillis(700));
			application.bean(Failing.class).busy.countDown();
			await().until(() -> application.events(busy.id()).contains("job.completed"));
		}
		assertThat(returned.getBody()).isEqualTo(body);
		Map<String, String> headers = RawClient.headers(returned);
		assertThat(headers).containsEntry("x-ojs-attempt", "2")
			.containsEntry("x-ojs-error-code", "HANDLER_ERROR")
			.containsEntry("x-ojs-error-message", "no luck at attempt 1");
		headers.keySet().removeIf((name) -> name.startsWith("x-ojs-error-") || isBrokers(name));
		Map<String, String> before = new HashMap<>();
		original.getHeaders().forEach((name, value) -> before.put(name, String.valueOf(value)));
		before.put("x-ojs-attempt", "2");
		assertThat(headers).isEqualTo(before);
		assertThat(returned.getProps().builder().headers(null).build())
			.isEqualTo(original.builder().headers(null).build());
	}

	/**
	 * Everything that a foreign producer may set, and a header that nobody here knows.
	 */
	private static BasicProperties exoticProperties() {
		return RawClient.properties(ID, "fail.always")
			.appId("ojs")
			.priority(7)
			.correlationId("order-17")
			.replyTo("replies")
			.timestamp(new Date(1_700_000_000_000L))
			.headers(Map.of("x-ojs-queue", "failing", "x-ojs-attempt", 1, "x-ojs-max-attempts", 5, "x-ojs-tags", "a,b",
					"x-vendor", "yes"))
			.build();
	}

	private static boolean isBrokers(String header) {
		return header.equals("x-death") || header.startsWith("x-first-death-") || header.startsWith("x-last-death-")
				|| header.equals("x-delivery-count");
	}

	@Test
	@Tag("PLAY-3-2")
	@Tag("PLAY-5-1")
	@Tag("PLAY-10-1")
	void lastFailureLandsInTheDeadLetterQueueWithItsReason() {
		try (Application application = application(Failing.class).start()) {
			Job job = application.ojs().enqueue("fail.always");
			await().until(() -> application.events(job.id()).contains("job.dead_lettered"));
			assertThat(application.events(job.id())).filteredOn((event) -> !event.equals("job.enqueued"))
				.containsExactly("job.started", "job.failed", "job.retrying", "job.started", "job.failed",
						"job.retrying", "job.started", "job.failed", "job.retry_exhausted", "job.dead_lettered");
			GetResponse dead = client().take("ojs.queue.dlx.failing");
			assertThat(dead.getProps().getMessageId()).isEqualTo(job.id());
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-attempt", "3")
				.containsEntry("x-ojs-error-message", "no luck at attempt 3")
				.containsEntry("x-ojs-error-type", "java.lang.IllegalStateException")
				.containsEntry("x-ojs-error-code", "HANDLER_ERROR");
		}
		assertThat(client().count("ojs.queue.failing")).isZero();
	}

	@Test
	@Tag("PLAY-3-2")
	void handlerThatKnowsBetterOverrulesThePolicy() {
		try (Application application = application(Failing.class).start()) {
			Job dead = application.ojs().enqueue("fail.as.told", "dead letter");
			Job discarded = application.ojs().enqueue("fail.as.told", "discard");
			await().until(() -> application.events(dead.id()).contains("job.dead_lettered")
					&& application.events(discarded.id()).contains("job.discarded"));
			assertThat(application.worked(dead.id())).containsExactly("job.started", "job.failed", "job.dead_lettered");
			assertThat(client().take("ojs.queue.dlx.failing").getProps().getMessageId()).isEqualTo(dead.id());
		}
		assertThat(client().count("ojs.queue.dlx.failing")).isZero();
		assertThat(client().count("ojs.queue.failing")).isZero();
	}

	@Test
	void policyMayDiscardAndNameErrorsThatAreNotRetried() {
		try (Application application = application(Failing.class).start()) {
			Job discarded = application.ojs().enqueue("fail.quietly");
			Job fatal = application.ojs()
				.enqueue(JobRequest.of("fail.always").retry((retry) -> retry.nonRetryableErrors("java.lang.*")));
			await().until(() -> application.events(discarded.id()).contains("job.discarded")
					&& application.events(fatal.id()).contains("job.dead_lettered"));
			assertThat(application.events(discarded.id())).containsOnlyOnce("job.retrying");
			assertThat(application.events(fatal.id())).doesNotContain("job.retrying");
			GetResponse dead = client().take("ojs.queue.dlx.failing");
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-error-code", "NON_RETRYABLE_ERROR");
		}
		assertThat(client().count("ojs.queue.dlx.failing")).isZero();
	}

	@Test
	@Tag("GUIDE-3-7")
	void jobThatComesAfterItsDeadlineIsNotRun() {
		try (Application application = application(Failing.class).start()) {
			Job late = application.ojs().enqueue(JobRequest.of("fail.always").expiresAt("2020-01-01T00:00:00+01:00"));
			await().until(() -> application.events(late.id()).contains("job.dead_lettered"));
			assertThat(application.worked(late.id())).containsExactly("job.expired", "job.dead_lettered");
			assertThat(RawClient.headers(client().take("ojs.queue.dlx.failing"))).containsEntry("x-ojs-error-code",
					"JOB_EXPIRED");
		}
	}

	@Test
	@Tag("PLAY-4-1")
	@Tag("PLAY-9-1")
	void waitingRetriesHoldNobodyUp() {
		try (Application application = application(Failing.class).property("ojs.queues.failing.concurrency", 1)
			.property("ojs.queues.failing.prefetch", 1)
			.property("ojs.queues.failing.retry.initial-interval", "5m")
			.start()) {
			List<Job> failing = application.ojs()
				.enqueueAll(List.of(JobRequest.of("fail.always"), JobRequest.of("fail.always"),
						JobRequest.of("fail.always")));
			Job good = application.ojs().enqueue("fail.as.told", "nothing");
			await().until(() -> application.events(good.id()).contains("job.completed"));
			for (Job job : failing) {
				assertThat(application.worked(job.id())).endsWith("job.retrying");
			}
		}
	}

	/**
	 * One object as an argument.
	 *
	 * @param name a name
	 * @param version a number
	 */
	record Template(String name, int version) {
	}

	static class Mails {

		private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

		@OjsJobHandler(value = "email.send", queue = "email")
		String send(String to, JobContext context, Template template) {
			this.sent.add("%s %s %d attempt %d of %d".formatted(to, template.name(), template.version(),
					context.attempt(), context.maxAttempts()));
			return "sent";
		}

	}

	static class Failing {

		private final CountDownLatch busy = new CountDownLatch(1);

		@OjsJobHandler(value = "fail.never", queue = "failing")
		void failNever() throws InterruptedException {
			this.busy.await();
		}

		@OjsJobHandler(value = "fail.always", queue = "failing")
		void fail(JobContext context) {
			throw new IllegalStateException("no luck at attempt " + context.attempt());
		}

		@OjsJobHandler(value = "fail.quietly", queue = "failing",
				retry = @OjsRetry(maxAttempts = 2, onExhaustion = OnExhaustion.DISCARD))
		void failQuietly() {
			throw new IllegalStateException("no luck");
		}

		@OjsJobHandler(value = "fail.as.told", queue = "failing")
		void failAsTold(String how) {
			if (how.equals("dead letter")) {
				throw JobFailedException.deadLetter("test.told", "as told");
			}
			if (how.equals("discard")) {
				throw JobFailedException.discard("test.told", "as told");
			}
		}

	}

}
