package io.ojs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.json.JobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.Queues;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dead letters over HTTP, where there are some.
 */
class HttpDeadLettersTests {

	/** Three dead letters, and a job that is none. */
	private static final class Graveyard {

		private final HttpApi api;

		private final ApplicationContext context;

		private final String first;

		private final String second;

		private final String third;

		Graveyard(ApplicationContext context, HttpApi api) {
			this.api = api;
			this.context = context;
			this.first = dead("a", "mail.send");
			this.second = dead("a", "mail.read");
			this.third = dead("b", "mail.send");
			push("a", "mail.send");
		}

		private String push(String queue, String type) {
			return this.api
				.post("/ojs/v1/jobs",
						"{\"type\":\"%s\",\"args\":[1],\"options\":{\"queue\":\"%s\"}}".formatted(type, queue))
				.text("job.id");
		}

		private String dead(String queue, String type) {
			Job job = this.context.getBean(JobStore.class).find(push(queue, type)).orElseThrow().job();
			EncodedJob encoded = new EncodedJob(job, this.context.getBean(JobCodec.class).encode(job), 3);
			AttemptStore attempts = this.context.getBean(AttemptStore.class);
			Claim.Taken taken = (Claim.Taken) attempts
				.claim(List.of(new ClaimRequest(encoded, queue, 1, Map.of(), Duration.ofSeconds(30))), "worker",
						Instant.now(), true)
				.get(0);
			JobError error = new JobError("NetError", JobError.HANDLER_ERROR, "no luck", 1, Rfc3339.utc(Instant.now()),
					List.of(), Map.of());
			attempts.settle(List.of(new Outcome.Discarded(taken.lease(), error, Transition.EXHAUST)), Instant.now());
			return job.id();
		}

		@Nullable Object total(String query) {
			return this.api.get("/ojs/v1/dead-letter" + query).at("pagination.total");
		}

	}

	private static void open(Consumer<Graveyard> test) {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true")
			.run((context) -> test.accept(new Graveyard(context.getSourceApplicationContext(),
					HttpApi.of(context.getSourceApplicationContext()))));
	}

	@Test
	void thoseOfAQueueThatKeepsThemForAnotherAreFound() {
		open((there) -> {
			there.context.getBean(Queues.class)
				.configure("c", QueueConfig.builder().deadLetterQueue("graveyard").build());
			String id = there.dead("c", "mail.send");
			for (String path : List.of("dead-letter", "admin/dead-letter")) {
				Answer kept = there.api.get("/ojs/v1/" + path + "?dead_letter_queue=graveyard");
				assertThat(kept.at("pagination.total")).isEqualTo(1);
				assertThat(kept.text("admin/dead-letter".equals(path) ? "items[0].id" : "jobs[0].id")).isEqualTo(id);
			}
			assertThat(there.total("?dead_letter_queue=c")).isEqualTo(0);
			assertThat(there.total("?queue=c&dead_letter_queue=graveyard")).isEqualTo(1);
			assertThat(there.total("?queue=graveyard")).isEqualTo(0);
			assertThat(there.api.get("/ojs/v1/dead-letter/facets?dead_letter_queue=graveyard").at("counted"))
				.isEqualTo(1);
			assertThat(there.api.get("/ojs/v1/dead-letter?dead_letter_queue=%20").at("error.details.field"))
				.isEqualTo("dead_letter_queue");
			Answer operation = there.api.post("/ojs/v1/operations",
					"{\"action\":\"replay\",\"filter\":{\"dead_letter_queue\":\"graveyard\"},\"dry_run\":true}");
			assertThat(operation.at("operation.matched")).isEqualTo(1);
			assertThat(operation.at("operation.filter.dead_letter_queue")).isEqualTo("graveyard");
		});
	}

	@Test
	void theyAreListedTheNewestFirstAndPageByPage() {
		open((there) -> {
			Answer all = there.api.get("/ojs/v1/dead-letter");
			assertThat(all.at("pagination.total")).isEqualTo(3);
			assertThat(all.at("jobs[0].id")).isEqualTo(there.third);
			assertThat(there.total("?queue=b")).isEqualTo(1);
			assertThat(there.total("?type=mail.read")).isEqualTo(1);
			assertThat(there.total("?until=2001-01-01T00:00:00Z")).isEqualTo(0);
			Answer page = there.api.get("/ojs/v1/dead-letter?limit=2");
			assertThat(page.at("pagination.has_more")).isEqualTo(true);
			Answer rest = there.api.get("/ojs/v1/dead-letter?limit=2&cursor=" + page.text("pagination.next_cursor"));
			assertThat(rest.at("jobs[0].id")).isEqualTo(there.first);
			assertThat(rest.at("pagination.has_more")).isEqualTo(false);
			assertThat(rest.at("pagination.total")).as("not counted on the way").isNull();
			assertThat(rest.at("pagination")).isEqualTo(Map.of("limit", 2, "has_more", false));
			assertThat(there.api.get("/ojs/v1/dead-letter?limit=1&offset=1").at("pagination.next_cursor"))
				.as("the same place, however the page began")
				.isEqualTo(page.at("pagination.next_cursor"));
			assertThat(there.total("?limit=2&total=true&cursor=" + page.text("pagination.next_cursor"))).isEqualTo(3);
			assertThat(there.api
				.get("/ojs/v1/dead-letter?queue=b&total=false&cursor=" + page.text("pagination.next_cursor"))
				.at("jobs")).isEqualTo(List.of());
			for (String wrong : List.of("cursor=1", "cursor=x_y", "cursor=%2B1000000000-12-31T23:59:59Z_" + there.first,
					"offset=1&cursor=" + page.text("pagination.next_cursor"))) {
				assertThat(there.api.get("/ojs/v1/dead-letter?" + wrong).status()).isEqualTo(400);
			}
			Answer uncounted = there.api.get("/ojs/v1/dead-letter?limit=2&total=false");
			assertThat(uncounted.at("jobs")).isEqualTo(page.at("jobs"));
			assertThat(uncounted.at("pagination.has_more")).isEqualTo(true);
			assertThat(uncounted.at("pagination.next_cursor")).isEqualTo(page.at("pagination.next_cursor"));
			assertThat(uncounted.at("pagination.total")).isNull();
			assertThat(there.api.get("/ojs/v1/dead-letter?limit=3&total=false").at("pagination.has_more"))
				.as("the page is just full")
				.isEqualTo(false);
			assertThat(there.api.get("/ojs/v1/dead-letter?total=7").at("error.details.field")).isEqualTo("total");
			assertThat(there.api.get("/ojs/v1/admin/dead-letter?per_page=2&total=false").at("pagination"))
				.isEqualTo(Map.of("page", 1, "per_page", 2, "has_more", true));
			assertThat(there.api.get("/ojs/v1/dead-letter?offset=2").at("jobs[0].id")).isEqualTo(there.first);
			Answer numbered = there.api.get("/ojs/v1/admin/dead-letter?per_page=2&page=2");
			assertThat(numbered.at("items[0].id")).isEqualTo(there.first);
			assertThat(numbered.at("pagination.page")).isEqualTo(2);
			assertThat(numbered.at("pagination.has_more")).isEqualTo(false);
			Answer stats = there.api.get("/ojs/v1/dead-letter/stats");
			assertThat(stats.at("total")).isEqualTo(3);
			assertThat(stats.at("by_queue")).isEqualTo(Map.of("a", 2, "b", 1));
			assertThat(stats.at("oldest_at")).isNotNull();
			assertThat(there.api.get("/ojs/v1/dead-letter/" + there.first).at("job.error.message"))
				.isEqualTo("no luck");
		});
	}

	@Test
	void oneIsReplayedWithWhatIsChanged() {
		open((there) -> {
			String path = "/ojs/v1/dead-letter/" + there.first + "/retry";
			Answer refused = there.api.post(path, "{\"queue\":\"c\",\"typo\":1}");
			assertThat(refused.status()).isEqualTo(400);
			assertThat(refused.at("error.details.field")).isEqualTo("typo");
			Answer replayed = there.api.post(path, "{\"queue\":\"c\",\"priority\":9,\"args\":[7]}");
			assertThat(replayed.status()).isEqualTo(200);
			assertThat(replayed.at("job.id")).isEqualTo(there.first);
			assertThat(replayed.at("job.queue")).isEqualTo("c");
			assertThat(replayed.at("job.priority")).isEqualTo(9);
			assertThat(replayed.at("job.args")).isEqualTo(List.of(7));
			assertThat(replayed.at("job.re_enqueued_at")).isNotNull();
			assertThat(there.api.post(path, "").status()).isEqualTo(404);
			assertThat(there.total("")).isEqualTo(2);
			assertThat(there.api.post("/ojs/v1/admin/jobs/" + there.second + "/retry", "").at("state"))
				.isEqualTo("available");
		});
	}

	@Test
	void manyAreReplayedIfThatIsConfirmed() {
		open((there) -> {
			String path = "/ojs/v1/dead-letter/retry";
			Answer dry = there.api.post(path, "{\"filter\":{\"queue\":\"a\"},\"dry_run\":true}");
			assertThat(dry.at("matched")).isEqualTo(2);
			assertThat(dry.at("succeeded")).isEqualTo(0);
			assertThat(there.api.post(path, "{\"filter\":{\"queue\":\"a\"}}").status()).isEqualTo(400);
			assertThat(there.total("")).isEqualTo(3);
			assertThat(
					there.api.post(path, "{\"filter\":{\"queue\":\"a\"},\"limit\":1,\"confirm\":true}").at("succeeded"))
				.isEqualTo(1);
			assertThat(there.total("?queue=a")).isEqualTo(1);
			assertThat(there.api.post(path, "{\"filter\":{\"ids\":[\"%s\"]},\"confirm\":true}".formatted(there.third))
				.at("succeeded")).isEqualTo(1);
			assertThat(there.total("")).isEqualTo(1);
			assertThat(there.api.post(path, "{\"filter\":{\"colour\":\"red\"},\"confirm\":true}").status())
				.isEqualTo(400);
		});
	}

	@Test
	void bulkRetryIsForDeadLettersOnly() {
		open((there) -> {
			String path = "/ojs/v1/admin/jobs/bulk/retry";
			assertThat(there.api.post(path, "{\"filter\":{\"state\":\"completed\"},\"confirm\":true}").status())
				.isEqualTo(400);
			Answer retried = there.api.post(path, "{\"filter\":{\"queue\":\"a\"},\"confirm\":true}");
			assertThat(retried.at("matched")).isEqualTo(2);
			assertThat(retried.at("succeeded")).isEqualTo(2);
			assertThat(there.total("")).isEqualTo(1);
		});
	}

	@Test
	void bulkRetryTakesWhatAProcessRecordedWhoseClockIsAhead() {
		open((there) -> {
			new JdbcTemplate(there.context.getBean(DataSource.class))
				.update("update ojs_job set dead_lettered_at = dead_lettered_at + interval '1' minute");
			assertThat(
					there.api.post("/ojs/v1/admin/jobs/bulk/retry", "{\"filter\":{},\"confirm\":true}").at("succeeded"))
				.isEqualTo(3);
		});
	}

	@Test
	void theyAreDeletedOneByOneOrTogether() {
		open((there) -> {
			assertThat(there.api.delete("/ojs/v1/dead-letter/" + there.first).at("deleted")).isEqualTo(true);
			assertThat(there.api.delete("/ojs/v1/dead-letter/" + there.first).status()).isEqualTo(404);
			String old = "{\"older_than\":\"2001-01-01T00:00:00Z\",\"confirm\":true}";
			assertThat(purge(there, old)).isEqualTo(0);
			assertThat(purge(there, "{\"filter\":{\"queue\":\"b\"},\"confirm\":true}")).isEqualTo(1);
			assertThat(there.total("")).isEqualTo(1);
			assertThat(purge(there, "{\"filter\":{\"queue\":\"a\"}}")).isNull();
			assertThat(there.total("")).isEqualTo(1);
			assertThat(there.api.delete("/ojs/v1/admin/dead-letter/" + there.second).status()).isEqualTo(204);
			assertThat(there.total("")).isEqualTo(0);
		});
	}

	private static @Nullable Object purge(Graveyard there, String body) {
		return there.api.send("DELETE", "/ojs/v1/dead-letter", body, Map.of("Content-Type", "application/json"))
			.at("purged_count");
	}

}
