package io.ojs.boot;

import java.util.List;
import java.util.Map;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.JobRejectedException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs over HTTP (OJS HTTP Binding §9).
 */
class HttpJobsTests {

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept();

	private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	@Test
	void jobIsEnqueuedLookedAtAndCancelled() {
		HttpApi.open((api) -> {
			Answer pushed = api.post("/ojs/v1/jobs",
					"""
							{"type":"email.send","args":["a",1.50,null,{"b":[true]}],"x_more":{"y":1},
							"options":{"queue":"email","priority":5,"timeout_ms":1500,"tags":["t"],"retry":{"max_attempts":7}}}""");
			assertThat(pushed.status()).isEqualTo(201);
			String id = pushed.text("job.id");
			assertThat(pushed.header("Location")).isEqualTo("/ojs/v1/jobs/" + id);
			assertThat(pushed.header("Content-Type")).isEqualTo("application/openjobspec+json");
			assertThat(pushed.header("OJS-Version")).isEqualTo("1.0");
			assertThat(pushed.header("X-Request-Id")).startsWith("req_");
			assertThat(pushed.at("job.state")).isEqualTo("available");
			assertThat(pushed.at("job.max_attempts")).isEqualTo(7);
			assertThat(pushed.at("job.timeout_ms")).isEqualTo(2000);
			assertThat(pushed.at("job.tags")).isEqualTo(List.of("t"));
			Answer found = api.get("/ojs/v1/jobs/" + id);
			assertThat(found.status()).isEqualTo(200);
			assertThat(found.at("job.labels")).isEqualTo(List.of("#t"));
			assertThat(found.at("job")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsAllEntriesOf((Map<?, ?>) pushed.at("job"));
			assertThat(found.at("job.x_more")).isEqualTo(Map.of("y", 1));
			Answer cancelled = api.delete("/ojs/v1/jobs/" + id);
			assertThat(cancelled.status()).isEqualTo(200);
			assertThat(cancelled.at("job.state")).isEqualTo("cancelled");
			assertThat(cancelled.at("job.cancelled_at")).isNotNull();
			assertThat(cancelled.at("job.completed_at")).isNull();
			Answer again = api.post("/ojs/v1/jobs/" + id + "/cancel", "");
			assertThat(again.status()).isEqualTo(409);
			assertThat(again.at("error.code")).isEqualTo("conflict");
			assertThat(again.at("error.details.current_state")).isEqualTo("cancelled");
		});
	}

	@Test
	void pendingJobIsActivated() {
		HttpApi.open((api) -> {
			Answer pushed = api.post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[],\"options\":{\"pending\":true}}");
			assertThat(pushed.at("job.state")).isEqualTo("pending");
			String path = "/ojs/v1/jobs/" + pushed.text("job.id") + "/activate";
			assertThat(api.post(path, "").at("job.state")).isEqualTo("available");
			assertThat(api.post(path, "").status()).isEqualTo(409);
		});
	}

	@Test
	void batchIsEnqueuedWholeOrNotAtAll() {
		HttpApi.open((api) -> {
			Answer pushed = api.post("/ojs/v1/jobs/batch",
					"{\"jobs\":[{\"type\":\"a\",\"args\":[1]},{\"type\":\"b\",\"args\":[]}]}");
			assertThat(pushed.status()).isEqualTo(201);
			assertThat(pushed.at("count")).isEqualTo(2);
			assertThat(pushed.at("jobs[1].type")).isEqualTo("b");
			Answer refused = api.post("/ojs/v1/jobs/batch", """
					{"jobs":[{"type":"a","args":[],"id":"%s"},{"type":"b","args":[],"options":{"priority":101}}]}"""
				.formatted(ID));
			assertThat(refused.status()).isEqualTo(400);
			assertThat(refused.at("error.details.field")).isEqualTo("jobs[1].options.priority");
			assertThat(api.get("/ojs/v1/jobs/" + ID).status()).isEqualTo(404);
		});
	}

	@Test
	void batchTellsWhichOfItsJobsWereThere() {
		HttpApi.open((api) -> {
			String unique = "{\"type\":\"a\",\"args\":[],\"options\":{\"unique\":{\"on_conflict\":\"ignore\"}}}";
			String first = api.post("/ojs/v1/jobs", unique).text("job.id");
			Answer batch = api.post("/ojs/v1/jobs/batch",
					"{\"jobs\":[{\"type\":\"b\",\"args\":[]},%s]}".formatted(unique));
			assertThat(batch.at("jobs[0].deduplicated")).isNull();
			assertThat(batch.at("jobs[1].deduplicated")).isEqualTo(true);
			assertThat(batch.at("jobs[1].id")).isEqualTo(first);
		});
	}

	@Test
	void batchOfTooManyIsRefused() {
		HttpApi.open((api) -> {
			String jobs = "{\"type\":\"a\",\"args\":[]},".repeat(1000);
			Answer refused = api.post("/ojs/v1/jobs/batch",
					"{\"jobs\":[%s{\"type\":\"a\",\"args\":[]}]}".formatted(jobs));
			assertThat(refused.status()).isEqualTo(400);
			assertThat(refused.at("error.details.field")).isEqualTo("jobs");
			assertThat(refused.text("error.message")).contains("1 to 1000 jobs", "1001 jobs");
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{}|must be an array", "{\"jobs\":[]}|0 jobs",
			"{\"jobs\":[1]}|jobs[0]", "{\"jobs\":{}}|must be an array" })
	void batchThatIsNoneIsRefused(String body, String shown) {
		HttpApi api = kept.api();
		Answer refused = api.post("/ojs/v1/jobs/batch", body);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text("error.message")).contains(shown);
	}

	@Test
	void secondJobWithTheSameIdIsRefused() {
		HttpApi.open((api) -> {
			String body = "{\"type\":\"a\",\"args\":[],\"id\":\"%s\"}".formatted(ID);
			assertThat(api.post("/ojs/v1/jobs", body).status()).isEqualTo(201);
			Answer refused = api.post("/ojs/v1/jobs", body);
			assertThat(refused.status()).isEqualTo(409);
			assertThat(refused.at("error.code")).isEqualTo("duplicate");
			assertThat(refused.at("error.details.existing_job_id")).isEqualTo(ID);
		});
	}

	@ParameterizedTest
	@CsvSource({ "reject,409", "ignore,200", "replace,201" })
	void uniqueJobMeetsAnother(String onConflict, int status) {
		HttpApi.open((api) -> {
			String body = "{\"type\":\"a\",\"args\":[],\"options\":{\"unique\":{\"on_conflict\":\"%s\"}}}"
				.formatted(onConflict);
			String first = api.post("/ojs/v1/jobs", body).text("job.id");
			Answer second = api.post("/ojs/v1/jobs", body);
			assertThat(second.status()).isEqualTo(status);
			switch (onConflict) {
				case "reject" -> assertThat(second.at("error.details.existing_job_id")).isEqualTo(first);
				case "ignore" -> {
					assertThat(second.at("job.id")).isEqualTo(first);
					assertThat(second.at("deduplicated")).isEqualTo(true);
				}
				default -> {
					assertThat(second.at("job.id")).isNotEqualTo(first);
					assertThat(api.get("/ojs/v1/jobs/" + first).at("job.state")).isEqualTo("cancelled");
				}
			}
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{ no json }|400|invalid_payload|",
			"[]|400|invalid_payload|", "{\"args\":[]}|400|invalid_request|type",
			"{\"type\":\"a\",\"args\":{}}|400|invalid_request|args",
			"{\"type\":\"a\",\"args\":[],\"options\":{\"queue\":\"A\"}}|400|invalid_request|options.queue",
			"{\"type\":\"a\",\"args\":[],\"options\":{\"retry\":{\"max_attempts\":-1}}}|422|invalid_request|options.retry.max_attempts" })
	void requestThatIsWrongIsRefusedAndTheFieldNamed(String body, int status, String code, String field) {
		HttpApi api = kept.api();
		Answer refused = api.post("/ojs/v1/jobs", body);
		assertThat(refused.status()).isEqualTo(status);
		assertThat(refused.at("error.code")).isEqualTo(code);
		assertThat(refused.at("error.retryable")).isEqualTo(false);
		assertThat(refused.at("error.request_id")).isEqualTo(refused.header("X-Request-Id"));
		if (field != null) {
			assertThat(refused.at("error.details.field")).isEqualTo(field);
			assertThat(refused.text("error.message")).contains("'" + field + "'");
		}
	}

	@ParameterizedTest
	@CsvSource({ "019539a4-0000-7000-8000-000000000000", "nonsense", "%20", "..%2F" })
	void jobThatIsUnknownIsNotFound(String id) {
		HttpApi api = kept.api();
		for (Answer answer : List.of(api.get("/ojs/v1/jobs/" + id), api.delete("/ojs/v1/jobs/" + id),
				api.post("/ojs/v1/jobs/" + id + "/activate", ""))) {
			assertThat(answer.status()).isEqualTo(404);
			assertThat(answer.at("error.code")).isEqualTo("not_found");
			assertThat(answer.at("error.hint")).isNotNull();
			assertThat(answer.at("error.docs_url")).isNotNull();
		}
	}

	@Test
	void whatAMiddlewareDoesNotWantIsNotEnqueued() {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true")
			.withBean(EnqueueMiddleware.class, () -> (job) -> {
				if (job.type().equals("to.reject")) {
					throw new JobRejectedException("not on Sundays");
				}
				return job.type().equals("to.drop") ? null : job;
			})
			.run((context) -> {
				HttpApi api = HttpApi.of(context.getSourceApplicationContext());
				Answer rejected = api.post("/ojs/v1/jobs", "{\"type\":\"to.reject\",\"args\":[]}");
				assertThat(rejected.status()).isEqualTo(422);
				assertThat(rejected.at("error.code")).isEqualTo("job_rejected");
				assertThat(rejected.at("error.message")).isEqualTo("not on Sundays");
				Answer dropped = api.post("/ojs/v1/jobs", "{\"type\":\"to.drop\",\"args\":[]}");
				assertThat(dropped.status()).isEqualTo(200);
				assertThat(dropped.at("dropped")).isEqualTo(true);
				assertThat(dropped.at("job.state")).isNull();
				assertThat(dropped.at("deduplicated")).isNull();
				assertThat(api.get("/ojs/v1/jobs/" + dropped.text("job.id")).status()).isEqualTo(404);
				Answer batch = api.post("/ojs/v1/jobs/batch",
						"{\"jobs\":[{\"type\":\"to.drop\",\"args\":[]},{\"type\":\"a.b\",\"args\":[]}]}");
				assertThat(batch.status()).isEqualTo(201);
				assertThat(batch.at("jobs[0].dropped")).isEqualTo(true);
				assertThat(batch.at("jobs[1].state")).isEqualTo("available");
				assertThat(batch.at("jobs[1].dropped")).isNull();
			});
	}

}
