package io.ojs.boot;

import java.time.Clock;

import io.ojs.amqp.connect.BrokerConnections;
import io.ojs.amqp.listen.JobListenerContainerCustomizer;
import io.ojs.amqp.listen.JobRuntime;
import io.ojs.amqp.listen.JobWorker;
import io.ojs.amqp.listen.WorkerOptions;
import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.publish.ConfirmingPublisher;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.amqp.trace.JobTracing;
import io.ojs.event.JobEvents;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
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

	@Bean
	@ConditionalOnMissingBean
	JobRuntime ojsJobRuntime(JobMessages messages, JobHandlers handlers, RetryPolicies retryPolicies, JobEvents events,
			ObjectProvider<JobTracing> tracing, ObjectProvider<Clock> clock) {
		return new JobRuntime(messages, handlers, retryPolicies, events, tracing.getIfAvailable(() -> JobTracing.NONE),
				OjsAutoConfiguration.clock(clock));
	}

	@Bean
	@ConditionalOnMissingBean
	WorkerOptions ojsWorkerOptions(OjsProperties properties,
			ObjectProvider<JobListenerContainerCustomizer> customizers) {
		return new WorkerOptions(properties.publisher().confirmTimeout(), properties.worker().shutdownGrace(),
				customizers.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	JobWorker ojsJobWorker(BrokerConnections connections, TopologyDeclarer declarer, ConfirmingPublisher publisher,
			JobRuntime runtime, WorkerOptions options) {
		return new JobWorker(connections.consuming(), declarer, publisher, runtime, options);
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
