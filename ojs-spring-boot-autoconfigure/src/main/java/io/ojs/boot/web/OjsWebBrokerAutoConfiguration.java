package io.ojs.boot.web;

import java.time.Clock;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.internal.process.ThisProcess;
import io.ojs.web.internal.OjsRequestHandler;
import io.ojs.web.internal.broker.BrokerEndpoints;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the endpoints of the OJS HTTP API that the broker alone can
 * answer.
 */
@AutoConfiguration(after = { OjsWebAutoConfiguration.class, OjsAmqpAutoConfiguration.class })
@ConditionalOnClass(OjsRequestHandler.class)
@ConditionalOnBean(TopologyDeclarer.class)
@ConditionalOnHttpApi
public final class OjsWebBrokerAutoConfiguration {

	@Bean
	BrokerEndpoints ojsBrokerEndpoints(BrokerConnections connections, ConnectionWatch watch, BrokerProbe probe,
			TopologyDeclarer declarer, ThisProcess process, ObjectProvider<Clock> clock) {
		return new BrokerEndpoints(new BrokerReporter(connections, watch, probe, declarer, Clocks.of(clock)), process);
	}

}
