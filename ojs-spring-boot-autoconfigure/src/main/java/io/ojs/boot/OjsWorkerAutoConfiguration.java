package io.ojs.boot;

import java.time.Clock;
import java.util.Set;
import java.util.TreeSet;

import io.ojs.amqp.JobListenerContainerCustomizer;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.control.ControlListener;
import io.ojs.amqp.internal.control.ControlMessages;
import io.ojs.amqp.internal.control.ControlWorker;
import io.ojs.amqp.internal.control.StoredJobs;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.listen.StoreWork;
import io.ojs.amqp.internal.listen.WorkerOptions;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.publish.PatientPublisher;
import io.ojs.amqp.internal.run.Deadlines;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.amqp.internal.run.RunningJobs;
import io.ojs.amqp.internal.run.Supervision;
import io.ojs.amqp.internal.run.WorkerControl;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.internal.Clocks;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.trace.JobTracing;
import io.ojs.middleware.internal.ExecutionChain;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.relay.HandOver;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Auto-configuration of the {@link JobWorker}, which works the queues of the
 * application's handlers.
 */
@AutoConfiguration(after = OjsAmqpAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "ojs.enabled", "ojs.worker.enabled" }, matchIfMissing = true)
@ConditionalOnBean(TopologyDeclarer.class)
public final class OjsWorkerAutoConfiguration {

	private final Clock clock;

	OjsWorkerAutoConfiguration(@Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore,
			ObjectProvider<Clock> clock) {
		this.clock = Clocks.of(ofStore, clock);
	}

	@Bean
	RunningJobs ojsRunningJobs() {
		return new RunningJobs();
	}

	@Bean
	Deadlines ojsDeadlines() {
		return new Deadlines();
	}

	@Bean
	ControlListener ojsControlListener(OjsNaming naming, RunningJobs running, Deadlines timer,
			PatientPublisher publisher, ControlMessages messages, OjsProperties properties,
			ObjectProvider<StoredJobs> stored) {
		return new ControlListener(naming, running, timer, publisher, messages, properties.worker().cancelRetention(),
				properties.worker().replyQueues(), stored.getIfAvailable());
	}

	@Bean
	ControlWorker ojsControlWorker(BrokerConnections connections, TopologyDeclarer declarer, ControlListener listener,
			JobHandlers handlers, HandOver handOver) {
		Set<String> queues = new TreeSet<>(handlers.byQueue().keySet());
		queues.addAll(handOver.queues());
		return new ControlWorker(connections.consuming(), declarer, listener, queues);
	}

	@Bean
	Supervision ojsSupervision(RunningJobs running, Timeouts timeouts, Deadlines deadlines, WorkerControl control,
			ObjectProvider<Attempts> attempts) {
		return new Supervision(running, timeouts, deadlines, control, attempts.getIfAvailable());
	}

	@Bean
	JobRuntime ojsJobRuntime(JobMessages messages, JobHandlers handlers, RetryPolicies retryPolicies,
			Supervision supervision, JobEvents events, ObjectProvider<JobTracing> tracing, ExecutionChain chain) {
		return new JobRuntime(messages, handlers, retryPolicies, supervision, events,
				tracing.getIfAvailable(() -> JobTracing.NONE), chain, this.clock);
	}

	@Bean
	WorkerOptions ojsWorkerOptions(OjsProperties properties, ObjectProvider<JobListenerContainerCustomizer> customizers,
			ObjectProvider<AmqpMetrics> metrics) {
		return new WorkerOptions(properties.publisher().confirmTimeout(), properties.worker().shutdownGrace(),
				properties.worker().deadLetters(), customizers.orderedStream().toList(),
				metrics.getIfAvailable(() -> AmqpMetrics.NONE));
	}

	@Bean
	JobWorker ojsJobWorker(BrokerConnections connections, TopologyDeclarer declarer, ConfirmingPublisher publisher,
			JobRuntime runtime, WorkerOptions options, ObjectProvider<LiveQueues> queues,
			ObjectProvider<StoreWork> storeWork) {
		return new JobWorker(connections.consuming(), declarer, publisher, runtime, options,
				queues.getIfAvailable(() -> LiveQueues.UNMANAGED), storeWork.getIfAvailable());
	}

	@Bean
	@ConditionalOnThreading(Threading.VIRTUAL)
	@Order(Ordered.HIGHEST_PRECEDENCE)
	JobListenerContainerCustomizer ojsVirtualThreads() {
		return (queue, container) -> {
			SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("ojs-" + queue + "-");
			executor.setVirtualThreads(true);
			container.setTaskExecutor(executor);
		};
	}

}
