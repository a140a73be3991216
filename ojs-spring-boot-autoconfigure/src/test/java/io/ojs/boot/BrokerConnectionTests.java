package io.ojs.boot;

import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.client.OjsOperations;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * How the broker's connections are used: publishing has its own, which a broker that
 * holds up publishers does not stop consumers with, and new ones get everything declared.
 */
class BrokerConnectionTests {

	private final ConnectionFactory connections = mock();

	private final ConnectionFactory forPublishers = mock();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
				OjsWorkerAutoConfiguration.class))
		.withBean(ConnectionFactory.class, () -> this.connections)
		.withPropertyValues("ojs.topology.declaration=none");

	@Test
	void lossOfEachIsNoticedUntilTheApplicationEnds() {
		given(this.connections.getPublisherConnectionFactory()).willReturn(this.forPublishers);
		BrokerConnections[] watched = new BrokerConnections[1];
		this.runner.run((context) -> {
			watched[0] = context.getBean(BrokerConnections.class);
			verify(this.connections).addConnectionListener(watched[0].consuming());
			verify(this.forPublishers).addConnectionListener(watched[0].publishing());
		});
		verify(this.connections).removeConnectionListener(watched[0].consuming());
		verify(this.forPublishers).removeConnectionListener(watched[0].publishing());
	}

	@Test
	void jobsArePublishedOverTheirOwn() {
		given(this.connections.getPublisherConnectionFactory()).willReturn(this.forPublishers);
		given(this.forPublishers.createConnection()).willThrow(new AmqpConnectException(new Exception("no broker")));
		this.runner.run((context) -> {
			assertThatExceptionOfType(BrokerUnavailableException.class)
				.isThrownBy(() -> context.getBean(OjsOperations.class).enqueue("a.b"));
			verify(this.forPublishers, atLeastOnce()).createConnection();
			verify(this.connections, never()).createConnection();
		});
	}

	@Test
	void everythingIsDeclaredBeforeAnybodyWorks() {
		this.runner.withPropertyValues("ojs.topology.declaration=lazy").run((context) -> {
			SmartLifecycle declaration = context.getBean(EagerDeclaration.class);
			assertThat(declaration.isRunning()).isTrue();
			assertThat(declaration.getPhase()).isLessThan(context.getBean(JobWorker.class).getPhase());
			declaration.stop();
			assertThat(declaration.isRunning()).isFalse();
		});
	}

}
