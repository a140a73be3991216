package io.ojs.boot.web;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.amqp.internal.run.RunningJobs;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.OjsWorkerAutoConfiguration;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.KnownQueues;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.process.KnownProcess;
import io.ojs.internal.process.ThisProcess;
import io.ojs.store.internal.JobStore;
import io.ojs.web.internal.OjsRequestHandler;
import io.ojs.web.internal.broker.BrokerEndpoints;
import io.ojs.web.internal.broker.BrokerReports;
import io.ojs.web.internal.deadletter.BrokerDeadLetterEndpoints;
import io.ojs.web.internal.worker.AdminWorkerEndpoints;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the endpoints of the OJS HTTP API that RabbitMQ alone can answer.
 */
@AutoConfiguration(
		after = { OjsWebAutoConfiguration.class, OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class },
		afterName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnClass(OjsRequestHandler.class)
@ConditionalOnBean(TopologyDeclarer.class)
@ConditionalOnHttpApi
public final class OjsWebBrokerAutoConfiguration {

	@Bean
	BrokerReporter ojsBrokerReporter(BrokerConnections connections, ConnectionWatch watch, BrokerProbe probe,
			TopologyDeclarer declarer, ObjectProvider<Clock> clock) {
		return new BrokerReporter(connections, watch, probe, declarer, Clocks.of(clock));
	}

	@Bean
	BrokerEndpoints ojsBrokerEndpoints(BrokerReports reports, ThisProcess process) {
		return new BrokerEndpoints(reports, process);
	}

	/**
	 * Endpoints that answer from the store if there is one.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(JobStore.class)
	static class WithoutStore {

		@Bean
		AdminWorkerEndpoints ojsAdminWorkerEndpoints(ThisProcess process, JobHandlers handlers,
				ObjectProvider<JobWorker> worker, ObjectProvider<RunningJobs> running, ObjectProvider<Clock> clock) {
			Clock time = Clocks.of(clock);
			return new AdminWorkerEndpoints(() -> {
				Map<String, Integer> queues = new TreeMap<>();
				worker.ifAvailable((works) -> handlers.byQueue()
					.keySet()
					.forEach((queue) -> queues.put(queue, works.consumers(queue))));
				return queues.isEmpty() ? List.of() : List.of(new KnownProcess(process.id(), time.instant(), queues,
						handlers.handled(), process, running.stream().mapToInt(RunningJobs::size).sum()));
			}, null);
		}

		@Bean
		BrokerDeadLetterEndpoints ojsBrokerDeadLetterEndpoints(TopologyDeclarer declarer, BrokerProbe probe,
				DeadLetterReplayer replayer, OjsProperties properties, JobHandlers handlers) {
			return new BrokerDeadLetterEndpoints(
					new ReplayedDeadLetters(declarer, probe, replayer, KnownQueues.of(properties, handlers)));
		}

	}

}
