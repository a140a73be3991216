package io.ojs.boot.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Asking workers about jobs, in Java and as any client would, and telling them that an
 * attempt is alive.
 */
@Tag("AMQP-021")
class InfoTests extends BrokerTest {

	private static final String UNKNOWN = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private static final String CONTROL = "ojs.queue.control.rooms";

	@BeforeEach
	void begin() {
		Rooms.started.clear();
		Rooms.open = new CountDownLatch(1);
	}

	@Test
	@Tag("AMQP-021")
	void foreignClientIsAnsweredWhicheverProcessRunsTheJob() throws Exception {
		try (Application one = worker().start(); Application other = worker().start()) {
			List<Job> jobs = one.ojs().enqueueAll(List.of(stay("a"), stay("b"), stay("c"), stay("d")));
			await().until(() -> Rooms.started.size() == 4);
			assertThat(other.events()).as("both have work to do").isNotEmpty();
			String replies = client().channel().queueDeclare().getQueue();
			for (int round = 0; round < 3; round++) {
				for (Job job : jobs) {
					String correlationId = job.id() + "/" + round;
					ask(job.id(), replies, correlationId);
					GetResponse answer = client().take(replies);
					assertThat(answer.getProps().getCorrelationId()).isEqualTo(correlationId);
					assertThat(text(answer)).contains("\"id\":\"" + job.id() + "\"", "\"state\":\"active\"",
							"\"worker_id\":\"", "\"attempt\":1", "\"started_at\":\"", "\"args\":[");
				}
			}
			ask(UNKNOWN, replies, "unknown");
			GetResponse answer = client().take(replies);
			assertThat(answer.getProps().getCorrelationId()).isEqualTo("unknown");
			assertThat(text(answer)).contains("\"code\":\"NOT_FOUND\"", UNKNOWN);
			Rooms.open.countDown();
		}
	}

	@Test
	void inJavaItIsTheJobWithItsStateOrNothing() {
		try (Application worker = worker().start(); Application client = application().start()) {
			Job job = client.ojs().enqueue(stay("a"));
			await().until(() -> Rooms.started.contains(job.id()));
			Optional<Job> found = client.ojs().find("rooms", job.id());
			assertThat(found).get().extracting(Job::state, Job::attempt).containsExactly(JobState.ACTIVE, 1);
			assertThat(found.orElseThrow().args()).containsExactly("a");
			assertThat(client.ojs().find("rooms", UNKNOWN)).isEmpty();
			Rooms.open.countDown();
			await().until(() -> worker.events(job.id()).contains("job.completed"));
			assertThat(client.ojs().find("rooms", job.id())).isEmpty();
		}
	}

	@Test
	@Tag("AMQP-020")
	void heartbeatsAreHeardFromTheHandlerAndFromElsewhere() throws Exception {
		try (Application worker = worker().start();
				Application second = worker().property("ojs.queues.rooms.concurrency", 1).start()) {
			assertThat(second.events()).isEmpty();
			assertThat(worker.bean(ConnectionFactory.class).createConnection().getDelegate().getHeartbeat())
				.as("seconds between heartbeats of the connection")
				.isPositive();
			String beats = client().channel().queueDeclare().getQueue();
			client().channel().queueBind(beats, "ojs.exchange.direct", CONTROL);
			List<Job> jobs = worker.ojs().enqueueAll(List.of(stay("quiet"), stay("beat")));
			GetResponse beat = client().take(beats);
			assertThat(beat.getProps().getType()).isEqualTo("ojs.control.heartbeat");
			assertThat(text(beat)).contains("\"job_id\":\"%s\"".formatted(jobs.get(1).id()))
				.containsPattern("\"worker_id\":\"[-\\w]+\"");
			await().until(() -> Rooms.started.size() == 2);
			String replies = client().channel().queueDeclare().getQueue();
			ask(jobs.get(0).id(), replies, "1");
			assertThat(text(client().take(replies))).doesNotContain("last_heartbeat_at");
			ask(jobs.get(1).id(), replies, "2");
			assertThat(text(client().take(replies))).contains("last_heartbeat_at");
			publish("ojs.control.heartbeat",
					"{\"job_id\":\"%s\",\"worker_id\":\"elsewhere\"}".formatted(jobs.get(0).id()), null, null);
			await().untilAsserted(() -> {
				ask(jobs.get(0).id(), replies, "3");
				assertThat(text(client().take(replies))).contains("last_heartbeat_at");
			});
			Rooms.open.countDown();
		}
	}

	@Test
	void answersGoToQueuesOfTheBrokersNamingAndToThoseThatAreConfigured() throws Exception {
		try (Application worker = worker().property("ojs.worker.reply-queues", "replies-*,ojs.queue.*").start()) {
			Job job = worker.ojs().enqueue(stay("a"));
			await().until(() -> Rooms.started.contains(job.id()));
			String ofWorker = "ojs.queue.worker._other";
			for (String queue : List.of("somebody", ofWorker, "replies-1")) {
				client().channel().queueDeclare(queue, false, true, true, null);
			}
			for (String queue : List.of("somebody", ofWorker, "ojs.queue.rooms", "ojs.queue.dlx.rooms", CONTROL,
					"replies-1")) {
				ask(job.id(), queue, queue);
			}
			// Behind the others.
			assertThat(client().take("replies-1").getProps().getCorrelationId()).isEqualTo("replies-1");
			assertThat(client().count("somebody")).isZero();
			assertThat(client().count(ofWorker)).isZero();
			assertThat(client().count("ojs.queue.rooms")).isZero();
			assertThat(client().count("ojs.queue.dlx.rooms")).isZero();
			Rooms.open.countDown();
		}
	}

	@Test
	void badRequestsAreDroppedAndTheNextIsHeard() throws Exception {
		String[][] requests = { { "ojs.control.cancel", "{" }, { "ojs.control.cancel", "[]" },
				{ "ojs.control.cancel", "{}" }, { "ojs.control.cancel", "{\"job_id\":17}" },
				{ "ojs.control.info", "{\"job_id\":\"x\"}" }, { "ojs.control.heartbeat", "nonsense" },
				{ "ojs.control.answer", "" }, { "ojs.control.dropped", "{\"job_id\":null}" },
				{ "something.else", "{\"job_id\":\"x\"}" }, { null, "{\"job_id\":\"x\"}" } };
		try (Application application = worker().start()) {
			for (String[] request : requests) {
				String bad = request[0] + " " + request[1];
				publish(request[0], request[1], null, null);
				Job job = application.ojs().enqueue(stay("a"));
				await("after " + bad).until(() -> Rooms.started.contains(job.id()));
				application.ojs().cancel(job);
				await("after " + bad).until(() -> application.events(job.id()).contains("job.cancelled"));
			}
		}
		assertThat(client().count(CONTROL)).isZero();
	}

	private void ask(String jobId, String replyTo, String correlationId) throws IOException {
		publish("ojs.control.info", "{\"job_id\":\"%s\"}".formatted(jobId), replyTo, correlationId);
	}

	private void publish(String type, String body, String replyTo, String correlationId) throws IOException {
		client().channel()
			.basicPublish("ojs.exchange.direct", CONTROL,
					new BasicProperties.Builder().type(type).replyTo(replyTo).correlationId(correlationId).build(),
					body.getBytes(StandardCharsets.UTF_8));
	}

	private static String text(GetResponse message) {
		return new String(message.getBody(), StandardCharsets.UTF_8);
	}

	private static JobRequest stay(String name) {
		return JobRequest.of("room.stay", name).queue("rooms");
	}

	/** Each job on a thread of its own, none in advance. */
	private Application.Starter worker() {
		return application(Rooms.class).property("ojs.queues.rooms.prefetch", 1)
			.property("ojs.worker.shutdown-grace", "2s");
	}

	static class Rooms {

		private static final Set<String> started = ConcurrentHashMap.newKeySet();

		private static CountDownLatch open = new CountDownLatch(1);

		@OjsJobHandler(value = "room.stay", queue = "rooms", concurrency = 3)
		void stay(String name, JobContext context) throws InterruptedException {
			if (name.equals("beat")) {
				context.heartbeat();
			}
			started.add(context.job().id());
			open.await();
		}

	}

}
