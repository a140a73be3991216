package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.ojs.client.DuplicateJobException;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.ReplayDecision;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.jdbc.internal.queue.JdbcQueueJobs;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.workflow.Callback;
import io.ojs.workflow.IllegalWorkflowStateException;
import io.ojs.workflow.InvalidWorkflowException;
import io.ojs.workflow.StepRun;
import io.ojs.workflow.StepState;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowFailure;
import io.ojs.workflow.WorkflowQuery;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.WorkflowType;
import io.ojs.workflow.internal.WorkflowStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Workflows, from their start to their end, as they are kept.
 */
abstract class WorkflowContract extends WorkflowsOnStore {

	private static final Instant NOW = TestStores.NOW;

	@Test
	void chainGoesFromStepToStepAndPassesResultsOn() {
		WorkflowRun run = this.workflows.start(chain(3));
		assertThat(run.state()).isEqualTo(WorkflowState.RUNNING);
		assertThat(run.steps()).extracting(StepRun::state)
			.containsExactly(StepState.PENDING, StepState.WAITING, StepState.WAITING);
		Job first = available("step.n0");
		assertThat(first.extensions()).containsEntry("workflow_id", run.id()).doesNotContainKey("parent_results");
		complete(first, Map.of("id", 1));
		this.engine.advance();
		assertThat(types()).containsExactly("step.n1");
		assertThat(available("step.n1").extensions()).containsEntry("parent_results", List.of(Map.of("id", 1)));
		assertThat(find(run).stepsCompleted()).isEqualTo(1);
		complete(available("step.n1"), "two");
		this.engine.advance();
		assertThat(available("step.n2").extensions()).containsEntry("parent_results", List.of(Map.of("id", 1), "two"));
		complete(available("step.n2"), null);
		this.engine.advance();
		WorkflowRun ended = find(run);
		assertThat(ended.state()).isEqualTo(WorkflowState.COMPLETED);
		assertThat(ended.startedAt()).isEqualTo(NOW);
		assertThat(ended.endedAt()).isEqualTo(NOW);
		assertThat(ended.completedCount()).isEqualTo(3);
		assertThat(ended.steps()).extracting(StepRun::result).containsExactly(Map.of("id", 1), "two", null);
		assertThat(eventsOf(run)).containsExactly("workflow.created", "workflow.started", "workflow.step_completed",
				"workflow.step_completed", "workflow.step_completed", "workflow.completed");
		assertThat(this.told).extracting(WorkflowEvent::name).containsExactlyElementsOf(eventsOf(run));
		assertThat(ends()).isZero();
	}

	@Test
	void chainEndsWithTheStepThatFails() {
		WorkflowRun run = this.workflows.start(chain(3));
		complete(available("step.n0"), null);
		this.engine.advance();
		Job second = available("step.n1");
		fail(second);
		this.engine.advance();
		WorkflowRun ended = find(run);
		assertThat(ended.state()).isEqualTo(WorkflowState.FAILED);
		assertThat(ended.steps()).extracting(StepRun::state)
			.containsExactly(StepState.COMPLETED, StepState.FAILED, StepState.CANCELLED);
		assertThat(ended.failures())
			.containsExactly(new WorkflowFailure(second.id(), "step.n1", null, "HANDLER_ERROR", "no luck", 1));
		assertThat(types()).isEmpty();
		assertThat(eventsOf(run)).endsWith("workflow.step_failed", "workflow.failed");
		assertThat(this.store.find(run.id()).orElseThrow().summary()).usingRecursiveComparison()
			.ignoringFields("steps")
			.isEqualTo(ended);
	}

	@Test
	void resultsThatAreTooLargeAreLeftOutTheEarliestFirst() {
		this.workflows.start(chain(3));
		complete(available("step.n0"), "x".repeat(900));
		this.engine.advance();
		complete(available("step.n1"), "y".repeat(900));
		this.engine.advance();
		Map<String, Object> extensions = available("step.n2").extensions();
		assertThat((List<?>) extensions.get("parent_results")).first().isNull();
		assertThat((List<?>) extensions.get("parent_results")).last().isEqualTo("y".repeat(900));
		assertThat(extensions).containsEntry("parent_results_omitted", 1);
	}

	@Test
	void groupOfFiveHundredIsDealtWithTogether() {
		WorkflowRun run = this.workflows.start(group(500));
		assertThat(types()).hasSize(500);
		available().forEach((job) -> complete(job, null));
		assertThat(ends()).isEqualTo(500);
		FaultyCalls calls = new FaultyCalls();
		engine(calls.around(WorkflowStore.class, this.store), this.stores.transactions, this.ojs).advance();
		assertThat(calls.count("lock")).isEqualTo(1);
		assertThat(find(run).state()).isEqualTo(WorkflowState.COMPLETED);
		assertThat(find(run).completedCount()).isEqualTo(500);
	}

	@Test
	void batchCallsBackWithTheResultsOfAllJobs() {
		WorkflowRun run = this.workflows.start(batch(2));
		complete(available("part.n0"), "zero");
		this.engine.advance();
		assertThat(types()).containsExactly("part.n1");
		fail(available("part.n1"));
		this.engine.advance();
		assertThat(types()).containsExactly("callback.complete", "callback.failure");
		assertThat((List<?>) available("callback.failure").extensions().get("parent_results")).first()
			.isEqualTo("zero");
		assertThat((List<?>) available("callback.failure").extensions().get("parent_results")).last().isNull();
		assertThat(find(run).callbacks().get(Callback.ON_FAILURE).jobId()).isNotNull();
		assertThat(find(run).callbacks().get(Callback.ON_SUCCESS).jobId()).isNull();
		complete(available("callback.complete"), null);
		fail(available("callback.failure"));
		this.engine.advance();
		assertThat(find(run).state()).isEqualTo(WorkflowState.FAILED);
		assertThat(find(run).failures()).extracting(WorkflowFailure::callback)
			.containsExactly(null, Callback.ON_FAILURE);
		assertThat(enqueued("callback.success")).isZero();
	}

	@Test
	void workflowsWithinWorkflowsGoOnAsOne() {
		WorkflowRun run = this.workflows.start(Workflow.chain("outer")
			.then(job("outer.first"))
			.then(Workflow.group("middle")
				.add(Workflow.chain("inner").then(job("inner.first")).then(job("inner.second")))
				.add(job("middle.single")))
			.then(job("outer.last")));
		complete(available("outer.first"), "a");
		this.engine.advance();
		assertThat(types()).containsExactly("inner.first", "middle.single");
		assertThat(available("inner.first").extensions()).containsEntry("parent_results", List.of("a"));
		complete(available("inner.first"), "b");
		complete(available("middle.single"), "c");
		this.engine.advance();
		assertThat(types()).containsExactly("inner.second");
		complete(available("inner.second"), "d");
		this.engine.advance();
		assertThat(available("outer.last").extensions()).containsEntry("parent_results",
				List.of("a", List.of("d", "c")));
		assertThat(find(run).steps().get(1).steps().get(0).steps()).extracting(StepRun::type)
			.containsExactly("inner.first", "inner.second");
		complete(available("outer.last"), null);
		this.engine.advance();
		assertThat(find(run).state()).isEqualTo(WorkflowState.COMPLETED);
	}

	@Test
	void startIsPartOfTheCallersTransaction() {
		this.stores.users().executeWithoutResult((status) -> {
			this.workflows.start(group(3));
			status.setRollbackOnly();
		});
		assertThat(types()).isEmpty();
		assertThat(this.workflows.list(WorkflowQuery.ALL)).isEmpty();
		assertThat(this.told).isEmpty();
		assertThat(this.stores.jdbc().queryForObject("select count(*) from ojs_workflow_job", Long.class)).isZero();
	}

	@Test
	void whateverEndsAJobTellsItsWorkflow() {
		WorkflowRun run = this.workflows.start(Workflow.group("ends")
			.add(job("end.completed"))
			.add(job("end.discarded"))
			.add(job("end.cancelled"))
			.add(job("end.lost").retry((retry) -> retry.maxAttempts(1)))
			.add(job("end.expired").expiresAt(NOW.plusSeconds(5)))
			.add(job("end.dropped").queue("other")));
		complete(available("end.completed"), null);
		fail(available("end.discarded"));
		this.stores.jobs.cancel(available("end.cancelled").id(), NOW);
		claim(available("end.lost"));
		this.stores.attempts.reap(NOW.plusSeconds(60), 10);
		this.stores.relay.take(NOW.plusSeconds(60), NOW.plusSeconds(90), 10);
		new JdbcQueueJobs(this.stores.database).discardWaiting("other", NOW);
		assertThat(ends()).isEqualTo(6);
		this.engine.advance();
		assertThat(find(run).state()).isEqualTo(WorkflowState.FAILED);
		assertThat(find(run).steps()).extracting(StepRun::state)
			.containsExactly(StepState.COMPLETED, StepState.FAILED, StepState.CANCELLED, StepState.FAILED,
					StepState.FAILED, StepState.FAILED);
		assertThat(find(run).failures()).extracting(WorkflowFailure::code)
			.containsExactlyInAnyOrder("HANDLER_ERROR", "JOB_CANCELLED", "WORKER_LOST", "JOB_EXPIRED", "QUEUE_DELETED");
	}

	@Test
	void attemptThatFailsIsNoEnd() {
		this.workflows.start(chain(2));
		this.stores.attempts.settle(List.of(new Outcome.Retried(claim(available("step.n0")).lease(),
				TestStores.error("not yet"), NOW.plusSeconds(1), NOW.plusSeconds(1))), NOW);
		assertThat(ends()).isZero();
	}

	@Test
	void cancelStopsWhatWaitsAndWhatRuns() {
		WorkflowRun run = this.workflows.start(Workflow.group("both").add(chain(2)).add(job("side.waits")));
		Job running = available("step.n0");
		claim(running);
		WorkflowRun cancelled = this.workflows.cancel(run.id()).orElseThrow();
		assertThat(cancelled.state()).isEqualTo(WorkflowState.CANCELLED);
		assertThat(this.stores.jobs.find(running.id()).map(StoredJob::job).orElseThrow().state())
			.isEqualTo(JobState.CANCELLED);
		assertThat(types()).isEmpty();
		assertThat(ends()).isZero();
		this.engine.advance();
		assertThat(enqueued("step.n1")).isZero();
		assertThat(find(run).state()).isEqualTo(WorkflowState.CANCELLED);
		assertThat(eventsOf(run)).endsWith("workflow.cancelled");
		assertThatExceptionOfType(IllegalWorkflowStateException.class).isThrownBy(() -> this.workflows.cancel(run.id()))
			.withMessageContaining("cancelled already");
		assertThat(this.workflows.cancel(this.stores.id())).isEmpty();
		assertThat(this.workflows.cancel("nonsense")).isEmpty();
	}

	@Test
	void deadLetterOfAWorkflowThatHasEndedMayBeReplayedAndChangesNothing() {
		WorkflowRun run = this.workflows.start(chain(2));
		Job dead = available("step.n0");
		fail(dead);
		this.engine.advance();
		JdbcDeadLetterStore letters = new JdbcDeadLetterStore(this.stores.database);
		letters.replay(DeadLetterFilter.ANY.ids(Set.of(dead.id())), null, 10, NOW,
				(letter) -> new ReplayDecision.Replayed(this.stores.encodedAs(letter.stored().job()), NOW));
		complete(available("step.n0"), "late");
		assertThat(ends()).isEqualTo(1);
		this.engine.advance();
		assertThat(ends()).isZero();
		assertThat(find(run).state()).isEqualTo(WorkflowState.FAILED);
		assertThat(enqueued("step.n1")).isZero();
	}

	@Test
	void jobThatIsADuplicateHasFailedWithItsReason() {
		this.ojs.enqueue(job("step.unique").unique(UniquePolicy.DEFAULT));
		WorkflowRun run = this.workflows.start(Workflow.chain("unique")
			.then(job("step.n0"))
			.then(Workflow.group("both").add(job("step.unique").unique(UniquePolicy.DEFAULT)).add(job("step.free")))
			.then(job("step.last")));
		complete(available("step.n0"), null);
		this.engine.advance();
		assertThat(enqueued("step.free")).isEqualTo(1);
		assertThat(enqueued("step.unique")).isEqualTo(1);
		complete(available("step.free"), null);
		this.engine.advance();
		assertThat(find(run).state()).isEqualTo(WorkflowState.FAILED);
		assertThat(find(run).failures()).singleElement()
			.satisfies((failure) -> assertThat(failure.code()).isEqualTo("DUPLICATE_JOB"));
		assertThat(ends()).isZero();
	}

	@Test
	void startThatMeetsADuplicateStartsNothing() {
		this.ojs.enqueue(job("step.unique").unique(UniquePolicy.DEFAULT));
		assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> this.workflows
			.start(Workflow.group("g").add(job("step.free")).add(job("step.unique").unique(UniquePolicy.DEFAULT))));
		assertThat(enqueued("step.free")).isZero();
		assertThat(this.workflows.list(WorkflowQuery.ALL)).isEmpty();
	}

	@Test
	void refusesWhatBreaksARuleAndSaysWhere() {
		refused(Workflow.chain("c"), "steps", "at least one");
		refused(Workflow.group("g").add(Workflow.chain("c")), "jobs[0].steps", "at least one");
		refused(Workflow.batch("b").add(job("a.b")), "callbacks", "at least one of");
		refused(Workflow.chain("c").then(job("a.b")).then(JobRequest.of("Bad Type")), "steps[1].type", "dot-separated");
		refused(batch(1).onSuccess(job("a.b").queue("No Queue")), "callbacks.on_success.queue", "lower-case");
		refused(Workflow.chain("c").then(job("a.b").unique(UniquePolicy.DEFAULT.onConflict(OnConflict.IGNORE))),
				"steps[0].unique.on_conflict", "must be reject or replace");
		refused(group(1001), "jobs[1000]", "ojs.workflows.max-jobs");
		refused(Workflow.chain("x".repeat(256)).then(job("a.b")), "name", "at most 255");
		refused(Workflow.chain("a\0b").then(job("a.b")), "name", "NUL");
		Workflow deep = Workflow.chain("c").then(job("a.b"));
		for (int i = 1; i < 5; i++) {
			deep = Workflow.group("g").add(deep);
		}
		this.workflows.start(deep);
		refused(Workflow.group("g").add(deep), "jobs[0].jobs[0].jobs[0].jobs[0].jobs[0]", "ojs.workflows.max-depth");
	}

	private void refused(Workflow workflow, String field, String problem) {
		assertThatExceptionOfType(InvalidWorkflowException.class).isThrownBy(() -> this.workflows.start(workflow))
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	@Test
	void jobsOfAGroupStandInTheirOrder() {
		this.workflows.start(group(20));
		assertThat(available()).extracting(Job::type)
			.containsExactlyElementsOf(IntStream.range(0, 20).mapToObj((number) -> "part.n" + number).toList());
	}

	@Test
	void metaOfAWorkflowIsThatOfItsJobs() {
		this.workflows.start(Workflow.group("g")
			.add(job("a.b"))
			.add(job("c.d").meta("tenant_id", "own"))
			.add(Workflow.chain("c").then(job("e.f")).meta("region", "eu"))
			.meta("tenant_id", "acme"));
		assertThat(available("a.b").meta()).containsEntry("tenant_id", "acme");
		assertThat(available("c.d").meta()).containsEntry("tenant_id", "own");
		assertThat(available("e.f").meta()).containsEntry("tenant_id", "acme").containsEntry("region", "eu");
	}

	@Test
	void eachJobHasItsOwnVersion() {
		this.workflows.start(Workflow.chain("c")
			.then(job("a.b").extension("version", "1.2"))
			.then(job("c.d").extension("version", "2.0")));
		assertThat(available("a.b").extensions()).containsEntry("version", "1.2");
		complete(available("a.b"), null);
		this.engine.advance();
		assertThat(available("c.d").extensions()).containsEntry("version", "2.0");
	}

	@Test
	void jobsAreKeptAsLongAsTheirWorkflowRuns() {
		WorkflowRun run = this.workflows.start(chain(2));
		complete(available("step.n0"), "kept");
		Instant later = NOW.plus(Duration.ofDays(100));
		assertThat(this.stores.retention.prune(later, 10)).isZero();
		this.engine.advance();
		assertThat(available("step.n1").extensions()).containsEntry("parent_results", List.of("kept"));
		complete(available("step.n1"), null);
		this.engine.advance();
		assertThat(this.stores.retention.pruneWorkflows(NOW, 10)).isZero();
		assertThat(this.stores.retention.prune(later, 10)).isEqualTo(2);
		assertThat(find(run).steps()).extracting(StepRun::state)
			.containsExactly(StepState.COMPLETED, StepState.COMPLETED);
		assertThat(this.stores.retention.pruneWorkflows(later, 10)).isEqualTo(1);
		assertThat(this.workflows.find(run.id())).isEmpty();
		assertThat(this.stores.jdbc().queryForObject("select count(*) from ojs_workflow_job", Long.class)).isZero();
	}

	@Test
	void endOfAJobWhoseWorkflowIsForgottenIsForgotten() {
		this.workflows.start(chain(1));
		complete(available("step.n0"), null);
		this.stores.jdbc().update("delete from ojs_workflow");
		this.engine.advance();
		assertThat(ends()).isZero();
	}

	@Test
	void listsTheNewestFirst() {
		WorkflowRun chain = this.workflows.start(chain(1));
		complete(available("step.n0"), null);
		this.engine.advance();
		WorkflowRun group = this.workflows.start(group(1));
		assertThat(this.workflows.list(WorkflowQuery.ALL)).extracting(WorkflowRun::id)
			.containsExactlyInAnyOrder(group.id(), chain.id());
		assertThat(this.workflows.list(WorkflowQuery.ALL.state(WorkflowState.COMPLETED))).extracting(WorkflowRun::id)
			.containsExactly(chain.id());
		assertThat(this.workflows.list(WorkflowQuery.ALL.name("group"))).extracting(WorkflowRun::type)
			.containsExactly(WorkflowType.GROUP);
		assertThat(this.workflows.list(WorkflowQuery.ALL.type(WorkflowType.CHAIN).limit(1))).extracting(WorkflowRun::id)
			.containsExactly(chain.id());
	}

	@Test
	void engineIsToldWhenAnEndIsCommitted() {
		this.workflows.start(group(2));
		int[] told = new int[1];
		this.store.whenDue(() -> told[0]++);
		this.stores.users().executeWithoutResult((status) -> {
			complete(available("part.n0"), null);
			assertThat(told[0]).isZero();
			status.setRollbackOnly();
		});
		assertThat(told[0]).isZero();
		complete(available("part.n1"), null);
		assertThat(told[0]).isEqualTo(1);
	}

}
