package io.ojs.boot.it;

import java.util.List;

import io.ojs.job.JobRequest;
import io.ojs.workflow.Chain;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.WorkflowStore;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 of an engine in the middle of its transaction, and before it, and after it:
 * another one goes on from the last step that has completed, and each step runs once.
 */
@Tag("faults")
class WorkflowCrashTests extends StoreCrashFixture {

	private static final int STEPS = 20;

	@ParameterizedTest
	@ValueSource(strings = { "before WorkflowStore.lock", "after WorkflowStore.takeEnds", "before JobStore.insert",
			"after WorkflowStore.attach", "after WorkflowStore.append" })
	void chainGoesOnWhereItsEngineDied(String point) {
		try (Application starter = settings(application()).property("ojs.worker.enabled", false)
			.property("ojs.workflows.poll-interval", "1h")
			.start()) {
			Chain chain = Workflow.chain("long");
			for (int i = 0; i < STEPS; i++) {
				chain = chain.then(JobRequest.of("desk.write").queue("desk"));
			}
			WorkflowRun run = starter.bean(Workflows.class).start(chain);
			try (ChildApplication victim = child().with(StoreCrashes.Desk.class, AroundWorkflows.class)
				.crashAt(point)
				.start()) {
				victim.killAt(point);
			}
			assertThat(find(starter, run).stepsCompleted()).isLessThan(STEPS);
			try (Application survivor = worker().start()) {
				await().until(() -> find(survivor, run).state().isTerminal());
				WorkflowRun ended = find(survivor, run);
				assertThat(ended.state()).isEqualTo(WorkflowState.COMPLETED);
				List<String> once = ended.steps().stream().map((step) -> step.jobId() + " 1").toList();
				assertThat(runs()).containsExactlyElementsOf(once);
				assertThat(count(survivor, "select count(*) from ojs_job")).isEqualTo(STEPS);
				assertThat(count(survivor, "select count(*) from ojs_workflow_end")).isZero();
			}
		}
	}

	private static WorkflowRun find(Application application, WorkflowRun run) {
		return application.bean(Workflows.class).find(run.id()).orElseThrow();
	}

	static class AroundWorkflows {

		@Bean
		static BeanPostProcessor aroundWorkflowStore() {
			return CrashPoint.around(WorkflowStore.class);
		}

	}

}
