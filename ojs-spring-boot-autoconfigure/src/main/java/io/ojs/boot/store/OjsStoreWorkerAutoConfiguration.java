package io.ojs.boot.store;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import javax.sql.DataSource;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.control.ControlMessages;
import io.ojs.amqp.internal.control.StoredJobs;
import io.ojs.amqp.internal.deadletter.DeadLetterCollector;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsDataSource;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.OjsWorkerAutoConfiguration;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.fetch.WakeUps;
import io.ojs.internal.process.ThisProcess;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.LeaseGrace;
import io.ojs.store.internal.attempt.LeaseKeeper;
import io.ojs.store.internal.attempt.ProcessStore;
import io.ojs.store.internal.attempt.ProgressSink;
import io.ojs.store.internal.relay.HandOver;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of a worker with a job store.
 */
@AutoConfiguration(after = OjsAmqpAutoConfiguration.class, before = OjsWorkerAutoConfiguration.class,
		afterName = { "io.ojs.boot.store.OjsStoreAutoConfiguration",
				"io.ojs.boot.deadletter.OjsDeadLettersAutoConfiguration" })
@ConditionalOnBooleanProperty(name = { "ojs.enabled", "ojs.worker.enabled" }, matchIfMissing = true)
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean({ TopologyDeclarer.class, StoreDatabase.class })
public final class OjsStoreWorkerAutoConfiguration {

	@Bean
	LeaseKeeper ojsLeaseKeeper(ProcessStore processes, OjsProperties properties, ObjectProvider<LiveQueues> queues,
			ThisProcess process, @Qualifier(Clocks.STORE) StoreClock clock) {
		LiveQueues live = queues.getIfAvailable(() -> LiveQueues.UNMANAGED);
		Duration lease = properties.store().lease();
		return new LeaseKeeper(processes, process.id(),
				(queue) -> Objects.requireNonNullElse(live.get(queue).config().visibilityTimeout(), lease), clock);
	}

	@Bean
	Attempts ojsAttempts(AttemptStore attempts, JobStore jobs, LeaseKeeper leases, LeaseGrace grace,
			ObjectProvider<ProgressSink> progress, @Qualifier(Clocks.STORE) StoreClock clock) {
		return new Attempts(attempts, jobs, leases, grace, progress.getIfAvailable(() -> ProgressSink.NONE), clock);
	}

	@Bean
	BackgroundLifecycle ojsConnectionPoolCheck(@OjsDataSource ObjectProvider<DataSource> ofJobs,
			ObjectProvider<DataSource> ofApplication, BeanFactory beans, JobHandlers handlers,
			ObjectProvider<JobWorker> worker) {
		return new BackgroundLifecycle(() -> worker.ifAvailable((works) -> {
			int consumers = handlers.byQueue().keySet().stream().mapToInt(works::consumers).sum();
			new ConnectionPool(new StoreConnection(ofJobs, ofApplication).dataSource(), beans).check(consumers);
		}), () -> {
		}, BackgroundLifecycle.STORE_PHASE + 1);
	}

	@Bean
	StoredJobs ojsStoredJobs(JobStore jobs, ControlMessages messages, ObjectProvider<RemoteWorkers> workers,
			HandOver handOver, @Qualifier(Clocks.STORE) StoreClock clock, ObjectProvider<WakeUps> wakeUps) {
		return new StoredJobs(jobs, workers.getIfAvailable(), handOver, messages, clock, wakeUps.getIfAvailable());
	}

	@Bean
	@ConditionalOnBean(DeadLetterStore.class)
	DeadLetterCollector ojsDeadLetterCollector(BrokerConnections connections, TopologyDeclarer declarer,
			ConfirmingPublisher publisher, DeadLetterCollector.Destination destination, JobHandlers handlers,
			HandOver handOver) {
		Set<String> queues = new TreeSet<>(handlers.byQueue().keySet());
		queues.addAll(handOver.queues());
		return new DeadLetterCollector(connections.consuming(), declarer, publisher, destination, queues);
	}

	@Bean
	@ConditionalOnBean(DeadLetterStore.class)
	DeadLetterCollector.Destination ojsDeadLetterDestination(DeadLetterStore store, JobMessages messages,
			RetryPolicies retryPolicies, @Qualifier(Clocks.STORE) StoreClock clock) {
		return new DeadLetterCollector.Destination(store, messages, retryPolicies, clock);
	}

}
