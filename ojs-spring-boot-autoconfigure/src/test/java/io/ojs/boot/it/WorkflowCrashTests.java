package io.ojs.boot.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.workflow.Batch;
import io.ojs.workflow.Callback;
import io.ojs.workflow.Chain;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowQuery;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * kill -9 of an engine in the middle of its transaction, and before it, and after it:
 * another one goes on from the last step that has completed, and enqueues each job once.
 */
@Tag("faults")
class WorkflowCrashTests extends StoreCrashFixture {

	private static final int STEPS = 20;

	private static final int PARTS = WorkflowCrashes.PARTS;

	private static final String RETRY = "ojs.queues.desk.retry.initial-interval";

	private static final String RETRY_SOON = "500ms";

	@ParameterizedTest
	@MethodSource
	void chainGoesOnWhereItsEngineDied(String point) {
		try (Application starter = starter()) {
			Chain chain = Workflow.chain("long");
			for (int i = 0; i < STEPS; i++) {
				chain = chain.then(JobRequest.of("desk.write").queue("desk"));
			}
			WorkflowRun run = starter.bean(Workflows.class).start(chain);
			killWorkerAt(point, 1);
			assertThat(find(starter, run).stepsCompleted()).isLessThan(STEPS);
			try (Application survivor = worker().start()) {
				WorkflowRun ended = awaitEnd(survivor, run);
				List<String> once = ended.steps().stream().map((step) -> step.jobId() + " 1").toList();
				assertThat(runs()).containsExactlyElementsOf(once);
				assertThat(count(survivor, "select count(*) from ojs_job")).isEqualTo(STEPS);
			}
		}
	}

	static Stream<String> chainGoesOnWhereItsEngineDied() {
		return KillPoints.some("before JobStore.insert", "after WorkflowStore.takeEnds", "before WorkflowStore.lock",
				"after WorkflowStore.attach", "after WorkflowStore.append");
	}

	@ParameterizedTest
	@MethodSource
	void nothingIsLeftOfAGroupWhoseStartWasNotCommitted(String point) {
		try (ChildApplication child = groupStarter(point); Application survivor = starter()) {
			child.killAt(point);
			assertThat(count(survivor, "select count(*) from ojs_workflow")).isZero();
			assertThat(count(survivor, "select count(*) from ojs_workflow_job")).isZero();
			assertThat(count(survivor, "select count(*) from ojs_job")).isZero();
			assertThat(events(survivor, "true")).isZero();
		}
	}

	static Stream<Arguments> nothingIsLeftOfAGroupWhoseStartWasNotCommitted() {
		return KillPoints.some(arguments("workflow.started not committed"), arguments("after JobStore.insert"),
				arguments("after WorkflowStore.insert"));
	}

	@Test
	void groupRunsOfWhichNobodyHasPublishedAnything() {
		try (ChildApplication child = groupStarter("before JobPublisher.publish")) {
			child.killAt("before JobPublisher.publish");
		}
		assertThat(!client().exists(JOBS) || client().count(JOBS) == 0).as("not published").isTrue();
		try (Application survivor = survivor()) {
			assertThat(count(survivor, "select count(*) from ojs_job")).isEqualTo(PARTS);
			WorkflowRun run = survivor.bean(Workflows.class).list(WorkflowQuery.ALL).get(0);
			assertThat(awaitEnd(survivor, run).completedCount()).isEqualTo(PARTS);
			assertEachAttemptHasItsReason(survivor);
			assertThat(runs()).hasSize(PARTS);
		}
		assertNothingIsLeftAtTheBroker();
	}

	/** The second time has others to come, and one behind it. */
	@ParameterizedTest
	@MethodSource
	void groupLosesNothing(String point, int time, WorkflowState killedIn) {
		try (Application starter = starter()) {
			WorkflowRun run = starter.bean(Workflows.class).start(WorkflowCrashes.group());
			await().until(() -> publishedAndNoted(starter));
			killWorkerAt(point, time);
			assertThat(find(starter, run).state()).isEqualTo(killedIn);
			try (Application survivor = survivor()) {
				assertThat(awaitEnd(survivor, run).completedCount()).isEqualTo(PARTS);
				assertThat(count(survivor, "select count(*) from ojs_job")).isEqualTo(PARTS);
				assertThat(events(survivor, "type = 'workflow.job_completed'")).isEqualTo(PARTS);
				assertEachAttemptHasItsReason(survivor);
				// What was published again since it was overdue is dropped by its worker,
				// which may hold some of it.
				await().during(Duration.ofSeconds(1)).until(() -> client().count(JOBS) == 0);
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	static Stream<Arguments> groupLosesNothing() {
		return KillPoints.some(arguments("after WorkflowStore.append", 2, WorkflowState.RUNNING),
				arguments("before AttemptStore.settle", 10, WorkflowState.RUNNING),
				arguments("before WorkflowStore.lock", 2, WorkflowState.RUNNING),
				arguments("workflow.completed not committed", 1, WorkflowState.RUNNING),
				arguments("after WorkflowStore.takeEnds", 2, WorkflowState.RUNNING),
				arguments("after AttemptStore.settle", 10, WorkflowState.RUNNING),
				arguments("workflow.completed told", 1, WorkflowState.COMPLETED));
	}

	/**
	 * Two of three callbacks are due, and are enqueued in the transaction that is cut, or
	 * have been in one before.
	 */
	@ParameterizedTest
	@MethodSource
	void batchCallsBackOnce(String point, int failing, int calledBefore) {
		Batch batch = WorkflowCrashes.batch(failing);
		try (Application starter = starter()) {
			WorkflowRun run = starter.bean(Workflows.class).start(batch);
			await().until(() -> publishedAndNoted(starter));
			killWorkerAt(point, 1);
			assertThat(find(starter, run).state()).isEqualTo(WorkflowState.RUNNING);
			assertThat(callbacks(starter)).hasSize(calledBefore);
			try (Application survivor = survivor()) {
				assertCalledBack(survivor, awaitEnd(survivor, run), failing);
				assertThat(count(survivor, "select count(*) from ojs_job")).isEqualTo(PARTS + 2);
				assertEachAttemptHasItsReason(survivor);
				// What was published again since it was overdue is dropped by its worker,
				// which may hold some of it.
				await().during(Duration.ofSeconds(1)).until(() -> client().count(JOBS) == 0);
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	static Stream<Arguments> batchCallsBackOnce() {
		return KillPoints.some(arguments("after WorkflowStore.attach", 3, 0),
				arguments("workflow.callback_fired not committed", 0, 0),
				arguments("before JobPublisher.publish", 0, 2), arguments("callback", 3, 2),
				arguments("before JobStore.insert", 0, 0), arguments("after JobStore.insert", 3, 0),
				arguments("workflow.callback_fired told", 3, 2), arguments("callback", 0, 2),
				arguments("workflow.completed not committed", 3, 2));
	}

	private Application starter() {
		return observer().property("ojs.workflows.poll-interval", "1h").property(RETRY, RETRY_SOON).start();
	}

	private Application survivor() {
		return worker().with(WorkflowCrashes.Parts.class).property(RETRY, RETRY_SOON).start();
	}

	private ChildApplication groupStarter(String point) {
		return child().with(WorkflowCrashes.GroupStarter.class, WorkflowCrashes.Points.class)
			.property("ojs.worker.enabled", false)
			.crashAt(point)
			.start();
	}

	private void killWorkerAt(String point, int time) {
		try (ChildApplication victim = child()
			.with(StoreCrashes.Desk.class, WorkflowCrashes.Parts.class, WorkflowCrashes.Points.class)
			.crashAt(point, time)
			.start()) {
			victim.killAt(point);
		}
	}

	private static WorkflowRun find(Application application, WorkflowRun run) {
		return application.bean(Workflows.class).find(run.id()).orElseThrow();
	}

	private WorkflowRun awaitEnd(Application survivor, WorkflowRun run) {
		await().until(() -> find(survivor, run).state().isTerminal());
		// A worker that was slow to begin what it had fetched has had it published again.
		await().until(() -> client().count(JOBS) == 0);
		WorkflowRun ended = find(survivor, run);
		assertThat(ended.state()).isEqualTo(WorkflowState.COMPLETED);
		assertThat(count(survivor, "select count(*) from ojs_workflow_end")).isZero();
		assertThat(events(survivor, "type = 'workflow.completed'")).isEqualTo(1);
		return ended;
	}

	private static List<String> callbacks(Application application) {
		return application.bean(JdbcTemplate.class)
			.queryForList("select id from ojs_job where type = 'desk.called'", String.class);
	}

	private static void assertCalledBack(Application application, WorkflowRun run, int failing) {
		Callback outcome = (failing > 0) ? Callback.ON_FAILURE : Callback.ON_SUCCESS;
		Callback other = (failing > 0) ? Callback.ON_SUCCESS : Callback.ON_FAILURE;
		assertThat(run.failedCount()).isEqualTo(failing);
		assertThat(run.callbacks().get(other).jobId()).isNull();
		assertThat(callbacks(application)).containsExactlyInAnyOrder(run.callbacks().get(outcome).jobId(),
				run.callbacks().get(Callback.ON_COMPLETE).jobId());
		assertThat(events(application, "type = 'workflow.callback_fired'")).isEqualTo(2);
	}

	/**
	 * A run is in the ledger once at most, and not at all only if its worker died between
	 * claim and handler. All but the last one of a job ended with their worker.
	 */
	private void assertEachAttemptHasItsReason(Application application) {
		List<String> unexplained = new ArrayList<>(runs());
		List<String> ids = application.bean(JdbcTemplate.class).queryForList("select id from ojs_job", String.class);
		for (String id : ids) {
			Job job = find(application, id).job();
			boolean failed = job.state() == JobState.DISCARDED;
			assertThat(job.state()).isEqualTo(failed ? JobState.DISCARDED : JobState.COMPLETED);
			assertThat(job.errors()).extracting(JobError::attempt)
				.containsExactlyElementsOf(
						IntStream.rangeClosed(1, failed ? job.attempt() : job.attempt() - 1).boxed().toList());
			if (failed) {
				assertThat(job.type()).isEqualTo("desk.never");
			}
			else {
				assertThat(job.errors()).allMatch((error) -> error.code().equals("WORKER_LOST"));
				assertThat(unexplained).contains(id + " " + job.attempt());
			}
			IntStream.rangeClosed(1, job.attempt()).forEach((attempt) -> unexplained.remove(id + " " + attempt));
		}
		assertThat(unexplained).as("runs that are no attempt, or a second one").isEmpty();
	}

}
