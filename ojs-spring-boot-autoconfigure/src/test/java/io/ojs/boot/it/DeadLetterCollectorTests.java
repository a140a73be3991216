package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.client.internal.EncodedJob;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What arrives in a dead letter queue, from whatever cause, is found in the store.
 */
class DeadLetterCollectorTests extends BrokerTest {

	private static final String JOBS = "ojs.queue.lost";

	private static final String DEAD = "ojs.queue.dlx.lost";

	private static final String UNDECODABLE = "ojs.queue.undecodable._lost";

	private final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@Test
	void jobThatItsWorkerGaveUpIsThereOnce() {
		try (Application application = worker().start()) {
			String id = this.ids.next();
			client().publishJob("lost", id, "lost.never", "[]");
			await().until(() -> application.events(id).contains("job.dead_lettered"));
			awaitCollected();
			StoredJob dead = find(application, id);
			assertThat(dead.deadLetteredAt()).isNotNull();
			assertThat(dead.job().errors()).extracting(JobError::message).containsExactly("no luck");
		}
		assertThat(client().count(DEAD)).isZero();
	}

	@Test
	void jobThatTheBrokerGaveUpIsADeadLetterWithItsReason() {
		Job job;
		try (Application producer = worker().property("ojs.worker.enabled", false).start()) {
			await().until(() -> client().exists(JOBS) && client().exists(DEAD));
			job = insert(producer);
			client().publish("lost", RawClient.properties(job.id(), job.type()).expiration("1").build(),
					new JsonJobCodec().encode(job));
			await().until(() -> client().count(DEAD) == 1);
			try (Application application = worker().start()) {
				awaitCollected();
				await().until(() -> find(application, job.id()).job().state() == JobState.DISCARDED);
				StoredJob dead = find(application, job.id());
				assertThat(dead.deadLetteredAt()).isNotNull();
				assertThat(dead.job().errors()).extracting(JobError::code).containsExactly(JobError.JOB_EXPIRED);
				await().untilAsserted(() -> assertThat(application.events(job.id())).as("it does not run")
					.containsExactly("job.dead_lettered"));
			}
		}
	}

	@Test
	void deadLetterOfSomebodyElseIsAdoptedWithItsError() throws Exception {
		try (Application application = worker().start()) {
			String id = this.ids.next();
			Map<String, Object> headers = Map.of("x-ojs-attempt", 3, "x-ojs-error-code", "HANDLER_ERROR",
					"x-ojs-error-type", "smtp.refused", "x-ojs-error-message", "no luck elsewhere", "x-ojs-error-at",
					"2026-01-02T03:04:05Z");
			toDeadLetters(RawClient.properties(id, "mail.send").headers(headers).build(),
					RawClient.envelope(id, "mail.send", "lost", "[7]"));
			await().until(() -> application.bean(JobStore.class).find(id).isPresent());
			StoredJob dead = find(application, id);
			assertThat(dead.job().state()).isEqualTo(JobState.DISCARDED);
			assertThat(dead.job().args()).containsExactly(7);
			assertThat(dead.job().attempt()).isEqualTo(3);
			JobError error = dead.job().errors().get(0);
			assertThat(error.type()).isEqualTo("smtp.refused");
			assertThat(error.message()).isEqualTo("no luck elsewhere");
			assertThat(error.occurredAt()).isEqualTo("2026-01-02T03:04:05Z");
			awaitCollected();
		}
	}

	@Test
	void whatIsNoJobIsPutAsideAsItCame() throws Exception {
		try (Application application = worker().start()) {
			byte[] body = "no job".getBytes(StandardCharsets.UTF_8);
			toDeadLetters(new BasicProperties.Builder().messageId("strange")
				.contentType("text/plain")
				.priority(3)
				.headers(Map.of("x-theirs", "kept"))
				.build(), body);
			await().until(() -> client().exists(UNDECODABLE));
			GetResponse parked = client().take(UNDECODABLE);
			assertThat(parked.getBody()).isEqualTo(body);
			assertThat(parked.getProps().getMessageId()).isEqualTo("strange");
			assertThat(parked.getProps().getContentType()).isEqualTo("text/plain");
			assertThat(RawClient.headers(parked)).containsEntry("x-theirs", "kept");
			awaitCollected();
			assertThat(application.events()).isEmpty();
		}
	}

	@Test
	void deadLetterThatOnlyHasTheIdOfAJobIsPutAsideAsItCame() throws Exception {
		try (Application application = worker().start()) {
			Job job = insert(application);
			byte[] body = new JsonJobCodec().encode(job.toBuilder().args(List.of("other")).build());
			toDeadLetters(RawClient.properties(job.id(), job.type())
				.headers(Map.of("x-theirs", "kept", "x-ojs-error-code", "HANDLER_ERROR"))
				.build(), body);
			GetResponse parked = client().take(UNDECODABLE);
			assertThat(parked.getBody()).isEqualTo(body);
			assertThat(parked.getProps().getMessageId()).isEqualTo(job.id());
			assertThat(RawClient.headers(parked)).containsEntry("x-theirs", "kept")
				.containsEntry("x-ojs-error-code", "HANDLER_ERROR");
			awaitCollected();
			StoredJob kept = find(application, job.id());
			assertThat(kept.job().state()).isEqualTo(JobState.AVAILABLE);
			assertThat(kept.job().errors()).isEmpty();
			assertThat(kept.deadLetteredAt()).isNull();
		}
		assertThat(client().count(DEAD)).as("acked").isZero();
	}

	@Test
	void deadLetterWaitsForADatabaseThatIsAway() throws Exception {
		try (Application application = worker().start()) {
			StoreBeans.GatedDataSource database = application.bean(StoreBeans.GatedDataSource.class);
			database.away.set(true);
			String id = this.ids.next();
			toDeadLetters(RawClient.properties(id, "mail.send").build(),
					RawClient.envelope(id, "mail.send", "lost", "[]"));
			await().until(() -> client().count(DEAD) == 0);
			await().during(Duration.ofSeconds(2)).until(() -> !client().exists(UNDECODABLE));
			database.away.set(false);
			await().until(() -> application.bean(JobStore.class).find(id).isPresent());
			awaitCollected();
		}
		assertThat(client().count(DEAD)).as("acked").isZero();
	}

	private void awaitCollected() {
		await().until(() -> client().exists(DEAD) && client().count(DEAD) == 0);
	}

	private void toDeadLetters(BasicProperties properties, byte[] body) throws Exception {
		await().until(() -> client().exists(DEAD));
		client().channel().basicPublish("ojs.exchange.dlx", "lost", true, properties, body);
	}

	private Application.Starter worker() {
		return application(Lost.class, StoreBeans.class).property("ojs.store.enabled", true)
			.property("ojs.store.initialize-schema", "always")
			.property("test.database.url", this.url)
			.property("test.database.username", "sa")
			.property("test.database.password", "")
			.property("ojs.queues.lost.retry.max-attempts", 1);
	}

	private Job insert(Application application) {
		Job job = Job.builder(this.ids.next(), "lost.never", "lost")
			.state(JobState.AVAILABLE)
			.createdAt(Rfc3339.utc(Instant.now()))
			.build();
		application.bean(JobStore.class)
			.insert(List.of(new NewJob(new EncodedJob(job, new JsonJobCodec().encode(job), 1), Map.of(),
					Instant.now().plusSeconds(60))));
		return job;
	}

	private static StoredJob find(Application application, String id) {
		return application.bean(JobStore.class).find(id).orElseThrow();
	}

	static class Lost {

		@OjsJobHandler(value = "lost.never", queue = "lost")
		void never() {
			throw new IllegalStateException("no luck");
		}

	}

}
