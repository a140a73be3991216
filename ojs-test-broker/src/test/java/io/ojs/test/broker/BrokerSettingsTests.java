package io.ojs.test.broker;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BrokerSettingsTests {

	@Test
	void readsSystemProperties() {
		BrokerSettings settings = new BrokerSettings(
				Map.of("ojs.test.rabbitmq.uri", "amqp://a", "ojs.test.rabbitmq.management-port", "1567",
						"ojs.test.rabbitmq.suite", "trixie", "ojs.test.rabbitmq.cache", "/var/cache/rabbit",
						"ojs.test.rabbitmq.image", "rabbitmq:3.13-management")::get,
				(name) -> null);
		assertThat(settings.uri()).hasValue("amqp://a");
		assertThat(settings.managementPort()).hasValue(1567);
		assertThat(settings.suite()).hasValue("trixie");
		assertThat(settings.cache()).isEqualTo(Path.of("/var/cache/rabbit"));
		assertThat(settings.image()).isEqualTo("rabbitmq:3.13-management");
	}

	@Test
	void readsEnvironmentVariables() {
		BrokerSettings settings = new BrokerSettings((key) -> null,
				Map.of("OJS_TEST_RABBITMQ_URI", "amqp://a", "OJS_TEST_RABBITMQ_MANAGEMENT_PORT", "1567")::get);
		assertThat(settings.uri()).hasValue("amqp://a");
		assertThat(settings.managementPort()).hasValue(1567);
	}

	@Test
	void systemPropertyWinsAndBlankCountsAsNone() {
		Map<String, String> environment = Map.of("OJS_TEST_RABBITMQ_SUITE", "forky");
		assertThat(new BrokerSettings(Map.of("ojs.test.rabbitmq.suite", "trixie")::get, environment::get).suite())
			.hasValue("trixie");
		assertThat(new BrokerSettings(Map.of("ojs.test.rabbitmq.suite", " ")::get, environment::get).suite())
			.hasValue("forky");
	}

	@Test
	void hasDefaults() {
		BrokerSettings settings = new BrokerSettings((key) -> null, (name) -> null);
		assertThat(settings.uri()).isEmpty();
		assertThat(settings.suite()).isEmpty();
		assertThat(settings.managementPort()).isEmpty();
		assertThat(settings.cache()).isEqualTo(Path.of(System.getProperty("user.home"), ".cache/ojs/rabbitmq"));
	}

	@Test
	void refusesManagementPortThatIsNone() {
		BrokerSettings settings = new BrokerSettings(Map.of("ojs.test.rabbitmq.management-port", "http")::get,
				(name) -> null);
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(settings::managementPort)
			.withMessageContaining("ojs.test.rabbitmq.management-port='http'");
	}

}
