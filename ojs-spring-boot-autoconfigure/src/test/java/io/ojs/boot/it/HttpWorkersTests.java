package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A worker that speaks HTTP and nothing else.
 */
@Tag("java-versions")
class HttpWorkersTests extends BrokerTest {

	private final JsonMapper json = JsonMapper.shared();

	private Application application;

	@BeforeEach
	void start() {
		start(new Class<?>[0]);
	}

	private void start(Class<?>... beans) {
		this.application = application(beans)
			.database("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID()), "sa", "")
			.http()
			.start();
	}

	@AfterEach
	void stop() {
		this.application.close();
	}

	private JsonNode post(int status, String path, Object body) {
		HttpResponse<String> answer = this.application.post("/ojs/v1" + path, this.json.writeValueAsString(body));
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		return this.json.readTree(answer.body());
	}

	private JsonNode get(int status, String path) {
		HttpResponse<String> answer = this.application.get("/ojs/v1" + path);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		return this.json.readTree(answer.body());
	}

	private Job enqueue(JobRequest request) {
		return this.application.ojs().enqueue(request.queue("parcels"));
	}

	private JsonNode fetch(String worker) {
		return post(200, "/workers/fetch", Map.of("queues", new String[] { "parcels" }, "worker_id", worker))
			.get("jobs");
	}

	private static Map<String, Object> failure(String id) {
		return Map.of("job_id", id, "error",
				Map.of("code", "handler_error", "message", "no luck", "details", Map.of("error_class", "NetError")));
	}

	@Test
	void aJobIsFetchedFailsIsFetchedAgainAndIsDone() {
		Job job = enqueue(JobRequest.of("parcel.send", 7).retry((retry) -> retry.maxAttempts(2)));
		JsonNode fetched = fetch("w-1");
		assertThat(fetched).hasSize(1);
		assertThat(fetched.get(0).get("id").asString()).isEqualTo(job.id());
		assertThat(fetched.get(0).get("state").asString()).isEqualTo("active");
		assertThat(fetched.get(0).has("retry_delay_ms")).isFalse();
		assertThat(fetch("w-2")).isEmpty();
		JsonNode nacked = post(200, "/workers/nack", failure(job.id()));
		assertThat(nacked.get("state").asString()).isEqualTo("retryable");
		assertThat(nacked.get("retry_delay_ms").asInt()).isEqualTo(200);
		assertThat(nacked.get("next_attempt_at").asString()).isNotBlank();
		assertThat(get(200, "/jobs/" + job.id()).at("/job/error/type").asString()).isEqualTo("NetError");
		await().untilAsserted(() -> {
			JsonNode again = fetch("w-2");
			assertThat(again).hasSize(1);
			assertThat(again.get(0).get("attempt").asInt()).isEqualTo(2);
			assertThat(again.get(0).get("retry_delay_ms").asInt()).isEqualTo(200);
		});
		JsonNode conflict = post(409, "/workers/ack", Map.of("job_id", job.id(), "worker_id", "w-1"));
		assertThat(conflict.at("/error/details/current_state").asString()).isEqualTo("active");
		JsonNode acked = post(200, "/jobs/" + job.id() + "/ack", Map.of("worker_id", "w-2", "result", "done"));
		assertThat(acked.get("acknowledged").asBoolean()).isTrue();
		assertThat(acked.at("/job/state").asString()).isEqualTo("completed");
		assertThat(this.application.ojs().find(job.id()).map(Job::result)).contains("done");
		assertThat(this.application.worked(job.id())).containsExactly("job.started", "job.failed", "job.retrying",
				"job.started", "job.completed");
	}

	@Test
	void heartbeatsKeepAJobThatIsOtherwiseLost() {
		Job kept = enqueue(JobRequest.of("parcel.send").extension("visibility_timeout_ms", 1500));
		fetch("w-1");
		await().pollDelay(Duration.ofMillis(500))
			.pollInterval(Duration.ofMillis(500))
			.during(Duration.ofSeconds(3))
			.atMost(Duration.ofSeconds(20))
			.until(() -> post(200, "/workers/heartbeat",
					Map.of("worker_id", "w-1", "active_jobs", new String[] { kept.id() }))
				.get("jobs_extended")
				.size() == 1);
		assertThat(this.application.ojs().find(kept.id()).map(Job::state)).contains(JobState.ACTIVE);
		await().atMost(Duration.ofSeconds(30))
			.until(() -> this.application.ojs().find(kept.id()).orElseThrow().state() == JobState.AVAILABLE);
		assertThat(
				post(200, "/workers/heartbeat", Map.of("worker_id", "w-1", "active_jobs", new String[] { kept.id() }))
					.get("jobs_lost"))
			.hasSize(1);
		post(409, "/workers/ack", Map.of("job_id", kept.id()));
	}

	@Test
	void drainedWorkersGetNothingAndTheirHealthSaysSo() {
		enqueue(JobRequest.of("parcel.send"));
		post(200, "/workers/beat", Map.of("worker_id", "w-1", "state", "drain", "active_jobs", 2));
		assertThat(fetch("w-1")).isEmpty();
		JsonNode health = get(200, "/workers/w-1/health");
		assertThat(health.get("state").asString()).isEqualTo("draining");
		assertThat(health.get("active_jobs").asInt()).isEqualTo(2);
	}

	@Test
	void jobsDoNotSayWhatWorkersShouldDo() {
		Job job = enqueue(JobRequest.of("parcel.send").meta("test_directive", "quiet"));
		fetch("w-1");
		assertThat(post(200, "/workers/heartbeat", Map.of("worker_id", "w-1", "active_jobs", new String[] { job.id() }))
			.get("state")
			.asString()).isEqualTo("running");
	}

	@Test
	void progressIsKept() {
		Job job = enqueue(JobRequest.of("parcel.send"));
		get(404, "/jobs/" + job.id() + "/progress");
		post(409, "/jobs/" + job.id() + "/progress", Map.of("progress", 0.1));
		fetch("w-1");
		assertThat(post(200, "/jobs/" + job.id() + "/progress", Map.of("progress", 1.5, "message", "nearly"))
			.get("progress")
			.asDouble()).isEqualTo(1.0);
		assertThat(get(200, "/jobs/" + job.id() + "/progress").get("message").asString()).isEqualTo("nearly");
	}

	@Test
	void progressOfHandlersIsKeptToo() {
		Halfway.open = new CountDownLatch(1);
		stop();
		start(Halfway.class);
		Job job = this.application.ojs().enqueue(JobRequest.of("half.way"));
		await().untilAsserted(() -> {
			JsonNode progress = get(200, "/jobs/" + job.id() + "/progress");
			assertThat(progress.get("progress").asDouble()).isEqualTo(0.5);
			assertThat(progress.get("message").asString()).isEqualTo("half of it");
		});
		Halfway.open.countDown();
	}

	static class Halfway {

		private static volatile CountDownLatch open = new CountDownLatch(0);

		@OjsJobHandler("half.way")
		void go(JobContext context) throws InterruptedException {
			context.progress(0.5, "half of it");
			open.await();
		}

	}

}
