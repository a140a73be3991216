package io.ojs.jdbc.internal;

import java.util.List;
import java.util.UUID;

import io.ojs.internal.inspect.BrokerSight;
import io.ojs.internal.inspect.Explanation;
import io.ojs.internal.inspect.JobReasons;
import io.ojs.internal.inspect.Reason;
import io.ojs.internal.inspect.Takers;
import io.ojs.jdbc.internal.inspect.JdbcInspectionStore;
import io.ojs.jdbc.internal.limit.BlockedJob;
import io.ojs.jdbc.internal.version.JdbcHandlerStore;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.jdbc.internal.worker.JdbcWorkerStore;
import io.ojs.workflow.WorkflowRun;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Why a job of a workflow does not run.
 */
abstract class WhyOfWorkflowsContract extends WorkflowsOnStore {

	private final JobReasons reasons = new JobReasons(new JdbcInspectionStore(this.stores.database),
			new BlockedJob(this.stores.database),
			new Takers(new JdbcHandlerStore(this.stores.database), new JdbcWorkerStore(this.stores.database),
					new JdbcFetchedQueueStore(this.stores.database)),
			this.store, (queue) -> false, BrokerSight.FINE, CLOCK);

	private String job(WorkflowRun run, int step) {
		return String.valueOf(this.stores.jdbc()
			.queryForObject("select job_id from ojs_workflow_job where workflow_id = cast(? as uuid) and step = ?",
					UUID.class, run.id(), step));
	}

	private List<Reason> why(String jobId, @Nullable String tenant) {
		return this.reasons.of(jobId, tenant).map(Explanation::reasons).orElse(List.of());
	}

	@Test
	void jobThatIsNotEnqueuedSaysWhatItsWorkflowHasDone() {
		WorkflowRun run = this.workflows.start(chain(3));
		complete(available("step.n0"), null);
		this.engine.advance();
		Explanation explanation = this.reasons.of(job(run, 2), null).orElseThrow();
		assertThat(explanation.state()).isNull();
		assertThat(explanation.reasons()).singleElement().satisfies((reason) -> {
			assertThat(reason.code()).isEqualTo("workflow_waits");
			assertThat(reason.sentence())
				.isEqualTo("Waits as job 3 of workflow 'chain' for the jobs before it; 1 of 3 have ended.");
			assertThat(reason.facts()).containsEntry("workflow_id", run.id()).containsEntry("step", 3);
		});
		assertThat(why(job(run, 1), null)).as("enqueued").extracting(Reason::code).doesNotContain("workflow_waits");
		assertThat(why(job(run, 2), "acme")).as("another tenant").isEmpty();
	}

	@Test
	void jobOfAWorkflowThatHasEndedNeverRuns() {
		WorkflowRun run = this.workflows.start(chain(2));
		this.workflows.cancel(run.id());
		assertThat(why(job(run, 1), null)).singleElement().satisfies((reason) -> {
			assertThat(reason.code()).isEqualTo("ended");
			assertThat(reason.sentence()).startsWith("Its workflow 'chain' is cancelled since ");
		});
	}

}
