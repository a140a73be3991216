package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.deadletter.ReplayRefusedException;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetterKind;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.retry.RetryOverrides;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Dead letters go back to work: those that are meant, as they were, from the first
 * attempt; the others stay, in their order.
 */
class DeadLetterReplayTests extends BrokerTest {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private static final DeadLetterFilter EMAIL = DeadLetterFilter.ANY.queue("email");

	private DeadLetters deadLetters;

	private Application application;

	@BeforeEach
	void start() throws Exception {
		this.deadLetters = new DeadLetters(client(), "email");
		this.application = application().property("ojs.worker.enabled", false).start();
	}

	@AfterEach
	void stop() {
		this.application.close();
	}

	private ReplayResult replay(ReplayOptions options) {
		return this.application.bean(DeadLetterReplayer.class).replayAll(EMAIL, options);
	}

	private ReplayResult replay(DeadLetterFilter filter) {
		return this.application.bean(DeadLetterReplayer.class).replayAll(filter, ReplayOptions.CONFIRMED);
	}

	@Test
	void jobStartsAgainWithItsIdWithoutItsErrorsAndIsCounted() {
		byte[] body = ("{\"x_vendor\":{\"kept\":1.50},\"id\":\"%s\",\"type\":\"email.send\",\"args\":[12345678901234567890],"
				+ "\"meta\":{\"locale\":\"de\"},\"errors\":[{\"type\":\"a.b\",\"x\":1}],\"timeout\":0}")
			.formatted(ID)
			.getBytes(StandardCharsets.UTF_8);
		this.deadLetters.publish(RawClient.properties(ID, "email.send")
			.priority(7)
			.expiration("600000")
			.correlationId("order-17")
			.timestamp(new Date(1_700_000_000_000L))
			.headers(DeadLetters.headers(Map.of("x-ojs-queue", "email", "x-ojs-max-attempts", 5, "x-vendor", "yes",
					"x-ojs-error-first-at", "2026-03-15T09:00:00Z", "x-ojs-error-routing-key", "email")))
			.build(), body);
		ReplayResult result = replay(EMAIL);
		assertThat(result.isSuccess()).isTrue();
		assertThat(result).isEqualTo(ReplayResult.of(ReplayEnd.DONE, 1)
			.kinds(Map.of(new DeadLetterKind("email.send", "java.lang.IllegalStateException", "HANDLER_ERROR"), 1L))
			.left(0L));
		GetResponse job = client().take("ojs.queue.email");
		assertThat(job.getEnvelope().getExchange()).isEqualTo("ojs.exchange.direct");
		assertThat(DeadLetters.text(job.getBody()))
			.isEqualTo(DeadLetters.text(body).replace("\"locale\":\"de\"", "\"locale\":\"de\",\"ojs.replay_count\":1"));
		Map<String, String> headers = RawClient.headers(job);
		headers.remove("x-delivery-count");
		assertThat(headers.remove("x-ojs-replay-run")).isNotEmpty();
		assertThat(headers).isEqualTo(Map.of("x-ojs-queue", "email", "x-ojs-attempt", "1", "x-ojs-max-attempts", "5",
				"x-vendor", "yes", "x-ojs-store", "replayed"));
		assertThat(job.getProps().builder().headers(null).build()).isEqualTo(RawClient.properties(ID, "email.send")
			.priority(7)
			.correlationId("order-17")
			.timestamp(new Date(1_700_000_000_000L))
			.build());
		assertThat(this.deadLetters.dead()).isZero();
	}

	@Test
	void everyReplayIsCounted() {
		for (String meta : new String[] { "{\"ojs.replay_count\":7}", "{\"ojs.replay_count\":-7}",
				"{\"ojs.replay_count\":\"many\"}", "{\"ojs.replay_count\":2147483647}", "\"somebody's own\"",
				"null" }) {
			this.deadLetters.publish(RawClient.properties(ID, "email.send").headers(Map.of()).build(),
					"{\"id\":\"%s\",\"type\":\"email.send\",\"args\":[],\"meta\":%s}".formatted(ID, meta)
						.getBytes(StandardCharsets.UTF_8));
		}
		assertThat(replay(EMAIL).replayed()).isEqualTo(6);
		assertThat(this.deadLetters.drainJobs())
			.extracting((job) -> DeadLetters.text(job.getBody()).split("meta", 2)[1])
			.containsExactly("\":{\"ojs.replay_count\":8}}", "\":{\"ojs.replay_count\":1}}",
					"\":{\"ojs.replay_count\":1}}", "\":{\"ojs.replay_count\":2147483647}}", "\":\"somebody's own\"}",
					"\":{\"ojs.replay_count\":1}}");
	}

	@Test
	@Tag("PLAY-8-5")
	void whatIsNoJobIsReplayedAsItsVeryBytes() {
		byte[][] bodies = { {}, { '{', (byte) 0xC3, (byte) 0x28 }, "[1]".getBytes(StandardCharsets.UTF_8),
				"{ \"id\": 17 }".getBytes(StandardCharsets.UTF_8) };
		for (byte[] body : bodies) {
			this.deadLetters.publish(new BasicProperties.Builder().headers(Map.of("x-ojs-attempt", -1)).build(), body);
		}
		// Without any headers, too.
		this.deadLetters.publish(new BasicProperties(), bodies[1]);
		assertThat(replay(EMAIL).replayed()).isEqualTo(5);
		List<GetResponse> jobs = this.deadLetters.drainJobs();
		assertThat(jobs).extracting(GetResponse::getBody).startsWith(bodies).hasSize(5);
		assertThat(jobs).allMatch((job) -> RawClient.headers(job).get("x-ojs-attempt").equals("1"));
	}

	@Test
	@Tag("PLAY-5-3")
	void filterMeansWhatItSays() {
		String type = this.deadLetters.add("email.render", Map.of());
		String errorType = this.deadLetters.add("email.send", Map.of("x-ojs-error-type", "com.example.mail.Bounced"));
		String errorCode = this.deadLetters.add("email.send", Map.of("x-ojs-error-code", "INVALID_ARGS"));
		String stackHash = this.deadLetters.add("email.send", Map.of("x-ojs-error-stack-hash", "fedcba9876543210"));
		String old = this.deadLetters.add("email.send", Map.of("x-ojs-error-at", "2025-01-01T00:00:00+02:00"));
		String other = this.deadLetters.add("emails.send", Map.of());
		Instant start2026 = Instant.parse("2026-01-01T00:00:00Z");
		assertMeant(EMAIL.type("email.render"), type);
		assertMeant(EMAIL.type("emails.*"), other);
		assertMeant(EMAIL.type("email.*").errorType("com.example.*"), errorType);
		assertMeant(EMAIL.errorType("com.example.mail.Bounced"), errorType);
		assertMeant(EMAIL.errorCode("INVALID_ARGS"), errorCode);
		assertMeant(EMAIL.stackHash("FEDCBA9876543210"), stackHash);
		assertMeant(EMAIL.until(start2026), old);
		assertMeant(EMAIL.since(start2026), type, errorType, errorCode, stackHash, other);
		assertMeant(EMAIL.ids(Set.of(errorCode)), errorCode);
		assertMeant(EMAIL.ids(Set.of(type, stackHash.toUpperCase(Locale.ROOT))), type, stackHash);
		assertMeant(EMAIL.type("email"));
		assertMeant(EMAIL.errorType("java.lang"));
	}

	private void assertMeant(DeadLetterFilter filter, String... ids) {
		List<String> before = List.of(IntStream.rangeClosed(1, 6).mapToObj(DeadLetters::id).toArray(String[]::new));
		ReplayResult result = replay(filter);
		assertThat(DeadLetters.ids(this.deadLetters.drainJobs())).containsExactly(ids);
		assertThat(result.replayed()).isEqualTo(ids.length);
		assertThat(result.skipped())
			.isEqualTo((ids.length == 6) ? Map.of() : Map.of(SkipReason.NOT_MATCHING, (long) (6 - ids.length)));
		assertThat(result.left()).isEqualTo(6 - ids.length);
		List<GetResponse> stayed = this.deadLetters.drain();
		assertThat(DeadLetters.ids(stayed))
			.containsExactlyElementsOf(before.stream().filter((id) -> !List.of(ids).contains(id)).toList());
		restore();
	}

	private void restore() {
		try {
			this.deadLetters = new DeadLetters(client(), "email");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		this.deadLetters.add("email.render", Map.of());
		this.deadLetters.add("email.send", Map.of("x-ojs-error-type", "com.example.mail.Bounced"));
		this.deadLetters.add("email.send", Map.of("x-ojs-error-code", "INVALID_ARGS"));
		this.deadLetters.add("email.send", Map.of("x-ojs-error-stack-hash", "fedcba9876543210"));
		this.deadLetters.add("email.send", Map.of("x-ojs-error-at", "2025-01-01T00:00:00+02:00"));
		this.deadLetters.add("emails.send", Map.of());
	}

	@Test
	void ageOfWhatTheBrokerMovedIsTheTimeOfThat() throws Exception {
		client().publishJob("email", ID, "email.send", "[]");
		GetResponse job = await().until(() -> client().channel().basicGet("ojs.queue.email", false),
				(taken) -> taken != null);
		client().channel().basicNack(job.getEnvelope().getDeliveryTag(), false, false);
		await().until(() -> this.deadLetters.dead() == 1);
		Instant now = Instant.now();
		assertThat(replay(EMAIL.until(now.minusSeconds(60))).replayed()).isZero();
		// It is still known after it has been put back.
		assertThat(replay(EMAIL.since(now.plusSeconds(60))).replayed()).isZero();
		assertThat(replay(EMAIL.since(now.minusSeconds(60)).until(now.plusSeconds(60))).replayed()).isOne();
		assertThat(RawClient.headers(client().take("ojs.queue.email"))).doesNotContainKeys("x-death",
				"x-first-death-queue", "x-first-death-reason", "x-first-death-exchange");
	}

	@Test
	void headersOfAnybodyDoNoHarm() {
		for (Object hostile : new Object[] { 17, List.of(Map.of("time", 17)), Map.of("time", new Date()), "yesterday",
				new byte[] { 0, -1 }, "9".repeat(20_000), "2026-03-14T09:30:00", true }) {
			this.deadLetters.publish(RawClient.properties(ID, "email.send")
				.headers(Map.of("x-ojs-error-type", hostile, "x-ojs-error-at", hostile, "x-death", hostile,
						"x-ojs-priority", hostile, "x-ojs-replay-run", hostile))
				.build(), RawClient.envelope(ID, "email.send", "email", "[]"));
		}
		assertThat(replay(EMAIL.errorType("a.*")).left()).isEqualTo(8);
		assertThat(replay(EMAIL.since(Instant.EPOCH)).left()).isEqualTo(8);
		ReplayResult result = replay(ReplayOptions.DRY_RUN);
		assertThat(result.kinds().keySet()).allMatch((kind) -> kind.errorType().length() <= 201);
		assertThat(replay(EMAIL).replayed()).isEqualTo(8);
	}

	@Test
	void dryRunCountsByTypeAndErrorAndChangesNothing() {
		for (int i = 0; i < 3; i++) {
			this.deadLetters.add("email.send", Map.of());
			this.deadLetters.add("email.render", Map.of("x-ojs-error-code", "INVALID_ARGS"));
		}
		ReplayResult result = replay(ReplayOptions.DRY_RUN);
		assertThat(result).isEqualTo(ReplayResult.of(ReplayEnd.DONE, 6)
			.dryRun(true)
			.kinds(Map.of(new DeadLetterKind("email.send", "java.lang.IllegalStateException", "HANDLER_ERROR"), 3L,
					new DeadLetterKind("email.render", "java.lang.IllegalStateException", "INVALID_ARGS"), 3L))
			.left(6L));
		assertThat(this.deadLetters.waiting()).isZero();
		List<GetResponse> stayed = this.deadLetters.drain();
		assertThat(DeadLetters.ids(stayed))
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 6).mapToObj(DeadLetters::id).toList());
		Map<String, String> headers = RawClient.headers(stayed.get(0));
		headers.remove("x-delivery-count");
		Map<String, String> before = new HashMap<>();
		DeadLetters.headers(Map.of()).forEach((name, value) -> before.put(name, value.toString()));
		assertThat(headers).isEqualTo(before);
	}

	@Test
	void maximumTakesTheOldestAndLeavesTheOrderOfTheRest() {
		this.deadLetters.addMany(300, "email.render");
		this.deadLetters.addMany(300, "email.send");
		DeadLetterReplayer replayer = this.application.bean(DeadLetterReplayer.class);
		DeadLetterFilter sending = EMAIL.type("email.send");
		ReplayResult dry = replayer.replayAll(sending, ReplayOptions.DRY_RUN.limit(5));
		assertThat(dry.replayed()).isEqualTo(5);
		assertThat(dry.end()).isEqualTo(ReplayEnd.LIMIT);
		ReplayResult result = replayer.replayAll(sending, ReplayOptions.CONFIRMED.limit(5));
		assertThat(result.replayed()).isEqualTo(5);
		assertThat(result.lookedAt()).isEqualTo(305);
		assertThat(result.left()).isEqualTo(595);
		assertThat(DeadLetters.ids(this.deadLetters.drainJobs()))
			.containsExactlyElementsOf(IntStream.rangeClosed(301, 305).mapToObj(DeadLetters::id).toList());
		assertThat(DeadLetters.ids(this.deadLetters.drain())).containsExactlyElementsOf(IntStream.rangeClosed(1, 600)
			.filter((number) -> number <= 300 || number > 305)
			.mapToObj(DeadLetters::id)
			.toList());
	}

	@Test
	@Tag("PLAY-5-3")
	void rateIsKept() {
		this.deadLetters.addMany(20, "email.send");
		long start = System.nanoTime();
		assertThat(replay(ReplayOptions.CONFIRMED.rate(10)).replayed()).isEqualTo(20);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(1900),
				Duration.ofSeconds(60));
	}

	@Test
	void overridesTakeAJobToAnotherQueueWithAnotherPriorityAndMoreAttempts() throws Exception {
		DeadLetters slow = new DeadLetters(client(), "slow");
		this.deadLetters.add("email.send", Map.of("x-ojs-queue", "email", "x-ojs-max-attempts", 3));
		replay(ReplayOptions.CONFIRMED.overrides(ReplayOverrides.NONE.queue("slow").priority(50).maxAttempts(7)));
		assertThat(this.deadLetters.waiting()).isZero();
		assertThat(slow.waiting()).isOne();
		GetResponse job = client().take("ojs.queue.slow");
		assertThat(job.getProps().getPriority()).isEqualTo(9);
		assertThat(RawClient.headers(job)).containsEntry("x-ojs-queue", "slow")
			.containsEntry("x-ojs-max-attempts", "7");
		assertThat(DeadLetters.text(job.getBody())).contains("\"queue\":\"slow\"", "\"priority\":50");
	}

	@Test
	void jobsThatNobodyWouldStartStay() {
		String id = DeadLetters.id(1);
		this.deadLetters.publish(RawClient.properties(id, "email.send").build(),
				"{\"id\":\"%s\",\"type\":\"email.send\",\"args\":[],\"expires_at\":\"2020-01-01T00:00:00Z\"}"
					.formatted(id)
					.getBytes(StandardCharsets.UTF_8));
		ReplayResult result = replay(EMAIL);
		assertThat(result.skipped()).isEqualTo(Map.of(SkipReason.EXPIRED, 1L));
		assertThat(result.isSuccess()).isTrue();
		assertThat(DeadLetters.ids(this.deadLetters.drain())).containsExactly(id);
	}

	@Test
	void unroutableAndRefusedJobsStayInTheirOrderAndAreReported() throws Exception {
		this.deadLetters.addMany(5, "email.send");
		ReplayResult unroutable = replay(ReplayOptions.CONFIRMED.overrides(ReplayOverrides.NONE.queue("nowhere")));
		assertThat(unroutable.skipped()).isEqualTo(Map.of(SkipReason.UNROUTABLE, 5L));
		assertThat(unroutable.isSuccess()).isFalse();
		assertThat(this.application.events()).isEmpty();
		client().channel()
			.queueDeclare("ojs.queue.full", true, false, false,
					Map.of("x-queue-type", "classic", "x-max-length", 2, "x-overflow", "reject-publish"));
		client().channel().queueBind("ojs.queue.full", "ojs.exchange.direct", "full");
		ReplayResult refused = replay(ReplayOptions.CONFIRMED.overrides(ReplayOverrides.NONE.queue("full")));
		assertThat(refused.skipped()).isEqualTo(Map.of(SkipReason.REFUSED, 3L));
		assertThat(refused.isSuccess()).isFalse();
		assertThat(refused.replayed()).isEqualTo(2);
		assertThat(this.application.events()).hasSize(2).allMatch(JobEvent.Enqueued.class::isInstance);
		assertThat(DeadLetters.ids(this.deadLetters.drain())).containsExactly(DeadLetters.id(3), DeadLetters.id(4),
				DeadLetters.id(5));
	}

	@Test
	void jobThatFailsAgainIsNotReplayedAgainInTheSameRun() throws Exception {
		this.deadLetters.addMany(40, "email.fail");
		try (Application worker = application(Failing.class).property("ojs.queues.email.retry.max-attempts", 1)
			.start()) {
			ReplayResult result = replay(ReplayOptions.CONFIRMED.rate(40));
			assertThat(result.replayed()).isEqualTo(40);
			await().until(() -> this.deadLetters.dead() == 40);
			assertThat(worker.bean(Failing.class).runs).hasValue(40);
		}
		assertThat(this.deadLetters.drain())
			.allMatch((dead) -> DeadLetters.text(dead.getBody()).contains("\"ojs.replay_count\":1"));
	}

	@Test
	void listenersLearnOfEachReplayedJob() {
		String id = this.deadLetters.add("email.send", Map.of());
		this.deadLetters.publish(new BasicProperties(), "no job".getBytes(StandardCharsets.UTF_8));
		replay(ReplayOptions.DRY_RUN);
		replay(EMAIL.ids(Set.of(ID)));
		assertThat(this.application.events()).isEmpty();
		replay(ReplayOptions.CONFIRMED.overrides(ReplayOverrides.NONE.priority(5)));
		assertThat(this.application.events()).singleElement()
			.isInstanceOfSatisfying(JobEvent.Enqueued.class, (enqueued) -> {
				assertThat(enqueued.again()).isTrue();
				assertThat(enqueued.job().id()).isEqualTo(id);
				assertThat(enqueued.job().priority()).isEqualTo(5);
				assertThat(enqueued.job().meta()).containsEntry("ojs.replay_count", 1);
			});
	}

	@Test
	void aConnectionLostWhileListenersRunBringsNoReplayedJobBack() {
		this.deadLetters.add("email.send", Map.of());
		try (Application application = application(Disconnecting.class).property("ojs.worker.enabled", false).start()) {
			Throwable failure = catchThrowable(
					() -> application.bean(DeadLetterReplayer.class).replayAll(EMAIL, ReplayOptions.CONFIRMED));
			assertThat(failure).satisfiesAnyOf((none) -> assertThat(none).isNull(),
					(lost) -> assertThat(lost).isInstanceOf(AmqpException.class));
			assertThat(application.bean(Disconnecting.class).told).isOne();
		}
		assertThat(this.deadLetters.dead()).isZero();
		assertThat(client().count("ojs.queue.email")).isOne();
	}

	@Test
	void requestOfTheJobStoreIsRejected() {
		this.deadLetters.add("email.send", Map.of());
		for (ReplayOverrides overrides : List.of(ReplayOverrides.NONE.args(1), ReplayOverrides.NONE.meta("a", "b"),
				ReplayOverrides.NONE.retry(RetryOverrides.NONE.jitter(false)))) {
			assertThatExceptionOfType(InvalidDeadLetterRequestException.class)
				.isThrownBy(() -> replay(ReplayOptions.CONFIRMED.overrides(overrides)))
				.withMessageContaining("only the job store can change it");
		}
		assertThatExceptionOfType(InvalidDeadLetterRequestException.class)
			.isThrownBy(() -> replay(EMAIL.origin("email")))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("filter.origin"));
		assertThatExceptionOfType(InvalidDeadLetterRequestException.class)
			.isThrownBy(() -> replay(DeadLetterFilter.ANY))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("filter.queue"));
		assertThatExceptionOfType(InvalidDeadLetterRequestException.class)
			.isThrownBy(() -> replay(new ReplayOptions(false, false, null, null, ReplayOverrides.NONE)))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("confirm"));
		assertThat(this.deadLetters.dead()).isOne();
	}

	@Test
	void overridesOfRetriesAreRejectedThoughTheyChangeTheAttempts() {
		ReplayOverrides overrides = ReplayOverrides.NONE.retry(RetryOverrides.NONE.jitter(false).maxAttempts(3));
		assertThatExceptionOfType(InvalidDeadLetterRequestException.class)
			.isThrownBy(() -> replay(ReplayOptions.CONFIRMED.overrides(overrides)))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("overrides.retry"));
	}

	@Test
	void replayedJobsAreWorked() {
		this.deadLetters.addMany(3, "email.count");
		try (Application worker = application(Failing.class).start()) {
			replay(EMAIL);
			await().until(() -> worker.bean(Failing.class).counted.get() == 3);
			Job job = worker.events().get(0).job();
			assertThat(job.meta()).containsEntry("ojs.replay_count", 1);
		}
	}

	@Test
	void twoAtATimeAreRefusedInOneProcessAndInTwo() {
		this.deadLetters.addMany(10, "email.send");
		try (Application second = application().property("ojs.worker.enabled", false).start()) {
			CompletableFuture<ReplayResult> first = CompletableFuture
				.supplyAsync(() -> replay(ReplayOptions.CONFIRMED.rate(4)));
			await().until(() -> this.deadLetters.waiting() > 0);
			for (Application application : List.of(this.application, second)) {
				assertThatExceptionOfType(ReplayRefusedException.class)
					.isThrownBy(
							() -> application.bean(DeadLetterReplayer.class).replayAll(EMAIL, ReplayOptions.CONFIRMED))
					.withMessageContaining("'email' are being replayed already");
			}
			assertThat(first.join().replayed()).isEqualTo(10);
			assertThat(second.bean(DeadLetterReplayer.class).replayAll(EMAIL, ReplayOptions.CONFIRMED).lookedAt())
				.isZero();
		}
		assertThat(this.deadLetters.drainJobs()).hasSize(10);
	}

	@Test
	void queueThatDoesNotExistIsNamed() {
		assertThatExceptionOfType(ReplayRefusedException.class)
			.isThrownBy(() -> replay(DeadLetterFilter.ANY.queue("emial")))
			.withMessageContaining("'ojs.queue.dlx.emial'")
			.withMessageContaining("naming and prefix");
	}

	static class Failing {

		private final AtomicInteger runs = new AtomicInteger();

		private final AtomicInteger counted = new AtomicInteger();

		@OjsJobHandler(value = "email.fail", queue = "email")
		void fail(int number, JobContext context) {
			this.runs.incrementAndGet();
			throw new IllegalStateException("no luck " + number + context.attempt());
		}

		@OjsJobHandler(value = "email.count", queue = "email")
		void count(int number) {
			this.counted.incrementAndGet();
		}

	}

	static class Disconnecting implements JobEventListener {

		private final ObjectProvider<BrokerConnections> connections;

		private int told;

		Disconnecting(ObjectProvider<BrokerConnections> connections) {
			this.connections = connections;
		}

		@Override
		public void onEvent(JobEvent event) {
			this.told++;
			((CachingConnectionFactory) this.connections.getObject().consuming().connectionFactory()).resetConnection();
		}

	}

}
