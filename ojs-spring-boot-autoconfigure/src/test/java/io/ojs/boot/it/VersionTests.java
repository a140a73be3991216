package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.ojs.client.OjsOperations;
import io.ojs.event.JobEvent;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobUpcaster;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.process.ThisProcess;
import io.ojs.internal.worker.FetchRequest;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.Workflows;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications of different versions that work one queue.
 */
class VersionTests extends BrokerTest {

	private static final String QUEUE = "ojs.queue.billing";

	private static final List<Seen> seen = new CopyOnWriteArrayList<>();

	private final String url = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID());

	@BeforeEach
	void forget() {
		seen.clear();
	}

	private Application.Starter stored(Class<?>... beans) {
		return application(beans).database(this.url, "sa", "");
	}

	private static List<Job> enqueueMixed(OjsOperations ojs, int count) {
		List<String> types = List.of("invoice.generate@1.0", "invoice.generate@2.0", "invoice.generate@1.7",
				"invoice.generate@2.3", "invoice.generate");
		return ojs.enqueueAll(
				IntStream.range(0, count).mapToObj((i) -> JobRequest.of(types.get(i % types.size()), i)).toList());
	}

	private static void assertEachRanOnceWhereItShould(List<Job> jobs) {
		assertThat(seen).extracting(Seen::id).containsExactlyInAnyOrderElementsOf(jobs.stream().map(Job::id).toList());
		assertThat(seen).allSatisfy((run) -> {
			assertThat(run.attempt()).as(run.toString()).isOne();
			JobVersion version = run.version();
			if (version != null) {
				assertThat(run.where()).as(run.toString()).isEqualTo((version.major() == 1) ? "one" : "two");
			}
		});
	}

	@Test
	void withAStoreEachJobRunsWhereItsVersionIsTaken() {
		try (PostgresDatabase database = StoreDatabases.create();
				Application one = application(One.class)
					.database(database.url(), database.username(), database.password())
					.start();
				Application two = application(Two.class)
					.database(database.url(), database.username(), database.password())
					.start()) {
			List<Job> jobs = new ArrayList<>(enqueueMixed(one.ojs(), 100));
			jobs.addAll(enqueueMixed(two.ojs(), 100));
			await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() >= jobs.size());
			await().untilAsserted(() -> assertThat(jobs).allSatisfy((job) -> {
				Job now = one.ojs().find(job.id()).orElseThrow();
				assertThat(now.state()).isEqualTo(JobState.COMPLETED);
				assertThat(now.attempt()).isOne();
				assertThat(now.errors()).isEmpty();
			}));
			assertEachRanOnceWhereItShould(jobs);
			await().until(() -> client().count(QUEUE) == 0);
			assertThat(new JobRowRules(one.bean(JdbcTemplate.class)).broken()).isEmpty();
			assertThat(one.bean(JdbcTemplate.class)
				.queryForObject("select count(*) from ojs_job where worker_wait_until is not null", Integer.class))
				.isZero();
		}
	}

	@Test
	void withABrokerAloneEachJobRunsWhereItsVersionIsTaken() {
		try (Application one = application(One.class).start(); Application two = application(Two.class).start()) {
			List<Job> jobs = new ArrayList<>(enqueueMixed(one.ojs(), 30));
			jobs.addAll(enqueueMixed(two.ojs(), 30));
			await().atMost(Duration.ofSeconds(90)).until(() -> seen.size() >= jobs.size());
			assertEachRanOnceWhereItShould(jobs);
			assertThat(client().count("ojs.queue.dlx.billing")).isZero();
			assertThat(one.events()).extracting(JobEvent::name).doesNotContain("job.failed", "job.retrying");
		}
	}

	@Test
	void withAStoreAJobWaitsUntilSomebodyCanRunIt() {
		try (Application one = stored(One.class).start()) {
			Job waiting = one.ojs().enqueue(JobRequest.of("invoice.generate@2.0", 1));
			JdbcTemplate jdbc = one.bean(JdbcTemplate.class);
			await().until(() -> held(jdbc) == 1 && client().count(QUEUE) == 0);
			Job other = one.ojs().enqueue(JobRequest.of("invoice.generate@1.0", 2));
			await().until(() -> seen.size() == 1);
			assertThat(seen.get(0).id()).isEqualTo(other.id());
			Job now = one.ojs().find(waiting.id()).orElseThrow();
			assertThat(now.state()).isEqualTo(JobState.AVAILABLE);
			assertThat(now.attempt()).isZero();
			try (Application two = stored(Two.class).start()) {
				await().until(() -> two.ojs().find(waiting.id()).orElseThrow().state() == JobState.COMPLETED);
			}
			assertThat(seen).extracting(Seen::id).containsExactly(other.id(), waiting.id());
			assertThat(seen.get(1).attempt()).isOne();
			assertThat(jdbc.queryForObject("select count(*) from ojs_handler", Integer.class))
				.as("who has gone says so")
				.isOne();
		}
	}

	@Test
	void operatorsSeeProcessesBesideWorkersThatFetch() {
		try (Application one = stored(One.class).http().property("spring.application.name", "billing").start();
				Application two = stored(Two.class).start()) {
			String id = one.bean(ThisProcess.class).id();
			await().until(() -> worker(one, two.bean(ThisProcess.class).id()).hasNonNull("host"));
			await().until(() -> worker(one, id).hasNonNull("host"));
			one.post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w\",\"hostname\":\"h\",\"queues\":[\"billing\"]}");
			// A process with an earlier version says less.
			one.bean(JdbcTemplate.class)
				.update("insert into ojs_handler (seen_at, queues, handled, process) select seen_at, queues, handled, "
						+ "'old' from ojs_handler where process = ?", id);
			JsonNode list = JsonMapper.shared().readTree(one.get("/ojs/v1/admin/workers").body());
			assertThat(list.get("items").valueStream().map((item) -> item.get("kind").asString()))
				.containsExactlyInAnyOrder("process", "process", "process", "worker");
			assertThat(list.at("/summary/total").asInt()).isEqualTo(4);
			JsonNode own = worker(one, id);
			assertThat(own.get("queues").toString()).isEqualTo("[\"billing\"]");
			assertThat(own.at("/types/0/type").asString()).isEqualTo("invoice.generate");
			assertThat(own.at("/types/0/versions/0").asString()).isEqualTo(">=1.0 <2.0");
			assertThat(own.get("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
			assertThat(own.get("application").asString()).isEqualTo("billing");
			assertThat(own.get("application_version").asString(null))
				.isEqualTo(one.bean(Environment.class).getProperty("spring.application.version"));
			assertThat(own.get("active_jobs").asInt()).isZero();
			JsonNode old = worker(one, "old");
			assertThat(old.get("kind").asString()).isEqualTo("process");
			assertThat(old.get("host").isNull()).isTrue();
			assertThat(old.get("active_jobs").isNull()).isTrue();
			assertThat(one.post("/ojs/v1/admin/workers/" + id + "/quiet", "{}").statusCode()).isEqualTo(409);
			assertThat(one.post("/ojs/v1/admin/workers/w/quiet", "{}").statusCode()).isEqualTo(200);
		}
	}

	private static JsonNode worker(Application application, String id) {
		return JsonMapper.shared().readTree(application.get("/ojs/v1/admin/workers/" + id).body());
	}

	private static int held(JdbcTemplate jdbc) {
		Integer count = jdbc.queryForObject("select count(*) from ojs_job where worker_wait_until is not null",
				Integer.class);
		return (count != null) ? count : 0;
	}

	@Test
	void withABrokerAloneAJobWaitsUntilSomebodyCanRunIt() {
		try (Application one = application(One.class).start()) {
			Job waiting = one.ojs()
				.enqueue(JobRequest.of("invoice.generate@2.0", 1).retry((retry) -> retry.maxAttempts(1)));
			await().until(() -> client().exists("ojs.queue.retry.billing.1000")
					&& client().count("ojs.queue.retry.billing.1000") == 1);
			Job other = one.ojs().enqueue(JobRequest.of("invoice.generate@1.0", 2));
			await().until(() -> seen.size() == 1);
			try (Application two = application(Two.class).start()) {
				await().until(() -> seen.size() == 2);
				assertThat(two.events()).extracting(JobEvent::name).doesNotContain("job.failed", "job.retrying");
			}
			assertThat(seen).extracting(Seen::id).containsExactly(other.id(), waiting.id());
			assertThat(seen.get(1).attempt()).isOne();
			assertThat(client().count("ojs.queue.dlx.billing")).isZero();
		}
	}

	@Test
	void aWorkerThatFetchesNeedNotWaitForTheBroker() {
		try (Application one = stored(One.class).start()) {
			Job waiting = one.ojs().enqueue(JobRequest.of("invoice.generate@2.0", 1));
			await().until(() -> held(one.bean(JdbcTemplate.class)) == 1);
			assertThat(one.bean(RemoteWorkers.class).fetch(new FetchRequest(List.of("billing"), 1, "w", null)))
				.extracting((each) -> each.job().job().id())
				.containsExactly(waiting.id());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void oldJobsAreMadeWhatANewHandlerTakes(boolean stored) {
		try (Application two = (stored ? stored(Two.class, Currency.class) : application(Two.class, Currency.class))
			.start()) {
			Job old = two.ojs().enqueue(JobRequest.of("invoice.generate@1.0", 42));
			await().until(() -> seen.size() == 1);
			assertThat(seen.get(0))
				.isEqualTo(new Seen("two", old.id(), JobVersion.parse("2.0"), 1, List.of(42, "EUR")));
			if (stored) {
				await().until(() -> two.ojs().find(old.id()).orElseThrow().state() == JobState.COMPLETED);
				Job kept = two.ojs().find(old.id()).orElseThrow();
				assertThat(kept.args()).containsExactly(42);
				assertThat(kept.version()).isEqualTo(JobVersion.parse("1.0"));
			}
		}
	}

	@Test
	@Tag("EI-010")
	void eachJobOfAWorkflowHasItsVersionAndResultsAreMadeWhatTheNextOneTakes() {
		try (Application one = stored(One.class, Totals.class).start();
				Application two = stored(Two.class, Currency.class).start()) {
			WorkflowRun run = one.bean(Workflows.class)
				.start(Workflow.chain("bill")
					.then(JobRequest.of("invoice.total").queue("totals").version("1.0"))
					.then(JobRequest.of("invoice.generate", 2).version("2.0"))
					.then(JobRequest.of("invoice.sum").queue("sums").version("2.0")));
			Workflows workflows = two.bean(Workflows.class);
			await().until(() -> workflows.find(run.id()).orElseThrow().state().isTerminal());
			WorkflowRun ended = workflows.find(run.id()).orElseThrow();
			assertThat(seen).extracting(Seen::where).containsExactly("one", "two");
			assertThat(ended.steps().get(2).result()).isEqualTo(List.of("one of 1.0, made 2.0", "two of 2.0"));
		}
	}

	@Test
	void overHttpVersionsAreKeptAsWrittenAndWorkersGetWhatTheyTake() {
		try (Application application = stored().http().start()) {
			JsonNode job = post(application, 201, "/jobs",
					Map.of("type", "invoice.generate@2.0", "args", List.of(1), "queue", "billing"))
				.get("job");
			assertThat(job.get("type").asString()).isEqualTo("invoice.generate");
			assertThat(job.get("version").asString()).isEqualTo("2.0");
			post(application, 201, "/jobs",
					Map.of("type", "invoice.generate", "version", 3, "args", List.of(2), "queue", "billing"));
			HttpResponse<String> listed = application.get("/ojs/v1/admin/jobs?queue=billing");
			assertThat(listed.body()).contains("\"version\":\"2.0\"", "\"version\":3");
			assertThat(fetch(application, "<2.0")).isEmpty();
			assertThat(fetch(application, "3.0")).containsExactly("3");
			assertThat(fetch(application, ">=1.0, <3.0")).containsExactly("2.0");
			JsonNode refused = post(application, 400, "/workers/heartbeat",
					Map.of("worker_id", "w", "handlers", List.of(Map.of("type", "a.b", "versions", "~2.0"))));
			assertThat(refused.toString()).contains("handlers[0].versions", "~2.0", ">=1.0 <3.0");
			assertThat(post(application, 400, "/jobs", Map.of("type", "a.b", "version", "2.0.1", "args", List.of()))
				.toString()).contains("version", "2.0.1", "major.minor");
			post(application, 200, "/workers/heartbeat",
					Map.of("worker_id", "w", "handlers", List.of(Map.of("type", "a.b", "versions", ">=2.0 <3.0"))));
			assertThat(application.get("/ojs/v1/admin/workers/w").body()).contains("\"handlers\":[{", ">=2.0 <3.0");
		}
	}

	private static List<String> fetch(Application application, String versions) {
		List<String> fetched = new ArrayList<>();
		post(application, 200, "/workers/fetch",
				Map.of("queues", List.of("billing"), "count", 10, "handlers",
						List.of(Map.of("type", "invoice.generate", "versions", versions))))
			.get("jobs")
			.forEach((job) -> fetched.add(job.get("version").asString()));
		return fetched;
	}

	private static JsonNode post(Application application, int status, String path, Object body) {
		HttpResponse<String> answer = application.post("/ojs/v1" + path, JsonMapper.shared().writeValueAsString(body));
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		return JsonMapper.shared().readTree(answer.body());
	}

	/**
	 * A run of a job.
	 */
	private record Seen(String where, String id, @Nullable JobVersion version, int attempt, List<Object> args) {

		static String add(String where, JobContext context) {
			Job job = context.job();
			seen.add(new Seen(where, job.id(), job.version(), context.attempt(), List.copyOf(job.args())));
			return where + " of " + job.version();
		}

	}

	static class One {

		@OjsJobHandler(value = "invoice.generate", queue = "billing", versions = ">=1.0 <2.0")
		String generate(JobContext context, int number) {
			return Seen.add("one", context);
		}

	}

	static class Totals {

		@OjsJobHandler(value = "invoice.total", queue = "totals", versions = "1.0")
		String total(JobContext context) {
			return Seen.add("one", context);
		}

	}

	static class Two {

		@OjsJobHandler(value = "invoice.generate", queue = "billing", versions = ">=2.0 <3.0")
		String generate(JobContext context, int number, Optional<String> currency) {
			return Seen.add("two", context);
		}

		@OjsJobHandler(value = "invoice.sum", queue = "sums")
		List<@Nullable Object> sum(JobContext context) {
			return context.parentResults();
		}

	}

	static class Currency {

		@Bean
		JobUpcaster invoicesHaveACurrency() {
			return JobUpcaster.of("invoice.generate", "<2.0", "2.0", (args) -> {
				args.add("EUR");
				return args;
			});
		}

		@Bean
		JobUpcaster totalsAreMade() {
			return new TotalsAreMade();
		}

	}

	static class TotalsAreMade implements JobUpcaster {

		@Override
		public String type() {
			return "invoice.total";
		}

		@Override
		public VersionRange from() {
			return VersionRange.parse("<2.0");
		}

		@Override
		public JobVersion to() {
			return JobVersion.parse("2.0");
		}

		@Override
		public List<@Nullable Object> upcastArgs(List<@Nullable Object> args) {
			return args;
		}

		@Override
		public @Nullable Object upcastResult(@Nullable Object result) {
			return result + ", made 2.0";
		}

	}

}
