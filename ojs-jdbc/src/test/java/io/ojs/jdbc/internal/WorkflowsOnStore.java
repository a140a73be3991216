package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.client.OjsOperations;
import io.ojs.client.internal.JobFactory;
import io.ojs.event.StoredEvent;
import io.ojs.event.internal.Transition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.trace.TraceScope;
import io.ojs.jdbc.internal.workflow.JdbcWorkflowStore;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.workflow.Batch;
import io.ojs.workflow.Chain;
import io.ojs.workflow.Group;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.Workflows;
import io.ojs.workflow.internal.StoreWorkflows;
import io.ojs.workflow.internal.WorkflowEngine;
import io.ojs.workflow.internal.WorkflowEvents;
import io.ojs.workflow.internal.WorkflowJobs;
import io.ojs.workflow.internal.WorkflowLimits;
import io.ojs.workflow.internal.WorkflowStore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Workflows on a store, and a worker who does their jobs.
 */
abstract class WorkflowsOnStore extends StoreContract {

	static final Clock CLOCK = Clock.fixed(TestStores.NOW, ZoneOffset.UTC);

	final JdbcWorkflowStore store = new JdbcWorkflowStore(this.stores.database);

	final JobHandlers handlers = new JobHandlers(List.of());

	final JobFactory factory = new JobFactory(this.handlers,
			new RetryPolicies((queue) -> RetryPolicy.DEFAULT, this.handlers), new JsonValues(JsonMapper.shared()),
			this.stores.codec, CLOCK, JobFactory.DEFAULT_MAX_ENVELOPE_BYTES);

	final StoredOjs ojs = new StoredOjs(this.stores, this.factory, CLOCK);

	final List<WorkflowEvent> told = new CopyOnWriteArrayList<>();

	final WorkflowEvents events = new WorkflowEvents(List.of(this.told::add));

	final Workflows workflows = new StoreWorkflows(this.store, this.stores.transactions, jobs(this.store, this.ojs),
			this.factory, this.events, WorkflowLimits.DEFAULT, this.stores.handOver, CLOCK);

	final WorkflowEngine engine = engine(this.store, this.stores.transactions, this.ojs);

	static WorkflowJobs jobs(WorkflowStore store, OjsOperations ojs) {
		return new WorkflowJobs(store, ojs, ojs::enqueueAll, TraceScope.NONE, new BegunWork(), 1000);
	}

	WorkflowEngine engine(WorkflowStore store, StoreTransactions transactions, OjsOperations ojs) {
		return new WorkflowEngine(store, transactions, jobs(store, ojs), this.events, CLOCK, Duration.ofSeconds(1));
	}

	static JobRequest job(String type) {
		return JobRequest.of(type).queue("mail");
	}

	static Chain chain(int steps) {
		Chain chain = Workflow.chain("chain");
		for (int i = 0; i < steps; i++) {
			chain = chain.then(job("step.n" + i));
		}
		return chain;
	}

	static Group group(int jobs) {
		Group group = Workflow.group("group");
		for (int i = 0; i < jobs; i++) {
			group = group.add(job("part.n" + i));
		}
		return group;
	}

	static Batch batch(int jobs) {
		Batch batch = Workflow.batch("batch");
		for (int i = 0; i < jobs; i++) {
			batch = batch.add(job("part.n" + i));
		}
		return batch.onComplete(job("callback.complete"))
			.onSuccess(job("callback.success"))
			.onFailure(job("callback.failure"));
	}

	/** Those that wait for a worker, by their types. */
	List<Job> available() {
		List<Job> jobs = new ArrayList<>(
				this.stores.jobs.list(new JobQuery("mail", null, Set.of(JobState.AVAILABLE), null, 1000))
					.stream()
					.map(StoredJob::job)
					.toList());
		Collections.reverse(jobs);
		return jobs;
	}

	Job available(String type) {
		return available().stream().filter((job) -> job.type().equals(type)).findFirst().orElseThrow();
	}

	List<String> types() {
		return available().stream().map(Job::type).sorted().toList();
	}

	Claim.Taken claim(Job job) {
		return (Claim.Taken) this.stores.attempts.claim(
				List.of(new ClaimRequest(this.stores.encodedAs(job), job.queue(), 1, Map.of(), Duration.ofSeconds(30))),
				"worker-1", TestStores.NOW, true)
			.get(0);
	}

	void complete(Job job, @Nullable Object result) {
		this.stores.attempts.settle(List.of(new Outcome.Completed(claim(job).lease(), result)), TestStores.NOW);
	}

	void fail(Job job) {
		this.stores.attempts.settle(
				List.of(new Outcome.Discarded(claim(job).lease(), TestStores.error("no luck"), Transition.EXHAUST)),
				TestStores.NOW);
	}

	WorkflowRun find(WorkflowRun run) {
		return this.workflows.find(run.id()).orElseThrow();
	}

	List<String> eventsOf(WorkflowRun run) {
		return this.stores.events()
			.stream()
			.filter((event) -> event.subject().equals(run.id()))
			.map(StoredEvent::type)
			.toList();
	}

	/** How often jobs of each type were enqueued, ever. */
	long enqueued(String type) {
		Long count = this.stores.jdbc().queryForObject("select count(*) from ojs_job where type = ?", Long.class, type);
		return (count != null) ? count : 0;
	}

	long ends() {
		Long count = this.stores.jdbc().queryForObject("select count(*) from ojs_workflow_end", Long.class);
		return (count != null) ? count : 0;
	}

}
