package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.internal.CronFiring;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.workflow.StepState;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;

import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Extensions that say how jobs are begun, and how an application ends.
 */
final class MatrixBegins {

	private MatrixBegins() {
	}

	/**
	 * Each job is the second of three steps.
	 */
	static final class Chains implements MatrixExtension {

		/** By the id of the job. */
		private final Map<String, String> workflows = new ConcurrentHashMap<>();

		@Override
		public Begin begin(MatrixCell cell, Begin inner) {
			return (requests) -> {
				List<String> begun = requests.stream()
					.map((request) -> cell.bean(Workflows.class)
						.start(Workflow.chain("cell")
							.then(cell.request(MatrixWork.WORKS))
							.then(request)
							.then(cell.request(MatrixWork.WORKS)))
						.id())
					.toList();
				return () -> begun.stream().map((workflow) -> secondStep(cell, workflow)).toList();
			};
		}

		private String secondStep(MatrixCell cell, String workflow) {
			await().until(() -> find(cell, workflow).steps().get(1).jobId() != null);
			String id = Objects.requireNonNull(find(cell, workflow).steps().get(1).jobId());
			this.workflows.put(id, workflow);
			return id;
		}

		private static WorkflowRun find(MatrixCell cell, String workflow) {
			return cell.bean(Workflows.class).find(workflow).orElseThrow();
		}

		@Override
		public void verify(MatrixCell cell) {
			assertWentOn(cell, cell.works(), MatrixWork.WORKS);
			assertWentOn(cell, cell.recovers(), MatrixWork.RECOVERS);
			String failed = this.workflows.get(cell.dies());
			await().until(() -> find(cell, failed).state() == WorkflowState.FAILED);
			assertThat(find(cell, failed).steps()).extracting((step) -> step.state())
				.containsExactly(StepState.COMPLETED, StepState.FAILED, StepState.CANCELLED);
			assertThat(find(cell, failed).steps().get(2).jobId()).isNull();
		}

		void assertWentOn(MatrixCell cell, String id, String how) {
			String workflow = this.workflows.get(id);
			await().until(() -> find(cell, workflow).state() == WorkflowState.COMPLETED);
			List<String> ids = find(cell, workflow).steps().stream().map((step) -> step.jobId()).toList();
			assertThat(ids).hasSize(3).doesNotHaveDuplicates().doesNotContainNull();
			assertThat(ids.get(1)).isEqualTo(id);
			assertThat(MatrixWork.runs(ids.get(0))).singleElement()
				.satisfies((run) -> assertThat(run.parents()).isEmpty());
			assertThat(MatrixWork.runs(ids.get(2))).singleElement()
				.satisfies((run) -> assertThat(run.parents()).isEqualTo(List.of(MatrixWork.WORKS, how)));
		}

	}

	/**
	 * The clock enqueues each job, or one that starts a workflow.
	 */
	static final class Crons implements MatrixExtension {

		private static final String EVERY_SECOND = "* * * * * *";

		private int number;

		private final List<String> names = new ArrayList<>();

		@Override
		public Begin begin(MatrixCell cell, Begin inner) {
			return (requests) -> {
				if (!cell.has(MatrixAxis.WF)) {
					List<String> crons = requests.stream().map((request) -> register(cell, request)).toList();
					return () -> crons.stream().map((cron) -> awaitFired(cell, cron)).toList();
				}
				CompletableFuture<Supplier<List<String>>> begun = new CompletableFuture<>();
				MatrixWork.begins.put(this.number, () -> {
					if (!begun.isDone()) {
						begun.complete(inner.of(requests));
					}
				});
				String cron = register(cell, JobRequest.of("cell.begin", MatrixWork.WORKS, cell.secret, this.number)
					.queue(MatrixWork.QUEUE));
				return () -> {
					awaitFired(cell, cron);
					return begun.join().get();
				};
			};
		}

		private String register(MatrixCell cell, JobRequest request) {
			String name = "cell-" + this.number++;
			cell.bean(CronJobs.class).register(CronRequest.of(name, EVERY_SECOND, request));
			return name;
		}

		private String awaitFired(MatrixCell cell, String name) {
			CronJobs crons = cell.bean(CronJobs.class);
			await().until(() -> crons.runs(name, 100).stream().anyMatch(Crons::isTriggered));
			crons.disable(name);
			this.names.add(name);
			return first(cell, name);
		}

		private static boolean isTriggered(CronRun run) {
			return run.outcome() == CronRun.Outcome.TRIGGERED;
		}

		private static String first(MatrixCell cell, String name) {
			List<CronRun> triggered = cell.bean(CronJobs.class)
				.runs(name, 100)
				.stream()
				.filter(Crons::isTriggered)
				.toList();
			return Objects.requireNonNull(triggered.get(triggered.size() - 1).jobId());
		}

		@Override
		public void verify(MatrixCell cell) {
			assertThat(this.names).isNotEmpty();
			for (String name : this.names) {
				CronJob cron = cell.bean(CronJobs.class).find(name).orElseThrow();
				assertThat(cron.enabled()).isFalse();
				assertThat(cron.runCount()).isPositive();
				Job job = cell.job(first(cell, name));
				assertThat(job.meta()).containsEntry(CronFiring.META_NAME, name)
					.containsKey(CronFiring.META_TRIGGERED_AT);
			}
			if (!cell.has(MatrixAxis.WF)) {
				assertThat(cell.ids()).containsExactlyElementsOf(
						this.names.subList(0, 3).stream().map((name) -> first(cell, name)).toList());
			}
		}

	}

	/**
	 * Jobs are begun in a transaction: first in one that is rolled back.
	 */
	static final class Transactions implements MatrixExtension {

		private static final List<String> TABLES = List.of("ojs_job", "ojs_workflow", "ojs_cron", "ojs_event");

		private int committed;

		@Override
		public Begin begin(MatrixCell cell, Begin inner) {
			return (requests) -> {
				List<Long> before = counts(cell);
				TransactionTemplate transaction = cell.bean(TransactionTemplate.class);
				transaction.executeWithoutResult((status) -> {
					inner.of(requests);
					assertThat(counts(cell)).as("not committed").isEqualTo(before);
					status.setRollbackOnly();
				});
				assertThat(counts(cell)).as("rolled back").isEqualTo(before);
				int told = cell.application().events().size();
				Supplier<List<String>> begun = Objects.requireNonNull(transaction.execute((status) -> {
					Supplier<List<String>> ids = inner.of(requests);
					assertThat(counts(cell)).as("not committed").isEqualTo(before);
					assertThat(cell.application().events()).as("told before the commit").hasSize(told);
					return ids;
				}));
				assertThat(counts(cell)).as("committed").isNotEqualTo(before);
				this.committed++;
				return begun;
			};
		}

		private static List<Long> counts(MatrixCell cell) {
			return TABLES.stream().map((table) -> cell.count(table, "true")).toList();
		}

		@Override
		public void verify(MatrixCell cell) {
			assertThat(this.committed).isPositive();
			// Nobody has ever seen more than what was committed.
			assertThat(MatrixWork.runs)
				.allSatisfy((run) -> assertThat(cell.count("ojs_job", "id = '" + run.id() + "'")).isOne());
		}

	}

	/**
	 * A stop waits for what runs, and begins nothing else; a restart goes on.
	 */
	static final class GracefulShutdown implements MatrixExtension {

		@Override
		public void verify(MatrixCell cell) {
			Supplier<List<String>> begun = cell.begin(cell.request(MatrixWork.WAITS));
			String id = begun.get().get(0);
			await().until(() -> !MatrixWork.runs(id).isEmpty());
			CompletableFuture<Void> stop = CompletableFuture.runAsync(cell::stop);
			// All but the one that is busy.
			await().until(() -> cell.client().consumers("ojs.queue.cell") == 1);
			assertThat(stop).isNotDone();
			MatrixWork.release();
			stop.join();
			assertThat(cell.count("ojs_job", "id = '" + id + "' and state = 'completed' and attempt = 1")).isOne();
			assertThat(cell.count("ojs_job", "state = 'active'")).isZero();
			int runs = MatrixWork.runs.size();
			cell.start();
			if (cell.has(MatrixAxis.WF)) {
				// Its next step, which nobody has begun before.
				await().until(() -> MatrixWork.runs.size() > runs);
				await().until(() -> cell.count("ojs_workflow", "state = 'running'") == 0);
				assertThat(MatrixWork.runs.get(runs).parents()).isEqualTo(List.of(MatrixWork.WORKS, MatrixWork.WAITS));
			}
			assertThat(MatrixWork.runs(id)).hasSize(1);
			assertThat(cell.job(id).errors()).isEmpty();
			assertThat(cell.state(id)).isEqualTo(JobState.COMPLETED);
			cell.awaitCompleted(cell.begin(cell.request(MatrixWork.WORKS)).get().get(0));
		}

	}

}
