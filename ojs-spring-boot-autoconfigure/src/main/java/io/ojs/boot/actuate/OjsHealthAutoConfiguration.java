package io.ojs.boot.actuate;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsWorkerAutoConfiguration;
import io.ojs.boot.internal.actuate.OjsHealthIndicator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health {@code ojs}, for applications with Spring Boot's
 * health.
 */
@AutoConfiguration(after = { OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class },
		beforeName = "org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class, OjsHealthIndicator.class })
@ConditionalOnBean(TopologyDeclarer.class)
@ConditionalOnEnabledHealthIndicator("ojs")
public final class OjsHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "ojsHealthIndicator", "ojsHealthContributor" })
	OjsHealthIndicator ojsHealthIndicator(BrokerProbe probe, BrokerConnections connections, TopologyDeclarer declarer,
			ObjectProvider<JobWorker> worker) {
		return new OjsHealthIndicator(probe, connections, declarer, worker.getIfAvailable());
	}

}
