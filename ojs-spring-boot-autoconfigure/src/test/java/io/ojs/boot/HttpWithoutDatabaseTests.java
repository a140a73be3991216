package io.ojs.boot;

import java.util.Locale;

import javax.sql.DataSource;

import io.ojs.boot.HttpApi.Answer;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What callers are told when the database fails: to try again, and nothing that it said.
 */
class HttpWithoutDatabaseTests {

	@Test
	void callersAreAskedToTryAgainAndToldNoSecrets() {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true").run((context) -> {
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			assertThat(api.get("/ojs/v1/health").status()).isEqualTo(200);
			new JdbcTemplate(context.getBean(DataSource.class)).execute("drop table ojs_job");
			Answer health = api.get("/ojs/v1/health");
			assertThat(health.status()).isEqualTo(503);
			assertThat(health.at("status")).isEqualTo("degraded");
			assertThat(health.at("backend.status")).isEqualTo("unhealthy");
			for (Answer answer : new Answer[] { api.post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[]}"),
					api.get("/ojs/v1/admin/jobs"), api.get("/ojs/v1/jobs/019539a4-0000-7000-8000-000000000000") }) {
				assertThat(answer.status()).isEqualTo(503);
				assertThat(answer.at("error.code")).isEqualTo("backend_error");
				assertThat(answer.at("error.retryable")).isEqualTo(true);
				assertThat(answer.header("Retry-After")).isEqualTo("1");
				assertThat(answer.body().toLowerCase(Locale.ROOT)).doesNotContain("ojs_job", "select", "exception");
			}
		});
	}

	@Test
	void stackTraceIsShownIfThatIsWanted() {
		HttpApi.open((api) -> assertThat(api.get("/ojs/v1/jobs/nonsense").at("error.details.stack_trace")).isNull());
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.http.include-stacktrace=true")
			.run((context) -> {
				new JdbcTemplate(context.getBean(DataSource.class)).execute("drop table ojs_job");
				Answer answer = HttpApi.of(context.getSourceApplicationContext()).get("/ojs/v1/admin/jobs");
				assertThat(answer.status()).isEqualTo(503);
				assertThat(answer.text("error.details.stack_trace")).contains("StoreUnavailableException");
			});
	}

}
