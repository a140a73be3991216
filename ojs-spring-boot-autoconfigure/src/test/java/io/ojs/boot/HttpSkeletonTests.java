package io.ojs.boot;

import java.util.Map;

import javax.sql.DataSource;

import io.ojs.boot.HttpApi.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is the same for all endpoints (OJS HTTP Binding §3, §4, §6, §16, §18, §19).
 */
class HttpSkeletonTests {

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept();

	private static final String JOB = "{\"type\":\"a\",\"args\":[]}";

	@ParameterizedTest
	@ValueSource(strings = { "/ojs", "/ojs/", "/ojs/v2/jobs", "/ojs/v1/jobs/a/b", "/ojs/v1/nothing" })
	void unknownPathIsAnsweredInTheWordsOfOjs(String path) {
		HttpApi api = kept.api();
		Answer answer = api.get(path);
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.header("Content-Type")).isEqualTo("application/openjobspec+json");
		assertThat(answer.at("error.code")).isEqualTo("not_found");
	}

	@Test
	void pathsOfTheApplicationAreNotTouched() {
		HttpApi.open((api) -> {
			Answer answer = api.get("/ojsx");
			assertThat(answer.status()).isEqualTo(404);
			assertThat(answer.header("OJS-Version")).isNull();
		});
	}

	@Test
	void wrongMethodIsRefusedAndTheRightOnesAreNamed() {
		HttpApi.open((api) -> {
			Answer answer = api.put("/ojs/v1/jobs/019539a4-0000-7000-8000-000000000000", "{}");
			assertThat(answer.status()).isEqualTo(405);
			assertThat(answer.header("Allow")).isEqualTo("DELETE, GET, HEAD");
		});
	}

	@Test
	void bodyThatIsTooLargeIsRefused() {
		HttpApi.open((api) -> {
			String body = "{\"type\":\"a\",\"args\":[\"" + "x".repeat(200) + "\"]}";
			Answer answer = api.post("/ojs/v1/jobs", body);
			assertThat(answer.status()).isEqualTo(413);
			assertThat(answer.at("error.details.max_bytes")).isEqualTo(200);
			assertThat(api.post("/ojs/v1/jobs", JOB).status()).isEqualTo(201);
		}, "ojs.http.max-body-size=200B");
	}

	@ParameterizedTest
	@CsvSource({ "50,201,job", "300,400,invalid_request", "501,400,invalid_payload", "100000,400,invalid_payload" })
	void bodyThatIsNestedTooDeeplyIsRefused(int depth, int status, String shown) {
		HttpApi api = kept.api();
		Answer answer = api.post("/ojs/v1/jobs",
				"{\"type\":\"a\",\"args\":%s%s}".formatted("[".repeat(depth), "]".repeat(depth)));
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.body()).contains("\"" + shown + "\"");
	}

	@ParameterizedTest
	@CsvSource({ "application/json,201", "application/json;charset=UTF-8,201", "Application/OpenJobSpec+JSON,201",
			"text/plain,415", "application/x-www-form-urlencoded,415", "nonsense,415" })
	void bodyMustBeJson(String contentType, int status) {
		HttpApi api = kept.api();
		assertThat(api.send("POST", "/ojs/v1/jobs", JOB, Map.of("Content-Type", contentType)).status())
			.isEqualTo(status);
	}

	@ParameterizedTest
	@CsvSource({ "1.0,200", "1,200", "1.0.0-rc.1,200", "2.0,422", "1.1,422", "x,422" })
	void versionIsAgreedOn(String version, int status) {
		HttpApi api = kept.api();
		Answer answer = api.send("GET", "/ojs/manifest", null, Map.of("OJS-Version", version));
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.header("OJS-Version")).isEqualTo("1.0");
	}

	@Test
	void whateverIsReadMayBeAskedForByHead() {
		HttpApi.open((api) -> {
			Answer answer = api.send("HEAD", "/ojs/v1/health", null, Map.of());
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
		});
	}

	@Test
	void requestKeepsItsId() {
		HttpApi.open((api) -> {
			assertThat(api.send("GET", "/ojs/v1/health", null, Map.of("X-Request-ID", "mine-1")).header("X-Request-Id"))
				.isEqualTo("mine-1");
			for (String bad : new String[] { "a b", "x".repeat(129), "é" }) {
				assertThat(api.send("GET", "/ojs/v1/health", null, Map.of("X-Request-ID", bad)).header("X-Request-Id"))
					.startsWith("req_");
			}
		});
	}

	@Test
	void manifestAndHealthTellAboutTheServer() {
		HttpApi.open((api) -> {
			Answer manifest = api.get("/ojs/manifest");
			assertThat(manifest.at("specversion")).isEqualTo("1.0");
			assertThat(manifest.at("implementation.name")).isEqualTo("ojs-spring-boot");
			Answer health = api.get("/ojs/v1/health");
			assertThat(health.status()).isEqualTo(200);
			assertThat(health.at("status")).isEqualTo("ok");
			assertThat(health.at("backend.status")).isEqualTo("ok");
		});
	}

	@Test
	void healthReadsNoJob() {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true").run((context) -> {
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			api.post("/ojs/v1/jobs", JOB);
			new JdbcTemplate(context.getBean(DataSource.class)).update("update ojs_job set envelope = 'unreadable'");
			assertThat(api.get("/ojs/v1/health").status()).isEqualTo(200);
		});
	}

	@Test
	void healthIsAtTheRootIfThatIsWanted() {
		HttpApi.open((api) -> assertThat(api.get("/health").header("OJS-Version")).isNull());
		HttpApi.open((api) -> {
			assertThat(api.get("/health").at("status")).isEqualTo("ok");
			assertThat(api.get("/ready").at("status")).isEqualTo("ok");
			assertThat(api.get("/healthy").header("OJS-Version")).isNull();
		}, "ojs.http.root-endpoints=true");
	}

	@Test
	void tooManyRequestsAreRefused() {
		HttpApi.open((api) -> {
			int refused = 0;
			for (int i = 0; i < 50; i++) {
				Answer answer = api.get("/ojs/manifest");
				if (answer.status() == 429) {
					refused++;
					assertThat(answer.header("Retry-After")).isEqualTo("1");
					assertThat(answer.at("error.retryable")).isEqualTo(true);
					assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo("0");
				}
				assertThat(answer.header("X-RateLimit-Limit")).isEqualTo("2");
				assertThat(answer.header("X-RateLimit-Remaining")).as("after this one").isIn("1", "0");
			}
			assertThat(refused).isPositive().isLessThan(50);
			await().until(() -> api.get("/ojs/manifest").header("X-RateLimit-Remaining").equals("1"));
		}, "ojs.http.requests-per-second=2");
	}

}
