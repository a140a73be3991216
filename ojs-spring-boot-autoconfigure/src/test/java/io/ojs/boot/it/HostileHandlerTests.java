package io.ojs.boot.it;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Handlers, listeners and messages that do what they should not: the job is theirs to
 * lose, the consumer and everybody else's jobs are not.
 */
class HostileHandlerTests extends BrokerTest {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	@ParameterizedTest
	@ValueSource(strings = { "interrupted exception", "interrupted flag", "flag and success", "error", "deep",
			"null type", "mute exception" })
	void whateverAHandlerThrowsTheNextJobsRun(String how) {
		try (Application application = one(Hostile.class)) {
			Job bad = application.ojs()
				.enqueue(JobRequest.of("hostile.run", how).retry((retry) -> retry.maxAttempts(1)));
			List<Integer> numbers = IntStream.range(0, 5).boxed().toList();
			application.ojs()
				.enqueueAll(numbers.stream().map((number) -> JobRequest.of("number.add", number)).toList());
			await().untilAsserted(
					() -> assertThat(application.bean(Hostile.class).added).containsExactlyElementsOf(numbers));
			assertThat(application.events(bad.id())).containsOnlyOnce("job.started").doesNotContain("job.retrying");
		}
		assertThat(client().count("ojs.queue.dlx.hostile")).isEqualTo(how.equals("flag and success") ? 0 : 1);
		assertThat(client().count("ojs.queue.hostile")).isZero();
	}

	@Test
	void listenerThatLacksAClassHarmsNothing() {
		try (Application application = one(Hostile.class, Broken.class)) {
			application.ojs().enqueue("number.add", 1);
			application.ojs().enqueue("number.add", 2);
			await().untilAsserted(() -> assertThat(application.bean(Hostile.class).added).containsExactly(1, 2));
		}
		assertThat(client().count("ojs.queue.hostile")).isZero();
	}

	@Test
	void messageWithoutAnIdIsTriedAgainAndDiesLikeAnyOther() {
		try (Application application = one(Hostile.class)) {
			client().publish("hostile", new BasicProperties.Builder().contentType("application/json").build(),
					RawClient.envelope(ID, "hostile.run", "hostile", "[\"error\"]"));
			client().publish("hostile", new BasicProperties.Builder().build(), "hello".getBytes());
			await().until(() -> application.events(ID).contains("job.dead_lettered"));
			assertThat(application.events(ID)).filteredOn("job.started"::equals).hasSize(3);
			application.ojs().enqueue("number.add", 1);
			await().untilAsserted(() -> assertThat(application.bean(Hostile.class).added).containsExactly(1));
		}
		assertThat(client().drain("ojs.queue.dlx.hostile")).hasSize(2);
		assertThat(client().count("ojs.queue.hostile")).isZero();
	}

	@Test
	void headersThatLeaveNoRoomForAnErrorStillEndInTheDeadLetterQueue() {
		try (Application application = one(Hostile.class)) {
			client().publish("hostile",
					RawClient.properties(ID, "hostile.run").headers(Map.of("x-large", "x".repeat(130_800))).build(),
					RawClient.envelope(ID, "hostile.run", "hostile", "[\"error\"]"));
			GetResponse dead = client().take("ojs.queue.dlx.hostile");
			assertThat(dead.getProps().getMessageId()).isEqualTo(ID);
			application.ojs().enqueue("number.add", 1);
			await().untilAsserted(() -> assertThat(application.bean(Hostile.class).added).containsExactly(1));
		}
	}

	@Test
	void jobOfWhichOthersGotACopyDiesInItsOwnQueueAlone() {
		try (Application application = one(Hostile.class)) {
			application.ojs().enqueue(JobRequest.of("nothing.here").queue("other"));
			assertThat(client().drain("ojs.queue.other")).hasSize(1);
			client().publish("hostile",
					RawClient.properties(ID, "hostile.run").headers(Map.of("CC", List.of("other"))).build(),
					RawClient.envelope(ID, "hostile.run", "hostile", "[\"error\"]"));
			client().take("ojs.queue.dlx.hostile");
			assertThat(client().drain("ojs.queue.other")).hasSize(1);
			assertThat(client().count("ojs.queue.dlx.other")).isZero();
		}
	}

	@Test
	void jobThatAmqpOrAReaderCannotCarryIsRefusedAndHarmsNoOther() {
		try (Application application = one(Hostile.class)) {
			assertBad(application, "meta.correlation_id",
					JobRequest.of("number.add", 1).meta("correlation_id", "x".repeat(256)));
			assertBad(application, "meta.tags", JobRequest.of("number.add", 1).tags("x".repeat(9000)));
			assertBad(application, "priority", JobRequest.of("number.add", 1).extension("priority", "high"));
			assertBad(application, "state", JobRequest.of("number.add", 1).extension("state", "completed"));
			assertBad(application, "args", JobRequest.of("number.add", new BigDecimal("9".repeat(1500) + ".5")));
			application.ojs().enqueueAll(List.of(JobRequest.of("number.add", 1), JobRequest.of("number.add", 2)));
			await().untilAsserted(() -> assertThat(application.bean(Hostile.class).added).containsExactly(1, 2));
		}
	}

	private static void assertBad(Application application, String field, JobRequest request) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> application.ojs().enqueue(request))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	/** One consumer: whatever stops it stops everything. */
	private Application one(Class<?>... beans) {
		return application(beans).property("ojs.queues.hostile.concurrency", 1).start();
	}

	static class Hostile {

		private final BlockingQueue<Integer> added = new LinkedBlockingQueue<>();

		@OjsJobHandler(value = "number.add", queue = "hostile")
		void add(int number) {
			this.added.add(number);
		}

		@OjsJobHandler(value = "hostile.run", queue = "hostile")
		void run(String how) throws Exception {
			switch (how) {
				case "interrupted exception" -> throw new InterruptedException("by itself");
				case "interrupted flag" -> {
					Thread.currentThread().interrupt();
					throw new IllegalStateException("flagged");
				}
				case "flag and success" -> Thread.currentThread().interrupt();
				case "error" -> throw new NoClassDefFoundError("gone");
				case "deep" -> run(how);
				case "null type" -> throw JobFailedException.deadLetter(null, "no type");
				default -> throw new MuteException();
			}
		}

	}

	static class MuteException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		public @Nullable String getMessage() {
			throw new IllegalStateException("I do not tell");
		}

	}

	static class Broken implements JobEventListener {

		@Override
		public void onEvent(JobEvent event) {
			throw new NoClassDefFoundError("on " + event.name());
		}

	}

}
