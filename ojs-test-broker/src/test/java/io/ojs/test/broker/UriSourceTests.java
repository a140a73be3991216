package io.ojs.test.broker;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A broker given by URI: this JVM's own, as if somebody else had started it.
 */
class UriSourceTests {

	private final RabbitBroker broker = RabbitBroker.shared();

	@Test
	void isAbsentWhenNotSet() {
		assertThat(look(Map.of())).isEqualTo(new Lookup.Absent<>("not set"));
	}

	@Test
	void takesTheBrokerWithItsManagementApi() {
		String managementPort = Integer.toString(this.broker.managementPort().orElseThrow());
		RabbitBroker found = found(
				Map.of(BrokerSettings.URI, this.broker.uri(), BrokerSettings.MANAGEMENT_PORT, managementPort));
		assertThat(found.version()).isEqualTo(this.broker.version());
		assertThat(found.port()).isEqualTo(this.broker.port());
		assertThat(found.uri()).isEqualTo(this.broker.uri());
		try (VirtualHost virtualHost = found.newVirtualHost()) {
			assertThat(found(Map.of(BrokerSettings.URI, virtualHost.uri())).uri()).endsWith(virtualHost.name());
		}
	}

	@Test
	void sharesItsVirtualHostWithoutManagementApi() {
		try (VirtualHost existing = this.broker.newVirtualHost()) {
			Map<String, String> settings = Map.of(BrokerSettings.URI, existing.uri(), BrokerSettings.MANAGEMENT_PORT,
					"1");
			RabbitBroker found = found(settings);
			assertThat(found.managementPort()).isEmpty();
			VirtualHost shared = found.newVirtualHost();
			assertThat(shared.name()).isEqualTo(existing.name());
			assertThat(shared.uri()).isEqualTo(existing.uri());
			shared.close();
			assertThat(look(settings)).isInstanceOf(Lookup.Found.class);
		}
	}

	@Test
	void hasNoCommandLine() {
		RabbitBroker found = found(Map.of(BrokerSettings.URI, this.broker.uri()));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> found.ctl("list_queues"))
			.withMessageContainingAll("list_queues", "PrivateRabbitNode.create()");
	}

	@Test
	void failsForGoodIfTheLoginFails() {
		String uri = "amqp://nobody:secret@" + this.broker.host() + ":" + this.broker.port();
		assertThatExceptionOfType(ConfiguredBrokerException.class)
			.isThrownBy(() -> look(Map.of(BrokerSettings.URI, uri)))
			.withMessageContainingAll("ojs.test.rabbitmq.uri", "nobody", "virtual host '/'")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("secret"));
	}

	private static RabbitBroker found(Map<String, String> settings) {
		if (look(settings) instanceof Lookup.Found<RabbitBroker> found) {
			return found.value();
		}
		throw new AssertionError("no broker with " + settings);
	}

	private static Lookup<RabbitBroker> look(Map<String, String> settings) {
		return new UriSource(new BrokerSettings(settings::get, (name) -> null)).look();
	}

}
