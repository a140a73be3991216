package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.ConfirmTimeoutException;
import io.ojs.amqp.NackedJobException;
import io.ojs.amqp.UnroutableJobException;
import io.ojs.client.BatchEnqueueException;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.internal.Rfc3339;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.Direction;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a caller of enqueue learns, and what is on the wire.
 */
class EnqueueTests extends BrokerTest {

	@Test
	@Tag("GUIDE-3-1")
	@Tag("GUIDE-3-2")
	@Tag("GUIDE-3-3")
	@Tag("GUIDE-3-4")
	@Tag("PLAY-2-3")
	void messageHasThePropertiesAndHeadersOfTheBindingAndNoOthers() {
		Job job;
		try (Application application = application().start()) {
			job = application.ojs()
				.enqueue(JobRequest.of("email.send", "user@example.com", 42)
					.queue("email")
					.priority(10)
					.tags("mail", "welcome")
					.meta("correlation_id", "order-17")
					.extension("idempotency_key", "once")
					.retry((retry) -> retry.maxAttempts(5)));
		}
		GetResponse message = client().take("ojs.queue.email");
		String time = Rfc3339.format(job.createdAt());
		Map<String, String> headers = RawClient.headers(message);
		// The broker's own, which it adds when it hands a message out.
		headers.remove("x-delivery-count");
		assertThat(headers).isEqualTo(Map.of("x-ojs-queue", "email", "x-ojs-attempt", "1", "x-ojs-max-attempts", "5",
				"x-ojs-created-at", time, "x-ojs-enqueued-at", time, "x-ojs-tags", "mail,welcome",
				"x-ojs-idempotency-key", "once"));
		assertThat(message.getProps().getHeaders().get("x-ojs-attempt")).isInstanceOf(Integer.class);
		assertThat(message.getProps().builder().headers(null).build())
			.isEqualTo(new BasicProperties.Builder().messageId(job.id())
				.type("email.send")
				.contentType("application/openjobspec+json")
				.contentEncoding("utf-8")
				.timestamp(Date.from(job.createdAt().toInstant().truncatedTo(ChronoUnit.SECONDS)))
				.deliveryMode(2)
				.priority(7)
				.correlationId("order-17")
				.appId("ojs")
				.build());
		assertThat(message.getEnvelope().getExchange()).isEqualTo("ojs.exchange.direct");
		assertThat(message.getEnvelope().getRoutingKey()).isEqualTo("email");
		assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).isEqualTo(
				"{\"specversion\":\"1.0\",\"id\":\"%s\",\"type\":\"email.send\",\"queue\":\"email\",\"args\":[\"user@example.com\",42],"
					.formatted(job.id())
						+ "\"meta\":{\"tags\":[\"mail\",\"welcome\"],\"correlation_id\":\"order-17\"},\"priority\":10,"
						+ "\"retry\":{\"max_attempts\":5},\"state\":\"available\",\"attempt\":0,"
						+ "\"created_at\":\"%s\",\"enqueued_at\":\"%s\",\"idempotency_key\":\"once\"}".formatted(time,
								time));
	}

	@Test
	void queueIsDurableAndLeadsItsDeadLettersToTheirQueue() throws Exception {
		try (Application application = application().start()) {
			application.ojs().enqueue(JobRequest.of("email.send").queue("email"));
		}
		GetResponse message = client().channel().basicGet("ojs.queue.email", false);
		client().channel().basicNack(message.getEnvelope().getDeliveryTag(), false, false);
		GetResponse dead = client().take("ojs.queue.dlx.email");
		assertThat(RawClient.headers(dead).get("x-death")).contains("reason=rejected", "queue=ojs.queue.email");
		// Declared alike once more: anything but a durable quorum queue would be refused.
		client().channel()
			.queueDeclare("ojs.queue.email", true, false, false,
					Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "ojs.exchange.dlx",
							"x-dead-letter-routing-key", "email", "x-dead-letter-strategy", "at-least-once",
							"x-overflow", "reject-publish", "x-delivery-limit", 20));
	}

	@Test
	void unroutableJobIsItsOwnExceptionAndTheQueueIsDeclaredAnew() throws Exception {
		try (Application application = application().start()) {
			JobRequest request = JobRequest.of("email.send").queue("email");
			application.ojs().enqueue(request);
			client().channel().queueUnbind("ojs.queue.email", "ojs.exchange.direct", "email");
			assertThatExceptionOfType(UnroutableJobException.class).isThrownBy(() -> application.ojs().enqueue(request))
				.withMessageContaining("'email'")
				.withMessageContaining("NO_ROUTE")
				.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse());
			assertThat(client().count("ojs.queue.email")).isEqualTo(1);
			application.ojs().enqueue(request);
			assertThat(client().drain("ojs.queue.email")).hasSize(2);
		}
	}

	@Test
	void refusedJobIsItsOwnException() {
		try (Application application = application().property("ojs.queues.tiny.type", "classic")
			.property("ojs.queues.tiny.arguments.x-max-length", "1")
			.property("ojs.queues.tiny.arguments.x-overflow", "reject-publish")
			.start()) {
			JobRequest request = JobRequest.of("email.send").queue("tiny");
			application.ojs().enqueue(request);
			assertThatExceptionOfType(NackedJobException.class).isThrownBy(() -> application.ojs().enqueue(request))
				.withMessageContaining("'tiny'")
				.withMessageContaining("full")
				.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse());
			assertThat(client().count("ojs.queue.tiny")).isEqualTo(1);
		}
	}

	@Test
	void brokerThatSaysNothingIsItsOwnException() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());
				Application application = Application.on(proxy.uri(ownVirtualHost()))
					.property("ojs.publisher.confirm-timeout", "400ms")
					.start()) {
			application.ojs().enqueue("email.send");
			proxy.hang(Direction.BOTH);
			assertThatExceptionOfType(ConfirmTimeoutException.class)
				.isThrownBy(() -> application.ojs().enqueue("email.send"))
				.withMessageContaining("ojs.publisher.confirm-timeout")
				.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isTrue());
			CompletableFuture<Job> later = application.ojs().enqueueAsync("email.send");
			assertThat(later).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(ConfirmTimeoutException.class);
			proxy.resume();
			application.ojs().enqueue("email.send");
			proxy.refuse();
			proxy.reset();
			// A loss is noticed a moment later: until then, the outcome is unknown.
			await().untilAsserted(() -> {
				EnqueueException lost = catchThrowableOfType(EnqueueException.class,
						() -> application.ojs().enqueue("email.send"));
				assertThat(lost).isInstanceOf(BrokerUnavailableException.class);
			});
		}
	}

	@Test
	void manyJobsGoDownOneChannelWithoutWaitingAndAllArrive() {
		try (Application application = application().start()) {
			List<JobRequest> requests = IntStream.range(0, 3000)
				.mapToObj((i) -> JobRequest.of("number.add", i).queue("numbers"))
				.toList();
			List<Job> jobs = application.ojs().enqueueAll(requests);
			assertThat(jobs).extracting((job) -> job.args().get(0))
				.containsExactlyElementsOf(IntStream.range(0, 3000).boxed().toList());
			assertThat(client().drain("ojs.queue.numbers")).extracting((message) -> message.getProps().getMessageId())
				.containsExactlyElementsOf(jobs.stream().map(Job::id).toList());
		}
	}

	@Test
	void jobsEnqueuedWithoutWaitingAllArrive() {
		try (Application application = application().start()) {
			List<CompletableFuture<Job>> futures = new ArrayList<>();
			for (int i = 0; i < 2000; i++) {
				futures.add(application.ojs().enqueueAsync("number.add", i));
			}
			List<String> ids = futures.stream().map(CompletableFuture::join).map(Job::id).toList();
			assertThat(client().drain("ojs.queue.default")).extracting((message) -> message.getProps().getMessageId())
				.containsExactlyInAnyOrderElementsOf(ids);
		}
	}

	@Test
	void stagesOfTheCallerShareAFewThreads() {
		try (Application application = application().start()) {
			Set<Thread> threads = ConcurrentHashMap.newKeySet();
			List<CompletableFuture<Job>> stages = IntStream.range(0, 500)
				.mapToObj((i) -> application.ojs()
					.enqueueAsync("number.add", i)
					.whenComplete((job, failure) -> threads.add(Thread.currentThread())))
				.toList();
			stages.forEach(CompletableFuture::join);
			threads.remove(Thread.currentThread());
			// Some may have ended while the broker took its time.
			assertThat(threads).hasSizeBetween(1, 50)
				.noneMatch((thread) -> thread.getName().startsWith("AMQP Connection"));
		}
	}

	@Test
	void stagesOfTheCallerMayWaitForEachOther() {
		try (Application application = application().start()) {
			int many = 2 * Math.max(4, Runtime.getRuntime().availableProcessors());
			List<CompletableFuture<Job>> stages = IntStream.range(0, many)
				.mapToObj((i) -> application.ojs()
					.enqueueAsync("number.add", i)
					.thenApply((job) -> application.ojs().enqueueAsync("number.add", job.id()).join()))
				.toList();
			assertThat(CompletableFuture.allOf(stages.toArray(CompletableFuture<?>[]::new)))
				.succeedsWithin(Duration.ofSeconds(20));
		}
	}

	@Test
	void batchTellsWhichOfItsJobsAreSafe() throws Exception {
		try (Application application = application().start()) {
			application.ojs().enqueue(JobRequest.of("email.send").queue("broken"));
			client().channel().queueUnbind("ojs.queue.broken", "ojs.exchange.direct", "broken");
			assertThatExceptionOfType(BatchEnqueueException.class)
				.isThrownBy(() -> application.ojs()
					.enqueueAll(List.of(JobRequest.of("email.send", 1).queue("fine"),
							JobRequest.of("email.send", 2).queue("broken"),
							JobRequest.of("email.send", 3).queue("fine"))))
				.withMessageStartingWith("1 of 3 jobs were not enqueued.")
				.satisfies((ex) -> {
					assertThat(ex.enqueued()).extracting((job) -> job.args().get(0)).containsExactly(1, 3);
					assertThat(ex.failures()).singleElement().isInstanceOf(UnroutableJobException.class);
				});
			assertThat(client().count("ojs.queue.fine")).isEqualTo(2);
		}
	}

	@Test
	void asynchronousFailureReachesTheCallersStage() throws Exception {
		try (Application application = application().start()) {
			application.ojs().enqueue("email.send");
			client().channel().queueUnbind("ojs.queue.default", "ojs.exchange.direct", "default");
			CompletableFuture<String> stage = application.ojs()
				.enqueueAsync("email.send")
				.thenApply(Job::id)
				.exceptionally((ex) -> ((CompletionException) ex).getCause().getClass().getSimpleName());
			assertThat(stage).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("UnroutableJobException");
		}
	}

	@Test
	void prefixKeepsTenantsApart() {
		try (Application one = application().property("ojs.prefix", "one").start();
				Application other = application().property("ojs.prefix", "other").start()) {
			one.ojs().enqueue("email.send");
			other.ojs().enqueue("email.send");
			other.ojs().enqueue("email.send");
		}
		assertThat(client().drain("one.ojs.queue.default")).hasSize(1);
		assertThat(client().drain("other.ojs.queue.default")).hasSize(2);
		assertThat(client().exists("ojs.queue.default")).isFalse();
	}

	@Test
	@Tag("GUIDE-1-1")
	@Tag("GUIDE-1-2")
	void guidesNamesAreForThoseWhoHaveThem() {
		try (Application application = application().property("ojs.naming", "guide").start()) {
			application.ojs().enqueue("email.send");
		}
		assertThat(client().take("ojs.queue.default").getEnvelope().getExchange()).isEqualTo("ojs.direct");
		assertThat(client().exists("ojs.dead.default")).isTrue();
	}

}
