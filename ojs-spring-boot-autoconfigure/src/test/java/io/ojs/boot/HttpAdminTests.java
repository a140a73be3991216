package io.ojs.boot;

import java.util.Collections;
import java.util.List;

import io.ojs.boot.HttpApi.Answer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs, dead letters and events for operators (OJS Admin API §7, §8, §11, OJS Events).
 */
class HttpAdminTests {

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept();

	private static String job(String type, String options) {
		return "{\"type\":\"%s\",\"args\":[],\"options\":{%s}}".formatted(type, options);
	}

	/** What has expired is discarded when its queue goes. */
	private static String discarded(HttpApi api) {
		String id = api.post("/ojs/v1/jobs", job("mail.send", "\"queue\":\"doomed\"")).text("job.id");
		assertThat(api.delete("/ojs/v1/queues/doomed?strategy=discard").status()).isEqualTo(202);
		assertThat(api.get("/ojs/v1/jobs/" + id).at("job.state")).isEqualTo("discarded");
		return id;
	}

	@Test
	void jobsAreFoundByWhatTheyAre() {
		HttpApi.open((api) -> {
			String one = api.post("/ojs/v1/jobs", job("mail.send", "\"queue\":\"a\"")).text("job.id");
			api.post("/ojs/v1/jobs", job("mail.read", "\"queue\":\"b\",\"pending\":true"));
			assertThat(api.get("/ojs/v1/admin/jobs").at("pagination.total")).isEqualTo(2);
			assertThat(api.get("/ojs/v1/admin/jobs?queue=a").at("items[0].id")).isEqualTo(one);
			assertThat(api.get("/ojs/v1/admin/jobs?state=pending").at("items[0].type")).isEqualTo("mail.read");
			assertThat(api.get("/ojs/v1/admin/jobs?type=mail.*&per_page=1").at("pagination.total")).isEqualTo(2);
			assertThat(api.get("/ojs/v1/admin/jobs?since=2099-01-01T00:00:00Z").at("pagination.total")).isEqualTo(0);
			assertThat(api.get("/ojs/v1/admin/jobs/" + one).at("type")).isEqualTo("mail.send");
			assertThat(api.post("/ojs/v1/admin/jobs/" + one + "/cancel", "").at("state")).isEqualTo("cancelled");
			assertThat(api.post("/ojs/v1/admin/jobs/" + one + "/retry", "").status()).isEqualTo(409);
		});
	}

	@ParameterizedTest
	@CsvSource({ "state=exploded,state", "since=yesterday,since", "queue=A,queue", "type=A,type", "page=0,page",
			"page=50001,page", "per_page=101,per_page" })
	void filterThatIsWrongIsRefused(String query, String field) {
		HttpApi api = kept.api();
		Answer refused = api.get("/ojs/v1/admin/jobs?" + query);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.at("error.details.field")).isEqualTo(field);
	}

	@ParameterizedTest
	@CsvSource({ "retry", "cancel", "delete" })
	void manyJobsAreOnlyChangedIfThatIsConfirmed(String action) {
		HttpApi.open((api) -> {
			String path = "/ojs/v1/admin/jobs/bulk/" + action;
			for (String body : new String[] { "{\"filter\":{},\"confirm\":false}", "{\"filter\":{}}",
					"{\"confirm\":true}", "{\"filter\":{\"colour\":\"red\"},\"confirm\":true}", "{}", "",
					"{\"filter\":{\"ids\":[]},\"confirm\":true}", "{\"filter\":{\"states\":[]},\"confirm\":true}" }) {
				assertThat(api.post(path, body).status()).as(body).isEqualTo(400);
			}
		});
	}

	@Test
	void manyJobsAreCancelledAndDeleted() {
		HttpApi.open((api) -> {
			for (int i = 0; i < 3; i++) {
				api.post("/ojs/v1/jobs", job("a", "\"queue\":\"q\""));
			}
			api.post("/ojs/v1/jobs", job("a", "\"queue\":\"other\""));
			Answer cancelled = api.post("/ojs/v1/admin/jobs/bulk/cancel",
					"{\"filter\":{\"queue\":\"q\"},\"confirm\":true}");
			assertThat(cancelled.at("matched")).isEqualTo(3);
			assertThat(cancelled.at("succeeded")).isEqualTo(3);
			assertThat(api
				.post("/ojs/v1/admin/jobs/bulk/delete", "{\"filter\":{\"state\":\"available\"},\"confirm\":true}")
				.status()).isEqualTo(400);
			assertThat(api.post("/ojs/v1/admin/jobs/bulk/delete", "{\"filter\":{},\"confirm\":true}").at("succeeded"))
				.isEqualTo(3);
			assertThat(api.get("/ojs/v1/admin/jobs").at("pagination.total")).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@CsvSource({ "workflows?name=%00, name", "workflows?cursor=a%00, cursor", "rate-limits?cursor=%00, cursor",
			"events?types=%00, types", "events?queues=%00, queues", "cron/%00, name", "rate-limits/a%00, key" })
	void textThatNoDatabaseTakesIsRefused(String path, String field) {
		HttpApi api = kept.api();
		Answer refused = api.get("/ojs/v1/" + path);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.at("error.details.field")).isEqualTo(field);
	}

	@Test
	void jobsAreChosenByAllThatTheyHave() {
		HttpApi.open((api) -> {
			String one = api.post("/ojs/v1/jobs", job("a.one", "\"queue\":\"q\"")).text("job.id");
			api.post("/ojs/v1/jobs", job("a.two", "\"queue\":\"q\",\"pending\":true"));
			api.post("/ojs/v1/jobs", job("b", "\"queue\":\"other\""));
			assertThat(api.get("/ojs/v1/admin/jobs?until=2001-01-01T00:00:00Z").at("pagination.total")).isEqualTo(0);
			assertThat(api.get("/ojs/v1/admin/jobs?until=2099-01-01T00:00:00+01:00").at("pagination.total"))
				.isEqualTo(3);
			assertThat(api.get("/ojs/v1/admin/jobs?state=pending,available").at("pagination.total")).isEqualTo(3);
			Answer second = api.get("/ojs/v1/admin/jobs?per_page=2&page=2");
			assertThat(second.at("items[0].id")).isEqualTo(one);
			assertThat(second.at("pagination.page")).isEqualTo(2);
			assertThat(second.at("pagination.has_more")).isEqualTo(false);
			for (String filter : List.of("{\"since\":\"2099-01-01T00:00:00Z\"}", "{\"until\":\"2001-01-01T00:00:00Z\"}",
					"{\"ids\":[\"019539a4-0000-7000-8000-000000000000\"]}", "{\"type\":\"c.*\"}",
					"{\"states\":[\"scheduled\"]}")) {
				assertThat(cancelAll(api, filter)).as(filter).isEqualTo(0);
			}
			assertThat(api
				.post("/ojs/v1/admin/jobs/bulk/cancel", "{\"filter\":{\"state\":\"completed\"},\"confirm\":true}")
				.at("error.details.field")).isEqualTo("filter.state");
			assertThat(cancelAll(api, "{\"state\":\"pending\"}")).isEqualTo(1);
			assertThat(cancelAll(api, "{\"ids\":[\"%s\"]}".formatted(one))).isEqualTo(1);
			assertThat(cancelAll(api, "{}")).as("and what has ended is not met").isEqualTo(1);
		});
	}

	private static @Nullable Object cancelAll(HttpApi api, String filter) {
		Answer answer = api.post("/ojs/v1/admin/jobs/bulk/cancel",
				"{\"filter\":%s,\"confirm\":true}".formatted(filter));
		assertThat(answer.at("failed")).isEqualTo(0);
		return answer.at("matched");
	}

	@Test
	void allJobsAreChangedHoweverManyTheyAre() {
		HttpApi.open((api) -> {
			String jobs = String.join(",", Collections.nCopies(501, job("a", "\"queue\":\"q\"")));
			api.post("/ojs/v1/jobs/batch", "{\"jobs\":[%s]}".formatted(jobs));
			assertThat(cancelAll(api, "{\"queue\":\"q\"}")).isEqualTo(501);
			assertThat(api.post("/ojs/v1/admin/jobs/bulk/delete", "{\"filter\":{},\"confirm\":true}").at("succeeded"))
				.isEqualTo(501);
		});
	}

	@Test
	void onlyWhatIsOldEnoughInItsQueueIsPurged() {
		HttpApi.open((api) -> {
			api.post("/ojs/v1/jobs", job("a", "\"queue\":\"q\""));
			api.post("/ojs/v1/jobs", job("a", "\"queue\":\"other\""));
			String purge = "{\"states\":[\"available\"],\"confirm\":true,\"older_than\":\"%s\"}";
			assertThat(api.post("/ojs/v1/queues/q/purge", purge.formatted("2001-01-01T00:00:00Z")).at("purged_count"))
				.isEqualTo(0);
			assertThat(api.post("/ojs/v1/queues/q/purge", purge.formatted("2099-01-01T00:00:00Z")).at("purged_count"))
				.isEqualTo(1);
			assertThat(api.get("/ojs/v1/queues/other/stats").at("queue.available")).isEqualTo(1);
		});
	}

	@Test
	void queueIsPurged() {
		HttpApi.open((api) -> {
			String id = api.post("/ojs/v1/jobs", job("a", "\"queue\":\"q\"")).text("job.id");
			assertThat(api.post("/ojs/v1/queues/q/purge", "{\"states\":[\"available\"]}").status()).isEqualTo(400);
			assertThat(api.post("/ojs/v1/queues/q/purge", "{\"states\":[\"active\"],\"confirm\":true}").status())
				.isEqualTo(400);
			assertThat(api.post("/ojs/v1/queues/q/purge", "{\"states\":[\"available\"],\"confirm\":true}")
				.at("purged_count")).isEqualTo(1);
			assertThat(api.get("/ojs/v1/jobs/" + id).at("job.state")).isEqualTo("cancelled");
			assertThat(
					api.post("/ojs/v1/queues/q/purge", "{\"states\":[\"cancelled\"],\"confirm\":true}").at("deleted"))
				.isEqualTo(1);
			assertThat(api.get("/ojs/v1/jobs/" + id).status()).isEqualTo(404);
		});
	}

	@Test
	void deadLettersAreListedCountedReplayedAndDeleted() {
		HttpApi.open((api) -> {
			assertThat(api.get("/ojs/v1/dead-letter").at("pagination.total")).isEqualTo(0);
			assertThat(api.get("/ojs/v1/admin/dead-letter").at("pagination.page")).isEqualTo(1);
			assertThat(api.get("/ojs/v1/admin/dead-letter/stats").at("total")).isEqualTo(0);
			String id = discarded(api);
			assertThat(api.get("/ojs/v1/dead-letter/" + id).status()).isEqualTo(404);
			assertThat(api.post("/ojs/v1/dead-letter/" + id + "/retry", "").status()).isEqualTo(404);
			assertThat(api.delete("/ojs/v1/dead-letter/" + id).status()).isEqualTo(404);
			assertThat(api.delete("/ojs/v1/admin/dead-letter/nonsense").status()).isEqualTo(404);
			assertThat(api
				.send("DELETE", "/ojs/v1/dead-letter", "{\"confirm\":false}",
						java.util.Map.of("Content-Type", "application/json"))
				.status()).isEqualTo(400);
			assertThat(api.post("/ojs/v1/dead-letter/retry", "{\"dry_run\":true}").at("matched")).isEqualTo(0);
		});
	}

	@Test
	void eventsAreReadOn() {
		HttpApi.open((api) -> {
			api.post("/ojs/v1/jobs", job("mail.send", "\"queue\":\"a\""));
			api.post("/ojs/v1/jobs", job("mail.send", "\"queue\":\"b\""));
			Answer first = api.get("/ojs/v1/events?types=job.enqueued&queues=a,b&limit=1");
			assertThat(first.at("events[0].type")).isEqualTo("job.enqueued");
			assertThat(first.at("events[0].data.job_type")).isEqualTo("mail.send");
			assertThat(first.at("events[0].data.queue")).isEqualTo("a");
			Answer second = api.get("/ojs/v1/events?types=job.enqueued&after=" + first.text("pagination.next_cursor"));
			assertThat(second.at("events[0].data.queue")).isEqualTo("b");
			Answer end = api.get("/ojs/v1/events?after=" + second.text("pagination.next_cursor"));
			assertThat(end.text("events")).isEqualTo("[]");
			assertThat(end.at("pagination.next_cursor")).isEqualTo(second.at("pagination.next_cursor"));
			assertThat(api.get("/ojs/v1/events?limit=1").at("pagination.has_more")).isEqualTo(true);
			assertThat((List<?>) api.get("/ojs/v1/events?limit=1").at("events")).hasSize(1);
			assertThat(api.get("/ojs/v1/events?queues=c").text("events")).isEqualTo("[]");
			assertThat(api.get("/ojs/v1/events?after=x").at("error.details.field")).isEqualTo("after");
		});
	}

}
