package io.ojs.boot.actuate;

import java.time.Clock;

import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.OjsWorkerAutoConfiguration;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.KnownQueues;
import io.ojs.boot.internal.actuate.DeadLetterReplayOperation;
import io.ojs.boot.internal.actuate.JobsReporter;
import io.ojs.boot.internal.actuate.OjsEndpoint;
import io.ojs.boot.internal.actuate.ReplayOperation;
import io.ojs.deadletter.DeadLetters;
import io.ojs.handler.internal.JobHandlers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the endpoint {@code ojs}, for applications with Spring Boot
 * Actuator.
 */
@AutoConfiguration(after = { OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass({ ConditionalOnAvailableEndpoint.class, OjsEndpoint.class })
@ConditionalOnBean(TopologyDeclarer.class)
@ConditionalOnAvailableEndpoint(OjsEndpoint.class)
public final class OjsEndpointAutoConfiguration {

	private final OjsProperties properties;

	private final Clock clock;

	OjsEndpointAutoConfiguration(OjsProperties properties, ObjectProvider<Clock> clock) {
		this.properties = properties;
		this.clock = Clocks.of(clock);
	}

	@Bean
	OjsEndpoint ojsEndpoint(JobsReporter reporter, ReplayOperation replays) {
		return new OjsEndpoint(reporter, replays);
	}

	@Bean
	ReplayOperation ojsReplayOperation(DeadLetterReplayer replayer, ObjectProvider<DeadLetters> stored) {
		return new DeadLetterReplayOperation(replayer, stored.getIfAvailable());
	}

	@Bean
	JobsReporter ojsJobsReporter(TopologyDeclarer declarer, BrokerConnections connections, ConnectionWatch watch,
			BrokerProbe probe, JobHandlers handlers, ObjectProvider<JobWorker> worker) {
		return new JobsReporter(declarer, connections, watch, probe, KnownQueues.of(this.properties, handlers),
				handlers, worker.getIfAvailable(), this.clock);
	}

}
