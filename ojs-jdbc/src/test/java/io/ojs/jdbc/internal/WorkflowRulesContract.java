package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ojs.client.OjsOperations;
import io.ojs.internal.engine.Times;
import io.ojs.internal.trace.TraceScope;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.workflow.InvalidWorkflowException;
import io.ojs.workflow.StepState;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowFailure;
import io.ojs.workflow.WorkflowQuery;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import io.ojs.workflow.internal.StoreWorkflows;
import io.ojs.workflow.internal.WorkflowEngine;
import io.ojs.workflow.internal.WorkflowJobs;
import io.ojs.workflow.internal.WorkflowLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of workflows when something comes in between.
 */
abstract class WorkflowRulesContract extends WorkflowsOnStore {

	private static final Instant NOW = TestStores.NOW;

	@Test
	void noMoreThanAHundredFailuresAreKept() {
		WorkflowRun run = this.workflows.start(group(110));
		available().forEach(this::fail);
		this.engine.advance();
		assertThat(find(run).failures()).hasSize(100);
		assertThat(find(run).failedCount()).isEqualTo(110);
	}

	@Test
	void metadataThatJobsInheritIsBoundedInAllOfThemTogether() {
		String large = "x".repeat(100_000);
		this.workflows.start(group(10).meta("note", large));
		assertThat(available()).hasSize(10).allSatisfy((job) -> assertThat(job.meta()).containsEntry("note", large));
		assertThatExceptionOfType(InvalidWorkflowException.class)
			.isThrownBy(() -> this.workflows.start(group(11).meta("note", large)))
			.withMessageContaining("'meta'")
			.withMessageContaining("1048576");
		assertThat(available()).hasSize(10);
	}

	@Test
	void workflowBeganWithTheFirstOfItsJobs() {
		WorkflowRun run = this.workflows.start(group(2));
		claimAt(available("part.n0"), NOW.minusSeconds(5));
		claimAt(available("part.n1"), NOW.minusSeconds(9));
		assertThat(find(run).startedAt()).isEqualTo(NOW.minusSeconds(9));
		assertThat(find(run).steps()).extracting((step) -> step.state())
			.containsExactly(StepState.ACTIVE, StepState.ACTIVE);
		this.stores.attempts.reap(NOW.plusSeconds(60), 10);
		available().forEach((job) -> this.stores.jobs.cancel(job.id(), NOW));
		this.engine.advance();
		assertThat(find(run).startedAt()).isEqualTo(NOW.minusSeconds(9));
	}

	private void claimAt(Job job, Instant at) {
		claim(job);
		this.stores.jdbc()
			.update("update ojs_job set started_at = ? where id = ?", Times.utc(at), UUID.fromString(job.id()));
	}

	@Test
	void jobThatFailedOnceAndWasCancelledWasCancelled() {
		WorkflowRun run = this.workflows.start(chain(1));
		Job job = available("step.n0");
		this.stores.attempts.settle(List.of(new Outcome.Retried(claim(job).lease(), TestStores.error("not yet"),
				NOW.plusSeconds(1), NOW.plusSeconds(1))), NOW);
		this.stores.jobs.cancel(job.id(), NOW);
		this.engine.advance();
		assertThat(find(run).failures()).extracting(WorkflowFailure::code).containsExactly("JOB_CANCELLED");
	}

	@Test
	void workflowThatIsLockedIsLeftToWhoeverHasIt() {
		WorkflowRun run = this.workflows.start(chain(2));
		complete(available("step.n0"), null);
		this.stores.users().executeWithoutResult((status) -> {
			assertThat(this.store.lock(run.id(), true)).isPresent();
			assertThat(Threads.apart(this.engine::advance)).as("looks again soon").isTrue();
			assertThat(Threads.apart(this::ends)).isEqualTo(1);
		});
		assertThat(this.engine.advance()).isFalse();
		assertThat(types()).containsExactly("step.n1");
	}

	@Test
	void whoeverCancelsWaitsForWhoeverHasIt() throws Exception {
		WorkflowRun run = this.workflows.start(chain(2));
		AtomicReference<Optional<WorkflowRun>> cancelled = new AtomicReference<>(Optional.empty());
		Thread cancelling = new Thread(() -> cancelled.set(this.workflows.cancel(run.id())));
		this.stores.users().executeWithoutResult((status) -> {
			assertThat(this.store.lock(run.id(), true)).isPresent();
			cancelling.start();
			await().during(Duration.ofMillis(200)).until(cancelling::isAlive);
		});
		cancelling.join(20_000);
		assertThat(cancelled.get()).map(WorkflowRun::state).contains(WorkflowState.CANCELLED);
	}

	@Test
	void whatHadEndedWhenAWorkflowWasCancelledHasEnded() {
		WorkflowRun run = this.workflows.start(group(2));
		complete(available("part.n0"), "kept");
		WorkflowRun cancelled = this.workflows.cancel(run.id()).orElseThrow();
		assertThat(cancelled.steps()).extracting((step) -> step.state())
			.containsExactly(StepState.COMPLETED, StepState.CANCELLED);
		assertThat(cancelled.endedAt()).isEqualTo(NOW);
		assertThat(this.told).last().extracting(WorkflowEvent::name).isEqualTo("workflow.cancelled");
	}

	@Test
	void jobThatEndsJustWhenItIsCancelledHoldsUpNothing() {
		WorkflowRun run = this.workflows.start(group(1));
		OjsOperations late = meeting((method, requests) -> {
			if (method.equals("cancel")) {
				complete(available("part.n0"), null);
			}
		});
		Workflows own = new StoreWorkflows(this.store, this.stores.transactions, jobs(this.store, late), this.factory,
				this.events, WorkflowLimits.DEFAULT, this.stores.handOver, CLOCK);
		assertThat(own.cancel(run.id()).orElseThrow().steps()).extracting((step) -> step.state())
			.containsExactly(StepState.COMPLETED);
	}

	/** Has something happen before each call. */
	private OjsOperations meeting(Meeting before) {
		return (OjsOperations) Proxy.newProxyInstance(OjsOperations.class.getClassLoader(),
				new Class<?>[] { OjsOperations.class }, (proxy, method, arguments) -> {
					before.meet(method.getName(), (arguments != null) ? List.of(arguments) : List.of());
					try {
						return method.invoke(this.ojs, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	/** What happens. */
	private interface Meeting {

		void meet(String method, List<Object> arguments);

	}

	@Test
	void jobThatIsRefusedAmongOthersIsFoundInSpiteOfACrash() {
		AtomicReference<Consumer<List<?>>> rule = new AtomicReference<>();
		OjsOperations strict = meeting((method, arguments) -> {
			if (method.equals("enqueueAll")) {
				rule.get().accept((List<?>) arguments.get(0));
			}
		});
		WorkflowRun run = this.workflows.start(Workflow.chain("c").then(job("step.n0")).then(group(3)));
		complete(available("step.n0"), null);
		Consumer<List<?>> refusing = (requests) -> {
			if (requests.toString().contains("part.n1")) {
				throw new InvalidJobException("type", "part.n1", "must be another");
			}
		};
		// Whoever dies after the first of them has said that there are more.
		rule.set((requests) -> {
			refusing.accept(requests);
			if (!requests.toString().contains("part.n0")) {
				throw new StoreUnavailableException("The test has it die here.", null);
			}
		});
		engine(this.store, this.stores.transactions, strict).advance();
		rule.set(refusing);
		engine(this.store, this.stores.transactions, strict).advance();
		assertThat(types()).containsExactly("part.n0", "part.n2");
		assertThat(find(run).steps().get(1).steps()).extracting((step) -> step.state())
			.containsExactly(StepState.PENDING, StepState.FAILED, StepState.PENDING);
		assertThat(ends()).isZero();
	}

	@Test
	void workflowInTroubleIsLeftAloneForAWhile() {
		this.workflows.start(chain(2));
		complete(available("step.n0"), null);
		List<String> tries = new ArrayList<>();
		OjsOperations away = meeting((method, arguments) -> {
			tries.add(method);
			if (tries.size() < 3) {
				throw new StoreUnavailableException("The test has it be away.", null);
			}
		});
		CronsOnStore.MovedClock clock = new CronsOnStore.MovedClock();
		try (WorkflowEngine engine = new WorkflowEngine(this.store, this.stores.transactions, jobs(this.store, away),
				this.events, clock, Duration.ofHours(1))) {
			engine.advance();
			engine.advance();
			assertThat(tries).hasSize(1);
			clock.move(Duration.ofSeconds(1));
			engine.advance();
			assertThat(tries).hasSize(2);
			clock.move(Duration.ofSeconds(1));
			engine.advance();
			assertThat(tries).as("longer each time").hasSize(2);
			clock.move(Duration.ofSeconds(1));
			engine.advance();
			assertThat(types()).containsExactly("step.n1");
		}
	}

	@Test
	void jobsAreEnqueuedInTheTraceOfTheStart() {
		List<String> within = new ArrayList<>();
		TraceScope traces = new TraceScope() {

			@Override
			public Map<String, String> current() {
				return Map.of("traceparent", "of-the-start");
			}

			@Override
			public <T> T within(Map<String, String> headers, Supplier<T> work) {
				within.add(String.valueOf(headers.get("traceparent")));
				T done = work.get();
				within.add("after " + types());
				return done;
			}

		};
		WorkflowJobs jobs = new WorkflowJobs(this.store, this.ojs, this.ojs::enqueueAll, traces, new BegunWork(), 1000);
		new StoreWorkflows(this.store, this.stores.transactions, jobs, this.factory, this.events,
				WorkflowLimits.DEFAULT, this.stores.handOver, CLOCK)
			.start(chain(2));
		complete(available("step.n0"), null);
		new WorkflowEngine(this.store, this.stores.transactions, jobs, this.events, CLOCK, Duration.ofSeconds(1))
			.advance();
		assertThat(within).containsExactly("of-the-start", "after [step.n0]", "of-the-start", "after [step.n1]");
	}

	@Test
	void stepThatIsToBeActivatedIsPending() {
		WorkflowRun run = this.workflows.start(Workflow.chain("c").then(job("step.n0").pending()));
		String id = find(run).steps().get(0).jobId();
		assertThat(this.stores.jobs.find(id).orElseThrow().job().state()).isEqualTo(JobState.PENDING);
	}

	@Test
	void resultsBeforeOneThatIsTooLargeAreLeftOutToo() {
		this.workflows.start(chain(4));
		int number = 0;
		for (String result : List.of("x".repeat(50), "ä".repeat(490), "z".repeat(100))) {
			complete(available("step.n" + number), result);
			this.engine.advance();
			number++;
		}
		Map<String, Object> extensions = available("step.n3").extensions();
		assertThat((List<?>) extensions.get("parent_results")).map(String::valueOf)
			.containsExactly("null", "null", "z".repeat(100));
		assertThat(extensions).containsEntry("parent_results_omitted", 2);
	}

	@Test
	void jobThatMightBecomeAnotherOneIsNoStep() {
		for (OnConflict policy : List.of(OnConflict.IGNORE, OnConflict.REPLACE_EXCEPT_SCHEDULE)) {
			assertThatExceptionOfType(InvalidWorkflowException.class)
				.isThrownBy(() -> this.workflows
					.start(Workflow.group("g").add(job("a.b").unique(UniquePolicy.DEFAULT.onConflict(policy)))))
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("jobs[0].unique.on_conflict"));
		}
	}

	@Test
	void jobOfAQueueThatIsHandedOverIsNoStep() {
		JobRequest handedOver = JobRequest.of("other.program").queue("foreign");
		for (Workflow workflow : List.of(chain(1).then(handedOver), batch(1).onComplete(handedOver))) {
			assertThatExceptionOfType(InvalidWorkflowException.class).isThrownBy(() -> this.workflows.start(workflow))
				.withMessageContaining("hand-over")
				.withMessageContaining("'other.program'")
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("queue"));
		}
		assertThat(this.workflows.list(WorkflowQuery.ALL)).isEmpty();
		assertThat(this.stores.jdbc().queryForObject("select count(*) from ojs_job", Long.class)).isZero();
		assertThat(this.stores.events()).isEmpty();
	}

	@Test
	void metaOfWhatIsInsideCounts() {
		JobRequest job = job("a.b");
		this.workflows.start(Workflow.group("outer")
			.add(Workflow.chain("inner").then(job).meta("tenant_id", "inner"))
			.meta("tenant_id", "outer"));
		assertThat(available("a.b").meta()).containsEntry("tenant_id", "inner");
	}

	@Test
	void workflowsAreKeptAsLongAsJobsThatEndedLikeThem() {
		WorkflowRun completed = this.workflows.start(chain(1));
		complete(available("step.n0"), null);
		this.engine.advance();
		WorkflowRun failed = this.workflows.start(chain(1));
		fail(available("step.n0"));
		this.engine.advance();
		WorkflowRun cancelled = this.workflows.start(chain(1));
		this.workflows.cancel(cancelled.id());
		for (WorkflowRun next : List.of(completed, cancelled, failed)) {
			assertThat(this.workflows.find(next.id())).isPresent();
			Instant at = NOW.plus(switch (find(next).state()) {
				case COMPLETED -> TestStores.RETENTION.completed();
				case CANCELLED -> TestStores.RETENTION.cancelled();
				default -> TestStores.RETENTION.discarded();
			});
			this.stores.retention.prune(at.plusSeconds(1), 10);
			assertThat(this.stores.retention.pruneWorkflows(at.minusSeconds(1), 10)).isZero();
			assertThat(this.stores.retention.pruneWorkflows(at.plusSeconds(1), 10)).isOne();
			assertThat(this.workflows.find(next.id())).isEmpty();
		}
	}

	@Test
	void listGoesOnAfterTheOneBefore() {
		WorkflowRun one = this.workflows.start(chain(1));
		WorkflowRun two = this.workflows.start(chain(1));
		WorkflowRun three = this.workflows.start(chain(1));
		assertThat(this.workflows.list(WorkflowQuery.ALL.limit(2))).extracting(WorkflowRun::id)
			.containsExactly(three.id(), two.id());
		assertThat(this.workflows.list(WorkflowQuery.ALL.before(two.id()).limit(2))).extracting(WorkflowRun::id)
			.containsExactly(one.id());
		assertThatExceptionOfType(InvalidWorkflowException.class).isThrownBy(() -> WorkflowQuery.ALL.before("nonsense"))
			.withMessageContainingAll("before", "nonsense", "leave it out for the first page");
	}

	@Test
	void theOneThatHasWaitedLongestGoesOnFirst() {
		WorkflowRun late = this.workflows.start(Workflow.chain("late").then(job("late.n0")).then(job("late.n1")));
		WorkflowRun early = this.workflows.start(chain(2));
		complete(available("step.n0"), null);
		complete(available("late.n0"), null);
		assertThat(this.store.due(10)).containsExactly(early.id(), late.id());
		assertThat(this.store.due(1)).containsExactly(early.id());
	}

}
