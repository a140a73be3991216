package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ojs.client.DuplicateJobException;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.OverlapPolicy;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.UniqueDimension;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.EnqueueMiddlewareCustomizer;
import io.ojs.middleware.MiddlewareChain;
import io.ojs.tenant.Tenants;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Two extensions at once, where the documents say what is to come of it (OJS Extension
 * Interactions).
 */
class ExtensionInteractionsTests extends BrokerTest {

	private final PostgresDatabase database = StoreDatabases.create();

	@BeforeEach
	void forget() {
		Chain.seen.clear();
		Desk.steps.clear();
		Desk.closing = new CountDownLatch(1);
		Desk.door = new CountDownLatch(1);
	}

	@AfterEach
	void dropDatabase() {
		Desk.door.countDown();
		this.database.close();
	}

	private Application.Starter desk() {
		return application(Desk.class).database(this.database.url(), this.database.username(),
				this.database.password());
	}

	@Test
	@Tag("EI-009")
	void aWorkflowGoesOnWhereTheStopFoundIt() {
		String id;
		try (Application first = desk().start()) {
			id = first.bean(Workflows.class)
				.start(Workflow.chain("three")
					.then(JobRequest.of("desk.step", "a"))
					.then(JobRequest.of("desk.slow", "b"))
					.then(JobRequest.of("desk.step", "c")))
				.id();
			await().until(() -> Desk.steps.contains("b begins"));
			// What runs is waited for, and nothing that comes after it.
		}
		assertThat(Desk.steps).containsExactly("a", "b begins", "b ends");
		try (Application second = desk().start()) {
			Workflows workflows = second.bean(Workflows.class);
			await().until(() -> workflows.find(id).orElseThrow().state() == WorkflowState.COMPLETED);
			assertThat(Desk.steps).containsExactly("a", "b begins", "b ends", "c");
			assertThat(workflows.find(id).orElseThrow().state()).isEqualTo(WorkflowState.COMPLETED);
		}
	}

	@Test
	@Tag("EI-011")
	@Tag("EI-R004")
	void aCronWhoseJobRunsIsSkippedBeforeAnybodyAsksWhetherItIsUnique() {
		JobRequest job = JobRequest.of("desk.wait", "a")
			.unique((policy) -> policy.keys(UniqueDimension.TYPE, UniqueDimension.ARGS));
		CronRequest request = CronRequest.of("bell", "* * * * * *", job);
		try (Application application = desk().start()) {
			CronJobs crons = application.bean(CronJobs.class);
			crons.register(request);
			await().until(() -> crons.runs("bell", 10).size() >= 3);
			List<CronRun> runs = crons.runs("bell", 10);
			CronRun first = runs.get(runs.size() - 1);
			assertThat(first.outcome()).isEqualTo(CronRun.Outcome.TRIGGERED);
			assertThat(runs.subList(0, runs.size() - 1)).allSatisfy((run) -> {
				assertThat(run.outcome()).isEqualTo(CronRun.Outcome.SKIPPED);
				assertThat(run.reason()).isEqualTo(CronRun.OVERLAP_SKIP);
				assertThat(run.jobId()).isEqualTo(first.jobId());
			});
			// Without that, it is the job that is refused.
			crons.register(request.overlap(OverlapPolicy.ALLOW));
			await().until(() -> "duplicate".equals(crons.runs("bell", 1).get(0).reason()));
			crons.register(request);
			Desk.door.countDown();
			await().until(() -> crons.runs("bell", 1).get(0).outcome() == CronRun.Outcome.TRIGGERED);
		}
	}

	@Test
	@Tag("EI-012")
	void middlewareOfAnApplicationKnowsTheTenantAndSeesArgumentsWhichAreNotInTheRow() {
		try (Application application = desk().with(Chain.class)
			.property("ojs.tenancy.enabled", true)
			.property("ojs.encryption.keys.k1", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
			.property("ojs.encryption.queues", "desk")
			.start()) {
			JobRequest request = JobRequest.of("desk.step", "Walnut")
				.scheduledAt(Instant.now().plus(Duration.ofDays(1)))
				.unique((policy) -> policy.keys(UniqueDimension.TYPE, UniqueDimension.ARGS));
			Tenants tenants = application.bean(Tenants.class);
			Job job = tenants.supply("acme", () -> application.ojs().enqueue(request));
			assertThat(Chain.seen).hasSize(2);
			assertThat(Chain.seen.get(0)).isEqualTo("bean: acme [Walnut]");
			assertThat(Chain.seen.get(1)).startsWith("behind encrypt: acme")
				.contains("ojs_encoded")
				.doesNotContain("alnut");
			// What it has changed is what is compared, and not the ciphertext.
			assertThatExceptionOfType(DuplicateJobException.class)
				.isThrownBy(() -> tenants.run("acme",
						() -> application.ojs().enqueue(JobRequest.of("desk.step", "WALNUT").unique(request.unique()))))
				.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(job.id()));
			assertThat(application.bean(JdbcTemplate.class)
				.queryForList("select row_to_json(t)::text from ojs_job t", String.class))
				.singleElement(InstanceOfAssertFactories.STRING)
				.contains(job.id(), "acme", "ojs_encoded")
				.doesNotContainIgnoringCase("walnut");
		}
	}

	static class Desk {

		static final List<String> steps = new CopyOnWriteArrayList<>();

		static volatile CountDownLatch closing = new CountDownLatch(1);

		static volatile CountDownLatch door = new CountDownLatch(1);

		@EventListener
		void closing(ContextClosedEvent event) {
			closing.countDown();
		}

		@OjsJobHandler(value = "desk.step", queue = "desk")
		void step(String name) {
			steps.add(name);
		}

		@OjsJobHandler(value = "desk.wait", queue = "desk")
		void await(String name) throws InterruptedException {
			assertThat(door.await(60, TimeUnit.SECONDS)).isTrue();
		}

		@OjsJobHandler(value = "desk.slow", queue = "desk")
		void slow(String name) throws InterruptedException {
			steps.add(name + " begins");
			assertThat(closing.await(20, TimeUnit.SECONDS)).isTrue();
			// The stop is under way, and asks for no more jobs.
			TimeUnit.MILLISECONDS.sleep(500);
			steps.add(name + " ends");
		}

	}

	static class Chain {

		static final List<String> seen = new CopyOnWriteArrayList<>();

		private static void look(String where, Job job) {
			seen.add("%s: %s %s".formatted(where, job.meta().get(Tenants.META_KEY), job.args()));
		}

		@Bean
		EnqueueMiddleware inLowerCase() {
			return (job) -> {
				look("bean", job);
				return job.toBuilder()
					.args(job.args()
						.stream()
						.<@Nullable Object>map((arg) -> arg.toString().toLowerCase(Locale.ROOT))
						.toList())
					.build();
			};
		}

		@Bean
		EnqueueMiddlewareCustomizer last() {
			return (chain) -> chain.insertAfter(MiddlewareChain.ENCRYPT, "last", (job) -> {
				look("behind encrypt", job);
				return job;
			});
		}

	}

}
