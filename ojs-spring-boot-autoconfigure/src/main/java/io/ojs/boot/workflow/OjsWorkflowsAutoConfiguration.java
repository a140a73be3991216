package io.ojs.boot.workflow;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.ojs.amqp.internal.trace.MicrometerTraceScope;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.WorkflowsProperties;
import io.ojs.boot.actuate.OjsTracingAutoConfiguration;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.client.OjsOperations;
import io.ojs.client.internal.JobFactory;
import io.ojs.client.internal.PreparedJobs;
import io.ojs.internal.trace.TraceScope;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.workflow.JdbcWorkflowStore;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.workflow.WorkflowEndpoints;
import io.ojs.workflow.WorkflowEventListener;
import io.ojs.workflow.Workflows;
import io.ojs.workflow.internal.StoreWorkflows;
import io.ojs.workflow.internal.WorkflowEngine;
import io.ojs.workflow.internal.WorkflowEvents;
import io.ojs.workflow.internal.WorkflowJobs;
import io.ojs.workflow.internal.WorkflowLimits;
import io.ojs.workflow.internal.WorkflowStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of workflows, for applications with a job store.
 */
@AutoConfiguration(after = { OjsAmqpAutoConfiguration.class, OjsTracingAutoConfiguration.class },
		afterName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnBooleanProperty(name = { "ojs.enabled", "ojs.workflows.enabled" }, matchIfMissing = true)
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean(StoreDatabase.class)
public final class OjsWorkflowsAutoConfiguration {

	private static final int DEEPEST_WORKFLOW = 10;

	private static final int LARGEST_WORKFLOW = 10_000;

	private final OjsProperties properties;

	private final Clock clock;

	OjsWorkflowsAutoConfiguration(OjsProperties properties, ObjectProvider<Clock> clock) {
		check(properties.workflows());
		this.properties = properties;
		this.clock = Clocks.of(clock);
	}

	private static void check(WorkflowsProperties workflows) {
		PropertiesCheck.positive("ojs.workflows.poll-interval", workflows.pollInterval());
		PropertiesCheck.between("ojs.workflows.max-depth", workflows.maxDepth(), DEEPEST_WORKFLOW);
		PropertiesCheck.between("ojs.workflows.max-jobs", workflows.maxJobs(), LARGEST_WORKFLOW);
	}

	@Bean
	JdbcWorkflowStore ojsWorkflowStore(StoreDatabase database) {
		return new JdbcWorkflowStore(database);
	}

	@Bean
	WorkflowEvents ojsWorkflowEvents(ObjectProvider<WorkflowEventListener> listeners,
			ApplicationEventPublisher publisher) {
		List<WorkflowEventListener> all = new ArrayList<>(listeners.orderedStream().toList());
		all.add(publisher::publishEvent);
		return new WorkflowEvents(all);
	}

	@Bean
	WorkflowJobs ojsWorkflowJobs(WorkflowStore store, OjsOperations ojs, PreparedJobs prepared,
			ObjectProvider<TraceScope> traces, ObjectProvider<BegunWork> begun) {
		return new WorkflowJobs(store, ojs, prepared, traces.getIfAvailable(() -> TraceScope.NONE),
				begun.getIfAvailable(BegunWork::new), limits().resultBytes());
	}

	/**
	 * Limits the results in a job to half of an envelope, which leaves room for its
	 * arguments.
	 */
	private WorkflowLimits limits() {
		WorkflowsProperties workflows = this.properties.workflows();
		return new WorkflowLimits(workflows.maxDepth(), workflows.maxJobs(),
				(int) (this.properties.maxEnvelopeSize().toBytes() / 2));
	}

	@Bean
	Workflows ojsWorkflows(WorkflowStore store, StoreTransactions transactions, WorkflowJobs jobs, JobFactory factory,
			WorkflowEvents events, HandOver handOver) {
		return new StoreWorkflows(store, transactions, jobs, factory, events, limits(), handOver, this.clock);
	}

	@Bean(destroyMethod = "")
	WorkflowEngine ojsWorkflowEngine(WorkflowStore store, StoreTransactions transactions, WorkflowJobs jobs,
			WorkflowEvents events) {
		return new WorkflowEngine(store, transactions, jobs, events, this.clock,
				this.properties.workflows().pollInterval());
	}

	@Bean
	BackgroundLifecycle ojsWorkflowsLifecycle(WorkflowEngine engine) {
		// When a job ends after this engine has stopped, another process, or the next
		// start, continues its workflow.
		return new BackgroundLifecycle(engine::start, engine::close, BackgroundLifecycle.STORE_PHASE + 1);
	}

	/**
	 * Puts the jobs of a workflow into one trace.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Tracer.class, Propagator.class, MicrometerTraceScope.class })
	@ConditionalOnBean({ Tracer.class, Propagator.class })
	static class Tracing {

		@Bean
		MicrometerTraceScope ojsTraceScope(Tracer tracer, Propagator propagator) {
			return new MicrometerTraceScope(tracer, propagator);
		}

	}

	/**
	 * Endpoints of workflows.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	static class Http {

		@Bean
		WorkflowEndpoints ojsWorkflowEndpoints(Workflows workflows, WorkflowStore store, JobFactory factory,
				EnqueueRules rules) {
			return new WorkflowEndpoints(workflows, store, factory, rules);
		}

	}

}
