package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import io.ojs.event.StoredEvent;
import io.ojs.internal.engine.Times;
import io.ojs.job.Job;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowRun;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is told of workflows.
 */
abstract class WorkflowEventsContract extends WorkflowsOnStore {

	private static final Instant NOW = TestStores.NOW;

	private List<Map<String, Object>> data(WorkflowRun run, String type) {
		List<Map<String, Object>> data = new ArrayList<>();
		this.stores.events()
			.stream()
			.filter((event) -> event.subject().equals(run.id()) && event.type().equals(type))
			.map(StoredEvent::data)
			.forEach((each) -> data.add(Map.copyOf(each)));
		return data;
	}

	@Test
	void eventsTellWhichStepEndedHow() {
		WorkflowRun run = this.workflows.start(chain(3));
		Job first = available("step.n0");
		complete(first, null);
		this.engine.advance();
		fail(available("step.n1"));
		this.engine.advance();
		assertThat(data(run, "workflow.step_completed")).singleElement()
			.satisfies((data) -> assertThat(data).containsEntry("step_index", 0)
				.containsEntry("step_type", "step.n0")
				.containsEntry("job_id", first.id())
				.containsEntry("remaining_steps", 2)
				.containsEntry("duration_ms", 0));
		assertThat(data(run, "workflow.step_failed")).singleElement()
			.satisfies((data) -> assertThat(data).containsEntry("step_index", 1)
				.containsEntry("remaining_steps", 0)
				.containsEntry("error", Map.of("code", "HANDLER_ERROR", "message", "no luck")));
	}

	@Test
	void eventsTellWhoIsCalledBack() {
		WorkflowRun run = this.workflows.start(batch(1));
		complete(available("part.n0"), null);
		this.engine.advance();
		assertThat(data(run, "workflow.callback_fired")).extracting((data) -> data.get("callback"))
			.containsExactlyInAnyOrder("on_complete", "on_success");
		assertThat(data(run, "workflow.callback_fired")).extracting((data) -> data.get("job_id"))
			.contains(available("callback.success").id());
		assertThat(find(run).jobCount()).as("callbacks are no jobs of it").isOne();
	}

	@Test
	void nothingIsToldOfWhatNeverRan() {
		WorkflowRun run = this.workflows.start(Workflow.chain("c").then(job("step.n0")).then(group(2)));
		fail(available("step.n0"));
		this.engine.advance();
		assertThat(eventsOf(run)).containsExactly("workflow.created", "workflow.started", "workflow.step_failed",
				"workflow.failed");
	}

	@Test
	void endOfAWorkflowIsToldOnce() {
		WorkflowRun run = this.workflows.start(chain(1));
		Job job = available("step.n0");
		fail(job);
		this.engine.advance();
		List<String> told = eventsOf(run);
		this.stores.jdbc()
			.update("insert into ojs_workflow_end (workflow_id, step, job_id, type, state, ended_at) "
					+ "values (?, 0, ?, 'step.n0', 'completed', ?)", UUID.fromString(run.id()),
					UUID.fromString(job.id()), Times.utc(NOW));
		this.engine.advance();
		assertThat(ends()).isZero();
		assertThat(eventsOf(run)).isEqualTo(told);
	}

	@Test
	void nobodyIsToldOfWhatIsRolledBack() {
		this.workflows.start(chain(2));
		complete(available("step.n0"), null);
		this.told.clear();
		StoreTransactions doomed = new StoreTransactions() {

			@Override
			public <T> T inTransaction(Supplier<T> work) {
				return WorkflowEventsContract.this.stores.transactions.inTransaction(() -> {
					work.get();
					throw new StoreUnavailableException("The test has it die here.", null);
				});
			}

			@Override
			public void afterCommit(Runnable action) {
				WorkflowEventsContract.this.stores.transactions.afterCommit(action);
			}

			@Override
			public boolean isActive() {
				return WorkflowEventsContract.this.stores.transactions.isActive();
			}

		};
		engine(this.store, doomed, this.ojs).advance();
		assertThat(this.told).isEmpty();
		this.engine.advance();
		assertThat(this.told).extracting(WorkflowEvent::name).containsExactly("workflow.step_completed");
	}

}
