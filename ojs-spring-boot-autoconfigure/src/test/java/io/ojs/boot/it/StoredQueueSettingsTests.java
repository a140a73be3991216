package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

import javax.sql.DataSource;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.EventFeed;
import io.ojs.event.StoredEvent;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueEventListener;
import io.ojs.queue.Queues;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is said about queues while they are in use, as an operator sees it.
 */
class StoredQueueSettingsTests extends BrokerTest {

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
		return application(Errands.class, Heard.class).database(this.database.url(), this.database.username(),
				this.database.password());
	}

	private static void awaitState(Application application, Job job, JobState state) {
		await().untilAsserted(() -> assertThat(application.ojs().find(job.id()).map(Job::state)).hasValue(state));
	}

	@Test
	@Tag("QC-6.2-3")
	void leaseOfAJobIsAsLongAsItsQueueSays() {
		try (Application application = instance().property("ojs.queues.errands.visibility-timeout", "6s")
			.property("ojs.store.reap-interval", "200ms")
			.start()) {
			Errands errands = application.bean(Errands.class);
			Job first = application.ojs().enqueue("errand.wait");
			await().until(() -> errands.started.contains(first.id()));
			Instant until = leaseOf(application, first);
			assertThat(until).isBefore(Instant.now().plusSeconds(6));
			// It is this process's for as long as the process is seen.
			await().until(() -> Instant.now().isAfter(until.plusSeconds(2)));
			awaitState(application, first, JobState.ACTIVE);
			application.bean(Queues.class)
				.configure("errands", QueueConfig.builder().visibilityTimeout(Duration.ofMinutes(5)).build());
			Job second = application.ojs().enqueue("errand.wait");
			await().until(() -> errands.started.contains(second.id()));
			assertThat(leaseOf(application, second)).isAfter(Instant.now().plusSeconds(200));
			assertThat(leaseOf(application, first)).as("one that was taken before").isEqualTo(until);
			errands.open.release(2);
			awaitState(application, first, JobState.COMPLETED);
			awaitState(application, second, JobState.COMPLETED);
			assertThat(errands.started).containsExactly(first.id(), second.id());
		}
	}

	private static Instant leaseOf(Application application, Job job) {
		return Objects
			.requireNonNull(new JdbcTemplate(application.bean(DataSource.class)).queryForObject(
					"select lease_until from ojs_job where id = cast(? as uuid)", OffsetDateTime.class, job.id()))
			.toInstant();
	}

	@Test
	@Tag("QC-6.4-1")
	@Tag("QC-11.2-3")
	void deadLettersAreAmongThoseOfAnotherQueueAndGoBackToTheirOwn() {
		try (Application application = instance().managed().start()) {
			Errands errands = application.bean(Errands.class);
			Queues queues = application.bean(Queues.class);
			queues.configure("errands", QueueConfig.builder().deadLetterQueue("graveyard").build());
			assertThat(queues.list()).extracting((queue) -> queue.name()).contains("graveyard");
			Job job = application.ojs().enqueue(JobRequest.of("errand.fail").retry((retry) -> retry.maxAttempts(4)));
			awaitState(application, job, JobState.DISCARDED);
			assertThat(application.ojs().find(job.id()).orElseThrow()).satisfies((dead) -> {
				assertThat(dead.queue()).isEqualTo("errands");
				assertThat(dead.extensions()).containsEntry("dead_letter_queue", "graveyard")
					.containsEntry("max_attempts", 4)
					.containsKey("dead_lettered_at");
			});
			assertThat(application.bean(DeadLetters.class).list(DeadLetterFilter.ANY.queue("graveyard"), 10).letters())
				.extracting((letter) -> letter.job().id())
				.containsExactly(job.id());
			JsonNode counted = post(application, "/graveyard", "{\"errorType\":\"HOPELESS\"}", 200);
			assertThat(counted.get("source").asString()).isEqualTo("store");
			assertThat(counted.get("dryRun").asBoolean()).isTrue();
			assertThat(counted.get("replayed").asInt()).isOne();
			assertThat(counted.get("left").asInt()).isOne();
			assertThat(post(application, "/errands", "{\"dryRun\":\"false\"}", 200).get("replayed").asInt()).isZero();
			assertThat(post(application, "/graveyard", "{\"errorCode\":\"X\"}", 400).get("error").asString())
				.contains("'filter.error_code' must be left out");
			assertThat(post(application, "/graveyard", "{\"max\":\"0\"}", 400).get("error").asString())
				.contains("limit");
			errands.patient = true;
			JsonNode replayed = post(application, "/graveyard",
					"{\"dryRun\":\"false\",\"maxAttempts\":\"2\",\"id\":\"%s\"}".formatted(job.id()), 200);
			assertThat(replayed.get("replayed").asInt()).isOne();
			assertThat(replayed.get("end").asString()).isEqualTo("done");
			assertThat(replayed.get("left").asInt()).isZero();
			awaitState(application, job, JobState.COMPLETED);
			assertThat(application.ojs().find(job.id()).orElseThrow()).satisfies((done) -> {
				assertThat(done.queue()).isEqualTo("errands");
				assertThat(done.extensions()).containsEntry("max_attempts", 2).doesNotContainKey("dead_letter_queue");
			});
			await().until(() -> client().count("ojs.queue.dlx.errands") == 0);
		}
	}

	private static JsonNode post(Application application, String path, String body, int status) {
		HttpResponse<String> response = application.post("/actuator/ojs" + path, body);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return JsonMapper.shared().readTree(response.body());
	}

	@Test
	void theFeedTellsOfQueuesOnceAndListenersWhereItWasDone() {
		try (Application here = instance().property("ojs.worker.enabled", false).start();
				Application there = instance().property("ojs.worker.enabled", false).start()) {
			Queues queues = here.bean(Queues.class);
			queues.create("small", QueueConfig.builder().maxSize(1L).build());
			queues.pause("small");
			queues.resume("small");
			Job job = here.ojs().enqueue(JobRequest.of("errand.wait").queue("small"));
			here.ojs().cancel(job.id());
			queues.drain("small");
			List<String> all = List.of("queue.created", "queue.paused", "queue.resumed", "queue.full", "queue.drained",
					"queue.deleted");
			await().untilAsserted(() -> assertThat(feed(there)).extracting(StoredEvent::type).isEqualTo(all));
			assertThat(feed(here).get(3).data())
				.containsAllEntriesOf(Map.of("queue", "small", "jobs", 1, "max_size", 1));
			List<String> heard = here.bean(Heard.class).names;
			List<String> elsewhere = there.bean(Heard.class).names;
			// Whichever of them saw first that it was empty.
			await().until(() -> heard.size() + elsewhere.size() == all.size());
			assertThat(heard).startsWith("queue.created", "queue.paused", "queue.resumed", "queue.full");
		}
	}

	private static List<StoredEvent> feed(Application application) {
		return application.bean(EventFeed.class).after(0, Set.of("queue.*"), Set.of("small"), 100);
	}

	static class Heard implements QueueEventListener {

		private final List<String> names = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(QueueEvent event) {
			this.names.add(event.name());
		}

	}

	static class Errands {

		private final List<String> started = new CopyOnWriteArrayList<>();

		private final Semaphore open = new Semaphore(0);

		private volatile boolean patient;

		@OjsJobHandler(value = "errand.wait", queue = "errands")
		void wait(Job job) throws InterruptedException {
			this.started.add(job.id());
			this.open.acquire();
		}

		@OjsJobHandler(value = "errand.fail", queue = "errands")
		void fail() {
			if (!this.patient) {
				throw JobFailedException.deadLetter("HOPELESS", "nothing helps");
			}
		}

	}

}
