package io.ojs.boot.contract;

import io.ojs.amqp.QueueContracts;
import io.ojs.amqp.internal.contract.QueueContractPages;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.handler.internal.JobHandlers;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of the descriptions of queues and of the command that writes them.
 */
@AutoConfiguration(after = OjsAmqpAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnBean(Topology.class)
public final class OjsContractsAutoConfiguration {

	@Bean
	QueueContracts ojsQueueContracts(Topology topology, JobHandlers handlers, OjsProperties properties) {
		return new QueueContractPages(topology, handlers, properties.queues().keySet());
	}

	@Bean
	@Lazy(false)
	@ConditionalOnProperty("ojs.contracts.directory")
	ContractsCommand ojsContractsCommand(QueueContracts contracts, OjsProperties properties) {
		return new ContractsCommand(contracts, properties.contracts().directory());
	}

}
