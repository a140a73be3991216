package io.ojs.boot.worker;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.control.ControlMessages;
import io.ojs.amqp.internal.control.WakeUpSender;
import io.ojs.amqp.internal.fetch.AmqpBrokerQueues;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.listen.StoreWork;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.OjsWorkerAutoConfiguration;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.fetch.BrokerQueues;
import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.fetch.FetchedQueueStore;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.fetch.WakeUps;
import io.ojs.internal.process.ProcessList;
import io.ojs.internal.worker.RemoteStores;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.RunTerms;
import io.ojs.internal.worker.RunTimeouts;
import io.ojs.internal.worker.RunWatch;
import io.ojs.internal.worker.WorkerAdvice;
import io.ojs.internal.worker.WorkerStore;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.jdbc.internal.worker.JdbcProgressStore;
import io.ojs.jdbc.internal.worker.JdbcWorkerStore;
import io.ojs.queue.Delivery;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.PeriodicTask;
import io.ojs.store.internal.PeriodicTasks;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.HandlerProgress;
import io.ojs.store.internal.attempt.ProgressStore;
import io.ojs.store.internal.attempt.Reaper;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.store.internal.relay.JobPublisher;
import io.ojs.web.internal.worker.AdminWorkerEndpoints;
import io.ojs.web.internal.worker.HeartbeatEndpoints;
import io.ojs.web.internal.worker.WorkerEndpoints;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Auto-configuration for workers that fetch jobs from the job store, without messages of
 * the broker.
 */
@AutoConfiguration(after = OjsAmqpAutoConfiguration.class, before = OjsWorkerAutoConfiguration.class,
		afterName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean({ StoreDatabase.class, Topology.class })
public final class OjsFetchAutoConfiguration {

	private static final Duration OFTEN = Duration.ofMillis(500);

	private static final Duration SOMETIMES = Duration.ofSeconds(1);

	private static final Duration RARELY = Duration.ofMinutes(1);

	private final OjsProperties properties;

	private final Clock clock;

	private final ObjectProvider<LiveQueues> queues;

	OjsFetchAutoConfiguration(OjsProperties properties, @Qualifier(Clocks.STORE) StoreClock clock,
			ObjectProvider<LiveQueues> queues) {
		this.properties = properties;
		this.clock = clock;
		this.queues = queues;
	}

	private LiveQueues queues() {
		return this.queues.getIfAvailable(() -> LiveQueues.UNMANAGED);
	}

	@Bean
	JdbcFetchStore ojsFetchStore(StoreDatabase database) {
		return new JdbcFetchStore(database);
	}

	@Bean
	JdbcWorkerStore ojsWorkerStore(StoreDatabase database) {
		return new JdbcWorkerStore(database);
	}

	@Bean
	JdbcProgressStore ojsProgressStore(StoreDatabase database) {
		return new JdbcProgressStore(database);
	}

	@Bean
	HandlerProgress ojsHandlerProgress(ProgressStore store) {
		return new HandlerProgress(store, this.clock);
	}

	@Bean
	JdbcFetchedQueueStore ojsFetchedQueueStore(StoreDatabase database) {
		return new JdbcFetchedQueueStore(database);
	}

	@Bean
	AmqpBrokerQueues ojsBrokerQueues(BrokerConnections connections, Topology topology, JobMessages messages,
			RetryPolicies retryPolicies) {
		return new AmqpBrokerQueues(connections.consuming(), topology, messages, retryPolicies);
	}

	@Bean
	FetchedQueues ojsFetchedQueues(FetchedQueueStore store, BrokerQueues broker, Topology topology, WakeUps wakeUps) {
		return new FetchedQueues(store, broker, queues(), this.clock,
				(queue) -> topology.settings(queue).delivery() == Delivery.STORE, wakeUps);
	}

	@Bean(destroyMethod = "")
	WakeUps ojsWakeUps(TopologyDeclarer declarer, ConfirmingPublisher publisher, ControlMessages messages,
			JobPublisher jobs) {
		return new WakeUps(new WakeUpSender(declarer, publisher, messages, jobs::isReady));
	}

	@Bean
	StoreWork ojsStoreWork(FetchStore fetches, WakeUps wakeUps, Environment environment) {
		boolean virtual = Threading.VIRTUAL.isActive(environment);
		return new StoreWork(fetches, wakeUps, (queue) -> {
			String prefix = "ojs-" + queue + "-";
			return virtual ? new VirtualThreadTaskExecutor(prefix).getVirtualThreadFactory()
					: new CustomizableThreadFactory(prefix);
		});
	}

	@Bean
	RunTerms ojsRunTerms(Timeouts timeouts, RetryPolicies retryPolicies) {
		return new RunTerms(queues(), timeouts, retryPolicies);
	}

	@Bean
	RemoteWorkers ojsRemoteWorkers(RemoteStores stores, RunTerms terms, FetchedQueues held, HandOver handOver,
			ObjectProvider<WorkerAdvice> advice, JobEvents events) {
		return new RemoteWorkers(stores, terms, held, handOver, queues(),
				advice.getIfAvailable(() -> WorkerAdvice.NONE), events, this.clock);
	}

	@Bean
	RemoteStores ojsRemoteStores(FetchStore fetches, AttemptStore attempts, WorkerStore workers,
			ProgressStore progress) {
		return new RemoteStores(fetches, attempts, workers, progress);
	}

	@Bean
	BackgroundLifecycle ojsWakeUpLifecycle(WakeUps wakeUps, FetchedQueues held, JobHandlers handlers,
			ObjectProvider<JobWorker> worker) {
		return new BackgroundLifecycle(() -> {
			worker.ifAvailable((works) -> held.workByBroker(handlers.byQueue().keySet()));
			wakeUps.start();
		}, wakeUps::close, BackgroundLifecycle.STORE_PHASE);
	}

	@Bean
	BackgroundLifecycle ojsFetchLifecycle(FetchedQueues held, RemoteWorkers workers, RemoteStores stores,
			RunTerms terms, Reaper reaper, HandlerProgress progress, JobEvents events) {
		RunTimeouts timeouts = new RunTimeouts(stores.fetches(), stores.attempts(), terms, events, this.clock);
		RunWatch watch = new RunWatch(held, timeouts, reaper, this.properties.store().reapInterval(), this.clock);
		PeriodicTasks tasks = new PeriodicTasks(List.of(
				new PeriodicTask("Queues that workers fetch from cannot be looked after", SOMETIMES, held::check),
				new PeriodicTask("The progress of jobs cannot be kept", OFTEN, progress::flush),
				new PeriodicTask("Runs of fetched jobs cannot be ended", OFTEN, watch::check),
				new PeriodicTask("Workers that are silent cannot be forgotten", RARELY, workers::forget)));
		return new BackgroundLifecycle(tasks::start, tasks::close, BackgroundLifecycle.STORE_PHASE);
	}

	/**
	 * Endpoints of workers that fetch.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	static class Http {

		@Bean
		WorkerEndpoints ojsWorkerEndpoints(RemoteWorkers workers, JobStore store, OjsProperties properties) {
			// With allow-anonymous, a caller may also settle a job that another worker
			// fetched.
			return new WorkerEndpoints(workers, store, !properties.http().allowAnonymous());
		}

		@Bean
		HeartbeatEndpoints ojsHeartbeatEndpoints(RemoteWorkers workers) {
			return new HeartbeatEndpoints(workers);
		}

		@Bean
		AdminWorkerEndpoints ojsAdminWorkerEndpoints(ProcessList processes, RemoteWorkers workers) {
			return new AdminWorkerEndpoints(processes::list, workers);
		}

	}

}
