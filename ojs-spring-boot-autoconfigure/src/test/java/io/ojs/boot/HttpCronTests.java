package io.ojs.boot;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;

import io.ojs.boot.HttpApi.Answer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Crons over HTTP.
 */
class HttpCronTests {

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept();

	private static final String NIGHTLY = """
			{"name":"nightly","expression":"0 3 * * *","timezone":"Asia/Tokyo",
			 "job_template":{"type":"report.render","args":[{"a":1.5}],"options":{"queue":"reports","priority":3}}}""";

	@Test
	void cronsNameNoMoreNewQueuesThanThereMayBe() {
		HttpApi.open((api) -> {
			List<Integer> statuses = IntStream.range(0, 6)
				.mapToObj((i) -> api
					.post("/ojs/v1/cron", NIGHTLY.replace("nightly", "nightly-" + i).replace("reports", "reports-" + i))
					.status())
				.toList();
			assertThat(statuses).containsSequence(201, 422).endsWith(422, 422);
		}, "ojs.http.max-queues=4");
	}

	@Test
	void cronIsRegisteredLookedAtSwitchedAndRemoved() {
		HttpApi.open((api) -> {
			Answer registered = api.post("/ojs/v1/cron", NIGHTLY);
			assertThat(registered.status()).isEqualTo(201);
			assertThat(registered.at("cron.name")).isEqualTo("nightly");
			assertThat(registered.at("cron.expression")).isEqualTo("0 3 * * *");
			assertThat(registered.at("cron.timezone")).isEqualTo("Asia/Tokyo");
			assertThat(registered.at("cron.overlap_policy")).isEqualTo("skip");
			assertThat(registered.at("cron.enabled")).isEqualTo(true);
			assertThat(registered.text("cron.next_run_at")).contains("T18:00:00.000Z");
			assertThat(registered.text("cron.created_at")).endsWith("Z");
			assertThat(registered.at("cron.run_count")).isEqualTo(0);
			assertThat(registered.at("cron.job_template.options.queue")).isEqualTo("reports");
			assertThat(api.get("/ojs/v1/cron/nightly").at("cron")).isEqualTo(registered.at("cron"));
			Answer listed = api.get("/ojs/v1/cron?enabled=true");
			assertThat(listed.at("crons")).isEqualTo(List.of(registered.at("cron")));
			assertThat(listed.at("pagination.total")).isEqualTo(1);
			assertThat(api.post("/ojs/v1/cron/nightly/disable", "").at("cron.next_run_at")).isNull();
			assertThat(api.get("/ojs/v1/cron?enabled=true").at("crons")).isEqualTo(List.of());
			assertThat(api.post("/ojs/v1/cron/nightly/enable", "").at("cron.next_run_at")).isNotNull();
			Answer removed = api.delete("/ojs/v1/cron/nightly");
			assertThat(removed.status()).isEqualTo(200);
			assertThat(removed.at("cron.name")).isEqualTo("nightly");
			assertThat(api.get("/ojs/v1/cron").at("crons")).isEqualTo(List.of());
			assertThat(api.delete("/ojs/v1/cron/nightly").status()).isEqualTo(404);
		});
	}

	@Test
	void listHasTheNextTimesAndTheLastRunsOfEachCron() {
		HttpApi.open((api) -> {
			api.post("/ojs/v1/cron", NIGHTLY);
			api.post("/ojs/v1/cron", NIGHTLY.replace("nightly", "other"));
			api.post("/ojs/v1/cron/nightly/trigger", "");
			api.post("/ojs/v1/cron/nightly/trigger", "");
			Answer listed = api.get("/ojs/v1/cron?runs=1");
			assertThat(listed.at("crons[0].runs")).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(1);
			assertThat(listed.at("crons[0].runs[0].reason")).as("the last one").isEqualTo("overlap_skip");
			assertThat(listed.at("crons[0].runs[0].job_state")).as("of the job that exists").isEqualTo("available");
			assertThat(listed.at("crons[0].runs[0].triggered_by")).isEqualTo("anonymous");
			assertThat(listed.at("crons[1].runs")).isEqualTo(List.of());
			assertThat(listed.at("crons[0].next_runs")).asInstanceOf(InstanceOfAssertFactories.LIST)
				.hasSize(5)
				.isSorted()
				.startsWith(listed.at("crons[0].next_run_at"));
			assertThat(api.get("/ojs/v1/cron").at("crons[0].runs")).isNull();
			assertThat(api.post("/ojs/v1/cron/other/disable", "").at("cron.next_runs")).isEqualTo(List.of());
			assertThat(api.get("/ojs/v1/cron?runs=101").at("error.details.field")).isEqualTo("runs");
		});
	}

	@Test
	void cronIsTriggeredByHand() {
		HttpApi.open((api) -> {
			api.post("/ojs/v1/cron", NIGHTLY);
			Answer triggered = api.post("/ojs/v1/cron/nightly/trigger", "");
			assertThat(triggered.status()).isEqualTo(200);
			assertThat(triggered.at("run.outcome")).isEqualTo("triggered");
			assertThat(triggered.at("cron.run_count")).isEqualTo(1);
			Answer job = api.get("/ojs/v1/jobs/" + triggered.text("run.job_id"));
			assertThat(job.at("job.meta.cron_name")).isEqualTo("nightly");
			assertThat(job.at("job.args[0].a")).isEqualTo(new BigDecimal("1.5"));
			assertThat(api.post("/ojs/v1/cron/nightly/trigger", "").at("run.reason")).isEqualTo("overlap_skip");
			assertThat(api.get("/ojs/v1/cron/nightly/runs").at("count")).isEqualTo(2);
		});
	}

	@Test
	void cronIsRegisteredAgainAndAsTheSpecificationWritesIt() {
		HttpApi.open((api) -> {
			api.post("/ojs/v1/cron", NIGHTLY);
			Answer changed = api.put("/ojs/v1/cron/nightly", """
					{"cron":"@daily","type":"report.other","overlap_policy":"replace","description":"ä","run_count":7,
					 "options":{"timeout":300,"tags":["x"],"meta":{"k":"v"}}}""");
			assertThat(changed.status()).isEqualTo(200);
			assertThat(changed.at("cron.expression")).isEqualTo("@daily");
			assertThat(changed.at("cron.timezone")).isEqualTo("UTC");
			assertThat(changed.at("cron.overlap_policy")).isEqualTo("cancel_previous");
			assertThat(changed.at("cron.job_template.meta.k")).isEqualTo("v");
			assertThat(changed.at("cron.run_count")).isEqualTo(0);
			assertThat(api.post("/ojs/v1/cron", NIGHTLY).status()).isEqualTo(201);
			assertThat(api.get("/ojs/v1/cron").at("pagination.total")).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{}|name",
			"{\"name\":\"A\",\"expression\":\"@daily\",\"type\":\"a\"}|name",
			"{\"name\":\"a\",\"type\":\"a\"}|expression",
			"{\"name\":\"a\",\"expression\":\"not a valid cron\",\"type\":\"a\"}|expression",
			"{\"name\":\"a\",\"expression\":\"0 0 0 0 0 0 0\",\"type\":\"a\"}|expression",
			"{\"name\":\"a\",\"expression\":\"99 25 32 13 8\",\"type\":\"a\"}|expression",
			"{\"name\":\"a\",\"expression\":\"0 0 30 2 *\",\"type\":\"a\"}|expression",
			"{\"name\":\"a\",\"expression\":\"@daily\",\"cron\":\"@hourly\",\"type\":\"a\"}|cron",
			"{\"name\":\"a\",\"expression\":\"@daily\",\"timezone\":\"EST\",\"type\":\"a\"}|timezone",
			"{\"name\":\"a\",\"expression\":\"@daily\",\"overlap_policy\":\"never\",\"type\":\"a\"}|overlap_policy",
			"{\"name\":\"a\",\"expression\":\"@daily\",\"enabled\":\"yes\",\"type\":\"a\"}|enabled",
			"{\"name\":\"a\",\"expression\":\"@daily\",\"type\":\"a\",\"typo\":1}|typo",
			"{\"name\":\"a\",\"expression\":\"@daily\"}|type",
			"{\"name\":\"a\",\"expression\":\"@daily\",\"job_template\":{\"type\":\"a\",\"options\":{\"priority\":101}}}|job_template.options.priority",
			"{\"name\":\"a\",\"expression\":\"@daily\",\"job_template\":{\"type\":\"a\",\"options\":{\"scheduled_at\":\"2030-01-01T00:00:00Z\"}}}|job_template.scheduled_at" })
	void whatIsNoCronIsRefused(String body, String field) {
		HttpApi api = kept.api();
		Answer refused = api.post("/ojs/v1/cron", body);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.at("error.details.field")).isEqualTo(field);
		assertThat(refused.text("error.message")).contains("'" + field + "'");
	}

	@Test
	void cronsAndRunsAreListedAsFarAsThatIsAskedFor() {
		HttpApi.open((api) -> {
			api.post("/ojs/v1/cron", NIGHTLY);
			Answer off = api.put("/ojs/v1/cron/off", "{\"cron\":\"@daily\",\"type\":\"a\",\"enabled\":false}");
			assertThat(off.at("cron.enabled")).isEqualTo(false);
			assertThat(off.at("cron.next_run_at")).isNull();
			assertThat(api.get("/ojs/v1/cron?enabled=false").at("crons[0].name")).isEqualTo("off");
			assertThat(api.get("/ojs/v1/cron?enabled=maybe").at("error.details.field")).isEqualTo("enabled");
			assertThat((List<?>) api.get("/ojs/v1/cron?limit=1").at("crons")).hasSize(1);
			api.post("/ojs/v1/cron/nightly/trigger", "");
			api.post("/ojs/v1/cron/nightly/trigger", "");
			assertThat(api.get("/ojs/v1/cron/nightly/runs?limit=1").at("count")).isEqualTo(1);
			Answer refused = api.put("/ojs/v1/cron/off", "{\"name\":\"on\",\"cron\":\"@daily\",\"type\":\"a\"}");
			assertThat(refused.status()).isEqualTo(400);
			assertThat(refused.at("error.details.field")).isEqualTo("name");
		});
	}

	@ParameterizedTest
	@CsvSource({ "trigger", "enable", "disable" })
	void whatThereIsNotIsSaid(String action) {
		HttpApi api = kept.api();
		Answer missing = api.post("/ojs/v1/cron/none/" + action, "");
		assertThat(missing.status()).isEqualTo(404);
		assertThat(missing.at("error.code")).isEqualTo("not_found");
		assertThat(missing.at("error.details.resource_id")).isEqualTo("none");
		assertThat(api.get("/ojs/v1/cron/none").status()).isEqualTo(404);
		assertThat(api.get("/ojs/v1/cron/none/runs").status()).isEqualTo(404);
	}

}
