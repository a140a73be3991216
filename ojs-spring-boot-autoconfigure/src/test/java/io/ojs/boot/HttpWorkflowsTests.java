package io.ojs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.json.JobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Workflows over HTTP (OJS Workflows §11).
 */
class HttpWorkflowsTests {

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept();

	private static final String CHAIN = """
			{"type":"chain","name":"order","steps":[
			  {"type":"order.validate","args":[{"id":1}],"options":{"queue":"flow"}},
			  {"type":"group","jobs":[{"type":"order.charge","args":[],"options":{"queue":"flow"}},
			                          {"type":"order.pack","args":[],"options":{"queue":"flow"}}]}]}""";

	private static final String BATCH = """
			{"type":"batch","jobs":[{"type":"mail.send","args":[],"options":{"queue":"flow"}}],
			 "callbacks":{"on_failure":{"type":"mail.alert","args":[],"options":{"queue":"flow"}}}}""";

	@Test
	void queuesOfJobsThatComeLaterCountAtOnce() {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.http.max-queues=4").run((context) -> {
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			List<Integer> statuses = IntStream.range(0, 6)
				.mapToObj((i) -> api.post("/ojs/v1/workflows", """
						{"type":"chain","steps":[
						  {"type":"a.first","args":[],"options":{"queue":"default"}},
						  {"type":"a.second","args":[],"options":{"queue":"later-%d"}}]}""".formatted(i)).status())
				.toList();
			assertThat(statuses).containsSequence(201, 422).endsWith(422, 422);
		});
	}

	@Test
	void workflowIsStartedAndSeenUntilItsEnd() {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true").run((context) -> {
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			Answer created = api.post("/ojs/v1/workflows", CHAIN);
			assertThat(created.status()).isEqualTo(201);
			String id = created.text("workflow.id");
			assertThat(created.header("Location")).isEqualTo("/ojs/v1/workflows/" + id);
			assertThat(id).matches("[0-9a-f]{8}-[0-9a-f]{4}-7.*");
			assertThat(created.at("workflow.type")).isEqualTo("chain");
			assertThat(created.at("workflow.state")).isEqualTo("running");
			assertThat(created.at("workflow.steps_total")).isEqualTo(2);
			assertThat(created.at("workflow.steps_completed")).isEqualTo(0);
			assertThat(created.at("workflow.metadata.job_count")).isEqualTo(3);
			assertThat(created.at("workflow.steps[0].state")).isEqualTo("pending");
			assertThat(created.at("workflow.steps[1].state")).isEqualTo("waiting");
			assertThat(created.at("workflow.steps[1].jobs[0].job_id")).isNull();
			end(context, "order.validate", Map.of("total", 7));
			await().until(() -> available(context).size() == 2);
			Answer seen = api.get("/ojs/v1/workflows/" + id);
			assertThat(seen.at("workflow.steps_completed")).isEqualTo(1);
			assertThat(seen.at("workflow.steps[0].result.total")).isEqualTo(7);
			Job charge = available(context).stream()
				.filter((job) -> job.type().equals("order.charge"))
				.findFirst()
				.orElseThrow();
			assertThat(charge.extensions().get("parent_results")).isEqualTo(List.of(Map.of("total", 7)));
			end(context, "order.charge", null);
			end(context, "order.pack", null);
			await().until(() -> api.get("/ojs/v1/workflows/" + id).text("workflow.state").equals("completed"));
			assertThat(api.get("/ojs/v1/workflows/" + id).at("workflow.metadata.completed_at")).isNotNull();
			assertThat(api.delete("/ojs/v1/workflows/" + id).status()).isEqualTo(409);
		});
	}

	@Test
	void failuresAreTold() {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true").run((context) -> {
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			Answer created = api.post("/ojs/v1/workflows", CHAIN);
			String path = "/ojs/v1/workflows/" + created.text("workflow.id");
			end(context, "order.validate", null);
			await().until(() -> available(context).size() == 2);
			end(context, "order.charge", null);
			fail(context, "order.pack");
			await().until(() -> api.get(path).text("workflow.state").equals("failed"));
			Answer failed = api.get(path);
			assertThat(failed.at("workflow.metadata.failed_step_index")).isEqualTo(1);
			assertThat(failed.at("workflow.metadata.failed_count")).isEqualTo(1);
			assertThat(failed.at("workflow.metadata.errors[0].job_type")).isEqualTo("order.pack");
			assertThat(failed.at("workflow.metadata.errors[0].message")).isEqualTo("no luck");
			assertThat(failed.at("workflow.metadata.failed_job_ids"))
				.isEqualTo(List.of(failed.text("workflow.steps[1].jobs[1].job_id")));
		});
	}

	@Test
	void workflowIsCancelled() {
		HttpApi.open((api) -> {
			String id = api.post("/ojs/v1/workflows", BATCH).text("workflow.id");
			Answer cancelled = api.delete("/ojs/v1/workflows/" + id);
			assertThat(cancelled.status()).isEqualTo(200);
			assertThat(cancelled.at("workflow.id")).isEqualTo(id);
			assertThat(cancelled.at("workflow.state")).isEqualTo("cancelled");
			assertThat(cancelled.at("workflow.jobs[0].state")).isEqualTo("cancelled");
			assertThat(cancelled.at("workflow.callbacks.on_failure.state")).isEqualTo("cancelled");
			assertThat(api.get("/ojs/v1/workflows/" + id).at("workflow.metadata.cancelled_at")).isNotNull();
			Answer again = api.delete("/ojs/v1/workflows/" + id);
			assertThat(again.status()).isEqualTo(409);
			assertThat(again.at("error.code")).isEqualTo("conflict");
		});
	}

	@Test
	void workflowsAreListedByPages() {
		HttpApi.open((api) -> {
			String chain = api.post("/ojs/v1/workflows", CHAIN).text("workflow.id");
			await().until(() -> !api.post("/ojs/v1/workflows", BATCH).text("workflow.id").isEmpty());
			assertThat((List<?>) api.get("/ojs/v1/workflows").at("workflows")).hasSize(2);
			Answer chains = api.get("/ojs/v1/workflows?type=chain&state=running&name=order");
			assertThat((List<?>) chains.at("workflows")).hasSize(1);
			assertThat(chains.at("workflows[0].id")).isEqualTo(chain);
			Answer page = api.get("/ojs/v1/workflows?limit=1");
			assertThat(api.get("/ojs/v1/workflows?cursor=nonsense").at("error.details.field")).isEqualTo("cursor");
			Answer next = api.get("/ojs/v1/workflows?limit=1&cursor=" + page.text("pagination.next_cursor"));
			assertThat(next.text("workflows[0].id")).isNotEqualTo(page.text("workflows[0].id"));
			assertThat(page.at("pagination.has_more")).isEqualTo(true);
			assertThat(next.at("pagination.has_more")).as("the page is just full").isEqualTo(false);
			assertThat(next.at("pagination.next_cursor")).isNull();
			assertThat(api.get("/ojs/v1/workflows?name=none").at("workflows")).isEqualTo(List.of());
			assertThat(api.get("/ojs/v1/workflows?state=odd").status()).isEqualTo(400);
			assertThat(api.get("/ojs/v1/workflows?type=odd").status()).isEqualTo(400);
			assertThat(api.get("/ojs/v1/workflows?view=odd").at("error.details.field")).isEqualTo("view");
		});
	}

	@Test
	void summariesAreListedWithoutSteps() {
		HttpApi.open((api) -> {
			String chain = api.post("/ojs/v1/workflows", CHAIN).text("workflow.id");
			Answer whole = api.get("/ojs/v1/workflows?type=chain");
			Answer summary = api.get("/ojs/v1/workflows?type=chain&view=summary");
			assertThat(summary.at("workflows[0].id")).isEqualTo(chain);
			assertThat(summary.at("workflows[0].steps")).isNull();
			for (String same : List.of("name", "state", "metadata.created_at", "metadata.job_count",
					"metadata.completed_count", "metadata.failed_count")) {
				assertThat(summary.at("workflows[0]." + same)).as(same)
					.isNotNull()
					.isEqualTo(whole.at("workflows[0]." + same));
			}
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{}|type", "{\"type\":\"dag\"}|type",
			"{\"type\":\"chain\"}|steps", "{\"type\":\"chain\",\"steps\":[]}|steps",
			"{\"type\":\"chain\",\"steps\":[7]}|steps[0]",
			"{\"type\":\"chain\",\"steps\":[{\"type\":\"a\"}]}|steps[0].args", "{\"type\":\"group\",\"steps\":[]}|jobs",
			"{\"type\":\"group\",\"jobs\":[{\"type\":\"a\",\"args\":[],\"options\":{\"priority\":101}}]}|jobs[0].options.priority",
			"{\"type\":\"group\",\"jobs\":[{\"type\":\"chain\",\"steps\":[]}]}|jobs[0].steps",
			"{\"type\":\"group\",\"jobs\":[{\"type\":\"a\",\"args\":[]}],\"x\":1}|x",
			"{\"type\":\"batch\",\"jobs\":[{\"type\":\"a\",\"args\":[]}]}|callbacks",
			"{\"type\":\"batch\",\"jobs\":[{\"type\":\"a\",\"args\":[]}],\"callbacks\":{}}|callbacks",
			"{\"type\":\"batch\",\"jobs\":[{\"type\":\"a\",\"args\":[]}],\"callbacks\":{\"on_end\":{}}}|callbacks.on_end" })
	void whatBreaksARuleIsRefusedWithItsPlace(String body, String field) {
		HttpApi api = kept.api();
		Answer refused = api.post("/ojs/v1/workflows", body);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.at("error.details.field")).isEqualTo(field);
	}

	@Test
	void whatThereIsNotIsNotFound() {
		HttpApi.open((api) -> {
			for (String id : List.of("019539a4-b68c-7def-8000-1a2b3c4d5e6f", "nonsense")) {
				assertThat(api.get("/ojs/v1/workflows/" + id).status()).isEqualTo(404);
				assertThat(api.delete("/ojs/v1/workflows/" + id).status()).isEqualTo(404);
			}
		});
	}

	private static List<Job> available(ApplicationContext context) {
		return context.getBean(JobStore.class)
			.list(new JobQuery("flow", null, Set.of(JobState.AVAILABLE), null, 100))
			.stream()
			.map((stored) -> stored.job())
			.toList();
	}

	private static void end(ApplicationContext context, String type, @Nullable Object result) {
		settle(context, type, (lease) -> new Outcome.Completed(lease, result));
	}

	private static void fail(ApplicationContext context, String type) {
		JobError error = new JobError("NetError", JobError.HANDLER_ERROR, "no luck", 1, Rfc3339.utc(Instant.now()),
				List.of(), Map.of());
		settle(context, type, (lease) -> new Outcome.Discarded(lease, error, Transition.EXHAUST));
	}

	private static void settle(ApplicationContext context, String type, Function<Lease, Outcome> outcome) {
		Job job = available(context).stream().filter((each) -> each.type().equals(type)).findFirst().orElseThrow();
		EncodedJob encoded = new EncodedJob(job, context.getBean(JobCodec.class).encode(job), 3);
		AttemptStore attempts = context.getBean(AttemptStore.class);
		Claim.Taken taken = (Claim.Taken) attempts
			.claim(List.of(new ClaimRequest(encoded, "flow", 1, Map.of(), Duration.ofSeconds(30))), "worker",
					Instant.now(), true)
			.get(0);
		attempts.settle(List.of(outcome.apply(taken.lease())), Instant.now());
	}

}
