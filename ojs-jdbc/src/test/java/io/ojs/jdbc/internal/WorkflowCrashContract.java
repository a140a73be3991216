package io.ojs.jdbc.internal;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.ojs.client.OjsOperations;
import io.ojs.event.StoredEvent;
import io.ojs.job.Job;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.internal.WorkflowEngine;
import io.ojs.workflow.internal.WorkflowStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The engine dies at every point of every one of its transactions, before the commit and
 * right after it. Whoever comes next goes on from there: each step is enqueued once,
 * callbacks too.
 */
abstract class WorkflowCrashContract extends WorkflowsOnStore {

	private static final int ENOUGH = 200;

	private int deaths;

	@Test
	void chainOfTwenty() {
		WorkflowRun run = this.workflows.start(chain(20));
		for (int step = 0; step < 20; step++) {
			assertThat(types()).containsExactly("step.n" + step);
			complete(available("step.n" + step), step);
			advanceInSpiteOfDeaths(run);
		}
		assertThat(find(run).state()).isEqualTo(WorkflowState.COMPLETED);
		assertThat(find(run).completedCount()).isEqualTo(20);
		assertOnce(20);
	}

	@Test
	void groupOfFiveHundred() {
		WorkflowRun run = this.workflows.start(Workflow.chain("both").then(group(500)).then(job("step.last")));
		List<Job> jobs = available();
		assertThat(jobs).hasSize(500);
		for (int i = 0; i < jobs.size(); i++) {
			complete(jobs.get(i), null);
			if (i % 100 == 7) {
				advanceInSpiteOfDeaths(run);
			}
		}
		assertThat(enqueued("step.last")).isZero();
		advanceInSpiteOfDeaths(run);
		complete(available("step.last"), null);
		advanceInSpiteOfDeaths(run);
		assertThat(find(run).state()).isEqualTo(WorkflowState.COMPLETED);
		assertOnce(501);
	}

	@Test
	void batchWithCallbacks() {
		WorkflowRun run = this.workflows.start(batch(3));
		complete(available("part.n0"), null);
		advanceInSpiteOfDeaths(run);
		complete(available("part.n2"), null);
		fail(available("part.n1"));
		advanceInSpiteOfDeaths(run);
		assertThat(types()).containsExactly("callback.complete", "callback.failure");
		complete(available("callback.complete"), null);
		advanceInSpiteOfDeaths(run);
		complete(available("callback.failure"), null);
		advanceInSpiteOfDeaths(run);
		assertThat(find(run).state()).isEqualTo(WorkflowState.COMPLETED);
		assertOnce(5);
	}

	@Test
	void manyEnginesAtOnce() throws Exception {
		WorkflowRun run = this.workflows.start(Workflow.chain("all").then(batch(60)).then(job("step.last")));
		List<Job> jobs = available();
		Threads.together(4, (thread) -> {
			WorkflowEngine own = engine(this.store, this.stores.transactions, this.ojs);
			for (int i = thread; i < jobs.size(); i += 4) {
				complete(jobs.get(i), null);
				own.advance();
			}
		});
		this.engine.advance();
		assertThat(types()).containsExactly("callback.complete", "callback.success");
		complete(available("callback.complete"), null);
		complete(available("callback.success"), null);
		this.engine.advance();
		complete(available("step.last"), null);
		this.engine.advance();
		assertThat(find(run).state()).isEqualTo(WorkflowState.COMPLETED);
		assertThat(enqueued()).hasSize(63);
	}

	/** Dies at the first point, then at the second and so on, until it lives. */
	private void advanceInSpiteOfDeaths(WorkflowRun run) {
		Set<String> known = ids();
		boolean committed = false;
		for (int point = 1; point < ENOUGH; point++) {
			FaultyCalls faults = new FaultyCalls();
			WorkflowEngine mortal = mortal(faults);
			faults.failAt(point);
			long before = ends();
			try {
				mortal.advance();
				if (!hasDied(faults)) {
					assertThat(ends()).isZero();
					assertThat(this.deaths).isPositive();
					return;
				}
			}
			catch (FaultyCalls.Died ex) {
				// Outside the transaction of a workflow.
				this.deaths++;
			}
			committed |= before > 0 && ends() == 0;
			if (!committed) {
				assertThat(ids()).as("at point %d, before the commit", point).isEqualTo(known);
				assertThat(ends()).isEqualTo(before);
			}
		}
		throw new AssertionError("Workflow " + run.id() + " never went on.");
	}

	private boolean hasDied(FaultyCalls faults) {
		if (faults.hasFailed()) {
			this.deaths++;
			return true;
		}
		return false;
	}

	private Set<String> ids() {
		return new HashSet<>(
				this.stores.jdbc().queryForList("select cast(id as varchar(36)) from ojs_job", String.class));
	}

	private WorkflowEngine mortal(FaultyCalls faults) {
		StoreTransactions transactions = new StoreTransactions() {

			@Override
			public <T> T inTransaction(Supplier<T> work) {
				T answer = WorkflowCrashContract.this.stores.transactions.inTransaction(() -> {
					T done = work.get();
					faults.point("before the commit");
					return done;
				});
				faults.point("after the commit");
				return answer;
			}

			@Override
			public void afterCommit(Runnable action) {
				WorkflowCrashContract.this.stores.transactions.afterCommit(action);
			}

			@Override
			public boolean isActive() {
				return WorkflowCrashContract.this.stores.transactions.isActive();
			}

		};
		return engine(faults.around(WorkflowStore.class, this.store), transactions,
				faults.around(OjsOperations.class, this.ojs));
	}

	/** Enqueued once, by its id and by what the feed tells. */
	private void assertOnce(int jobs) {
		assertThat(this.stores.jdbc().queryForObject("select count(*) from ojs_job", Long.class)).isEqualTo(jobs);
		assertThat(enqueued()).hasSize(jobs).doesNotHaveDuplicates();
		assertThat(this.stores.jdbc().queryForObject("select count(distinct workflow_step) from ojs_job", Long.class))
			.isEqualTo(jobs);
	}

	/** Which jobs were enqueued, as the feed tells. */
	private List<String> enqueued() {
		return this.stores.events()
			.stream()
			.filter((event) -> event.type().equals("job.enqueued"))
			.map(StoredEvent::subject)
			.toList();
	}

}
