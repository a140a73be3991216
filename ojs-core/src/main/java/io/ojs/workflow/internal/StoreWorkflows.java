package io.ojs.workflow.internal;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.JobFactory;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.tenant.Tenants;
import io.ojs.workflow.IllegalWorkflowStateException;
import io.ojs.workflow.InvalidWorkflowException;
import io.ojs.workflow.StepState;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowQuery;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import io.ojs.workflow.internal.Progress.Ready;
import org.jspecify.annotations.Nullable;

/**
 * The workflows of the job store.
 */
public final class StoreWorkflows implements Workflows {

	private final WorkflowStore store;

	private final StoreTransactions transactions;

	private final WorkflowJobs jobs;

	private final JobFactory factory;

	private final WorkflowEvents events;

	private final WorkflowLimits limits;

	private final HandOver handOver;

	private final Clock clock;

	private final JobIdGenerator ids;

	public StoreWorkflows(WorkflowStore store, StoreTransactions transactions, WorkflowJobs jobs, JobFactory factory,
			WorkflowEvents events, WorkflowLimits limits, HandOver handOver, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.jobs = jobs;
		this.factory = factory;
		this.events = events;
		this.limits = limits;
		this.handOver = handOver;
		this.clock = clock;
		this.ids = new JobIdGenerator(clock);
	}

	@Override
	public WorkflowRun start(Workflow workflow) {
		Plan plan = Plan.of(workflow, this.factory, this.ids, this.limits);
		plan.jobs().stream().map(EncodedJob::job).forEach(this::check);
		Instant now = this.clock.instant();
		Progress progress = Progress.begin(plan.shape());
		List<Ready> ready = progress.ready();
		List<Integer> numbers = ready.stream().map(Ready::number).toList();
		Progress begun = progress.enqueued(numbers);
		StoredWorkflow started = new StoredWorkflow(this.ids.next(), workflow.type(), workflow.name(), begun.state(),
				plan.jobs().get(0).job().queue(), tenant(plan), plan.shape().toJson(), begun.toString(), List.of(),
				this.jobs.trace(), now, null, null);
		Map<Integer, Job> templates = new HashMap<>();
		numbers.forEach((number) -> templates.put(number, plan.jobs().get(number).job()));
		List<WorkflowEvent> happened = List.of(
				Changes.event("workflow.created", started, Map.of("job_count", plan.jobs().size())),
				Changes.event("workflow.started", started, Map.of()));
		return this.transactions.inTransaction(() -> {
			this.store.insert(started, plan.jobs());
			this.jobs.enqueue(started, ready, templates);
			this.store.append(happened, now);
			this.transactions.afterCommit(() -> happened.forEach(this.events::publish));
			return RunView.of(started, planned(plan.jobs()));
		});
	}

	private void check(Job job) {
		if (this.handOver.test(job.queue())) {
			throw new InvalidWorkflowException("queue", job.queue(),
					"must not be a queue whose delivery is hand-over: the workflow would not learn when the job '%s' ends"
						.formatted(job.type()),
					null);
		}
	}

	/**
	 * Returns the tenant of all jobs; {@code null} if they do not have the same one.
	 */
	private static @Nullable String tenant(Plan plan) {
		List<@Nullable String> tenants = plan.jobs()
			.stream()
			.<@Nullable String>map((encoded) -> Tenants.of(encoded.job()).orElse(null))
			.distinct()
			.toList();
		return (tenants.size() == 1) ? tenants.get(0) : null;
	}

	/** Returns the jobs of a new workflow, without states. */
	private static List<StepJob> planned(List<EncodedJob> jobs) {
		return IntStream.range(0, jobs.size())
			.mapToObj((number) -> new StepJob(number, jobs.get(number).job().id(), jobs.get(number).job().type(), null,
					null, null, null))
			.toList();
	}

	@Override
	public Optional<WorkflowRun> find(String id) {
		return this.store.find(id).map(this::view);
	}

	@Override
	public List<WorkflowRun> list(WorkflowQuery query) {
		return this.store.list(query).stream().map(this::view).toList();
	}

	private WorkflowRun view(StoredWorkflow workflow) {
		return RunView.of(workflow, this.store.jobs(workflow.id()));
	}

	@Override
	public Optional<WorkflowRun> cancel(String id) {
		Optional<Cancelling> cancelling = this.transactions
			.inTransaction(() -> this.store.lock(id, true).map(this::cancel));
		// Thrown after the work, so that the caller's transaction is not rolled back.
		return cancelling.map((cancelled) -> {
			if (cancelled.before().isTerminal()) {
				throw new IllegalWorkflowStateException(id, cancelled.before());
			}
			return cancelled.run();
		});
	}

	private record Cancelling(WorkflowState before, WorkflowRun run) {
	}

	private Cancelling cancel(StoredWorkflow workflow) {
		String id = workflow.id();
		if (workflow.state().isTerminal()) {
			return new Cancelling(workflow.state(), view(workflow));
		}
		Instant now = this.clock.instant();
		cancelJobs(workflow);
		Map<Integer, StepState> ended = new HashMap<>();
		this.store.takeEnds(id)
			.stream()
			.filter((end) -> end.number() != StepEnd.GO_ON)
			.forEach((end) -> ended.putIfAbsent(end.number(), end.state()));
		Progress progress = workflow.howFar().advance(ended).cancelled();
		StoredWorkflow cancelled = workflow.with(WorkflowState.CANCELLED, progress, workflow.failures(),
				workflow.startedAt(), now);
		WorkflowEvent event = Changes.event("workflow.cancelled", cancelled, Map.of());
		this.store.update(cancelled);
		this.store.append(List.of(event), now);
		this.transactions.afterCommit(() -> this.events.publish(event));
		return new Cancelling(workflow.state(), view(cancelled));
	}

	private void cancelJobs(StoredWorkflow workflow) {
		List<Integer> pending = workflow.howFar().pending();
		this.store.jobs(workflow.id())
			.stream()
			.filter((job) -> pending.contains(job.number()) && job.state() != null && !job.state().isTerminal())
			.map(StepJob::jobId)
			// All transactions lock jobs in this order.
			.sorted()
			.forEach(this.jobs::cancel);
	}

}
