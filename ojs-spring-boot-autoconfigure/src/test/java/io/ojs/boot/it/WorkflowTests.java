package io.ojs.boot.it;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import io.ojs.workflow.Callback;
import io.ojs.workflow.StepRun;
import io.ojs.workflow.StepState;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Workflows whose jobs are worked by handlers, by way of a broker.
 */
@Tag("java-versions")
class WorkflowTests extends BrokerTest {

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application start() {
		return application(Mill.class).database(this.database.url(), this.database.username(), this.database.password())
			.start();
	}

	@Test
	void chainWithAGroupPassesResultsFromHandlerToHandler() {
		try (Application application = start()) {
			WorkflowRun run = application.bean(Workflows.class)
				.start(Workflow.chain("sum")
					.then(JobRequest.of("mill.number", 1))
					.then(Workflow.group("many")
						.add(JobRequest.of("mill.number", 2))
						.add(JobRequest.of("mill.number", 3)))
					.then(JobRequest.of("mill.parents")));
			assertThat(run.state()).isEqualTo(WorkflowState.RUNNING);
			WorkflowRun ended = awaitEnd(application, run);
			assertThat(ended.state()).isEqualTo(WorkflowState.COMPLETED);
			assertThat(ended.steps().get(2).result()).isEqualTo(List.of(1, List.of(2, 3)));
		}
	}

	@Test
	void batchCallsBackOnceItsLastAttemptHasFailed() {
		try (Application application = start()) {
			WorkflowRun run = application.bean(Workflows.class)
				.start(Workflow.batch("mixed")
					.add(JobRequest.of("mill.number", 1))
					.add(JobRequest.of("mill.second"))
					.add(JobRequest.of("mill.never").retry((retry) -> retry.maxAttempts(2)))
					.onSuccess(JobRequest.of("mill.parents"))
					.onFailure(JobRequest.of("mill.parents")));
			WorkflowRun ended = awaitEnd(application, run);
			assertThat(ended.state()).isEqualTo(WorkflowState.COMPLETED);
			assertThat(ended.steps()).extracting(StepRun::state)
				.containsExactly(StepState.COMPLETED, StepState.COMPLETED, StepState.FAILED);
			StepRun called = ended.callbacks().get(Callback.ON_FAILURE);
			assertThat(called.result()).isEqualTo(Arrays.asList(1, "at last", null));
			assertThat(ended.callbacks().get(Callback.ON_SUCCESS).jobId()).isNull();
			assertThat(ended.failures()).singleElement()
				.satisfies((failure) -> assertThat(failure.attempt()).isEqualTo(2));
		}
	}

	@Test
	void cancelInterruptsWhatRunsAndNothingFollows() {
		try (Application application = start()) {
			Workflows workflows = application.bean(Workflows.class);
			WorkflowRun run = workflows
				.start(Workflow.chain("long").then(JobRequest.of("mill.wait")).then(JobRequest.of("mill.number", 1)));
			await().until(() -> workflows.find(run.id()).orElseThrow().steps().get(0).state() == StepState.ACTIVE);
			assertThat(workflows.cancel(run.id()).orElseThrow().state()).isEqualTo(WorkflowState.CANCELLED);
			await().until(() -> application.bean(Mill.class).interrupted.getCount() == 0);
			assertThat(workflows.find(run.id()).orElseThrow().steps()).extracting(StepRun::state)
				.containsExactly(StepState.CANCELLED, StepState.CANCELLED);
			assertThat(client().count("ojs.queue.mill")).isZero();
		}
	}

	@Test
	void workflowGoesOnAfterAllInstancesWereStopped() {
		String id;
		try (Application application = start()) {
			id = application.bean(Workflows.class)
				.start(Workflow.chain("slow")
					.then(JobRequest.of("mill.number", 1))
					.then(JobRequest.of("mill.slow"))
					.then(JobRequest.of("mill.parents")))
				.id();
			await().until(() -> application.bean(Workflows.class).find(id).orElseThrow().stepsCompleted() >= 1);
		}
		try (Application application = start()) {
			WorkflowRun ended = awaitEnd(application, application.bean(Workflows.class).find(id).orElseThrow());
			assertThat(ended.state()).isEqualTo(WorkflowState.COMPLETED);
			assertThat(ended.steps().get(2).result()).isEqualTo(List.of(1, "slow"));
		}
	}

	private static WorkflowRun awaitEnd(Application application, WorkflowRun run) {
		Workflows workflows = application.bean(Workflows.class);
		await().until(() -> workflows.find(run.id()).orElseThrow().state().isTerminal());
		return workflows.find(run.id()).orElseThrow();
	}

	static class Mill {

		final CountDownLatch interrupted = new CountDownLatch(1);

		@OjsJobHandler(value = "mill.number", queue = "mill")
		int number(int number) {
			return number;
		}

		@OjsJobHandler(value = "mill.parents", queue = "mill")
		List<@Nullable Object> parents(JobContext context) {
			return context.parentResults();
		}

		@OjsJobHandler(value = "mill.second", queue = "mill")
		String second(JobContext context) {
			if (context.attempt() == 1) {
				throw new IllegalStateException("no luck");
			}
			return "at last";
		}

		@OjsJobHandler(value = "mill.never", queue = "mill")
		Map<String, Object> never() {
			throw new IllegalStateException("never");
		}

		@OjsJobHandler(value = "mill.slow", queue = "mill")
		String slow(JobContext context) {
			if (context.isCancelled()) {
				throw new IllegalStateException("cancelled");
			}
			return "slow";
		}

		@OjsJobHandler(value = "mill.wait", queue = "mill")
		void waits() throws InterruptedException {
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.interrupted.countDown();
				throw ex;
			}
		}

	}

}
