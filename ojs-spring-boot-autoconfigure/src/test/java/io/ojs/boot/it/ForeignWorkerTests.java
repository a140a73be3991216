package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.ojs.deadletter.DeadLetters;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Workers that are not this library's, on queues whose jobs a store keeps.
 */
@ExtendWith(OutputCaptureExtension.class)
class ForeignWorkerTests extends BrokerTest {

	private static final String PROPERTY = "ojs.queues.py.delivery=hand-over";

	/** Compiling a program, on a busy machine. */
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final List<String> taken = new CopyOnWriteArrayList<>();

	private PostgresDatabase database;

	@BeforeEach
	void createDatabase() {
		this.database = StoreDatabases.create();
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application.Starter instance() {
		return application().database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.store.overdue-after", "1s");
	}

	private Application.Starter handingOver() {
		return instance().property("ojs.queues.py.delivery", "hand-over");
	}

	private void consume() throws Exception {
		Channel channel = client().channel();
		channel.basicConsume("ojs.queue.py", false, (tag, delivery) -> {
			this.taken.add(delivery.getProperties().getMessageId());
			channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
		}, (tag) -> {
		});
	}

	private static JobRequest request(Object... args) {
		return JobRequest.of("py.work", args).queue("py");
	}

	private static JobState state(Application application, Job job) {
		return application.ojs().find(job.id()).map(Job::state).orElseThrow();
	}

	@Test
	void whatAForeignConsumerMayHaveTakenIsNotPublishedAgain(CapturedOutput output) throws Exception {
		try (Application application = instance().property("ojs.queues.py.type", "classic").start()) {
			consume();
			Job job = application.ojs().enqueue(request(1));
			await().until(() -> this.taken.contains(job.id()));
			await().atMost(PATIENCE).until(() -> output.getAll().contains(PROPERTY));
			// A check comes each second, and the relay at once.
			await().during(Duration.ofSeconds(3)).until(() -> this.taken.size() == 1);
			assertThat(output.getAll().split(PROPERTY, -1)).as("said once").hasSize(2);
			assertThat(state(application, job)).isEqualTo(JobState.AVAILABLE);
		}
		try (Application application = handingOver().property("ojs.queues.py.type", "classic").start()) {
			await("what was published before is handed over").atMost(PATIENCE)
				.until(() -> application.events().stream().anyMatch((event) -> event.name().equals("job.handed_over")));
			assertThat(this.taken).hasSize(1);
		}
	}

	@Test
	void aJobThatIsHandedOverIsTheBrokersUntilItsWorkerReports() throws Exception {
		try (Application application = handingOver().start()) {
			Job job = application.ojs().enqueue(request(1));
			await().until(() -> state(application, job) == JobState.HANDED_OVER);
			assertThat(application.ojs().find(job.id()).orElseThrow().extensions()).containsKey("handed_over_at");
			await().untilAsserted(
					() -> assertThat(application.events(job.id())).containsExactly("job.enqueued", "job.handed_over"));
			GetResponse message = client().channel().basicGet("ojs.queue.py", false);
			assertThat(message.getProps().getMessageId()).isEqualTo(job.id());
			client().channel()
				.basicPublish("ojs.exchange.direct", "ojs.queue.control.py",
						new BasicProperties.Builder().type("ojs.control.heartbeat").build(),
						"{\"job_id\":\"%s\",\"worker_id\":\"py-1\"}".formatted(job.id())
							.getBytes(StandardCharsets.UTF_8));
			await().until(() -> state(application, job) == JobState.ACTIVE);
			await().untilAsserted(() -> assertThat(application.events(job.id())).endsWith("job.started"));
		}
	}

	@Test
	void aWorkerGetsItsJobFromTheBrokerAndReportsOverHttp() throws Exception {
		try (Application application = handingOver().http().start()) {
			Job job = application.ojs()
				.enqueue(request(1).retry((retry) -> retry.initialInterval(Duration.ofMillis(100))));
			fetch(job, 1);
			report(application, "heartbeat", "{\"worker_id\":\"py-1\",\"active_jobs\":[\"%s\"]}", job);
			assertThat(state(application, job)).isEqualTo(JobState.ACTIVE);
			report(application, "nack",
					"{\"worker_id\":\"py-1\",\"job_id\":\"%s\",\"error\":{\"code\":\"handler_error\","
							+ "\"message\":\"no luck\"}}",
					job);
			fetch(job, 2);
			report(application, "ack", "{\"worker_id\":\"py-1\",\"job_id\":\"%s\",\"result\":7}", job);
			assertThat(state(application, job)).isEqualTo(JobState.COMPLETED);
			assertThat(application.ojs().find(job.id()).map(Job::result)).contains(7);
			assertThat(client().count("ojs.queue.py")).isZero();
		}
	}

	/** As a worker does that acks before it begins. */
	private void fetch(Job job, int attempt) throws Exception {
		GetResponse message = await().atMost(PATIENCE)
			.until(() -> client().channel().basicGet("ojs.queue.py", true), Objects::nonNull);
		assertThat(message.getProps().getMessageId()).isEqualTo(job.id());
		assertThat(message.getProps().getHeaders()).containsEntry("x-ojs-attempt", attempt);
	}

	private static void report(Application application, String what, String body, Job job) {
		HttpResponse<String> answer = application.post("/ojs/v1/workers/" + what, body.formatted(job.id()));
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
	}

	@Test
	void thePythonWorkerWorks() {
		works((uri) -> ForeignProgram.python("worker.py", uri, "py"));
	}

	@Test
	void theGoWorkerWorks() {
		works((uri) -> ForeignProgram.go("worker.go", uri, "py"));
	}

	private void works(Function<String, ForeignProgram> program) {
		try (Application application = handingOver().start(); ForeignProgram worker = program.apply(uri())) {
			Job fine = application.ojs().enqueue(request("fine"));
			Job flaky = application.ojs().enqueue(request("flaky"));
			Job broken = application.ojs().enqueue(request("broken").retry((retry) -> retry.maxAttempts(2)));
			await().atMost(PATIENCE).untilAsserted(() -> {
				assertThat(worker.lines()).contains("done %s 1".formatted(fine.id()),
						"done %s 2".formatted(flaky.id()));
				assertThat(state(application, broken)).as(() -> "with " + worker.lines()).isEqualTo(JobState.DISCARDED);
			});
			await().atMost(PATIENCE).until(() -> state(application, flaky) == JobState.HANDED_OVER);
			List<JobError> errors = application.bean(DeadLetters.class).get(broken.id()).orElseThrow().job().errors();
			assertThat(errors).last().satisfies((error) -> {
				assertThat(error.message()).isEqualTo("no luck with broken");
				assertThat(error.code()).isEqualTo("HANDLER_ERROR");
				assertThat(error.attempt()).isEqualTo(2);
			});
		}
	}

}
