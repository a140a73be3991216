package io.ojs.test.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The order of the search, and what it says when it finds nothing. The sources are the
 * tests' own: what each real one finds has a test class of its own.
 */
class DiscoveryTests {

	private final List<String> asked = new ArrayList<>();

	@Test
	void looksForConfiguredBrokerThenContainerThenInstallationThenPackages() {
		assertThat(Discovery.brokers(settings(Map.of())).names()).satisfiesExactly(
				(first) -> assertThat(first).isEqualTo("ojs.test.rabbitmq.uri"),
				(second) -> assertThat(second).isEqualTo("Testcontainers"),
				(third) -> assertThat(third).isEqualTo("installed rabbitmq-server"),
				(fourth) -> assertThat(fourth).startsWith("packages of "));
	}

	@Test
	void chosenSuiteLeavesOutWhatMayBeOfAnotherLine() {
		BrokerSettings settings = settings(Map.of("ojs.test.rabbitmq.suite", "trixie"));
		assertThat(Discovery.brokers(settings).names()).containsExactly("ojs.test.rabbitmq.uri", "packages of trixie");
		assertThat(Discovery.installations(settings).names()).containsExactly("packages of trixie");
	}

	@Test
	void takesTheFirstAndDoesNotAskTheOthers() {
		Discovery<String> discovery = new Discovery<>(
				List.of(absent("a", "not set"), found("b", "broker b"), found("c", "broker c")));
		assertThat(discovery.first()).isEqualTo("broker b");
		assertThat(this.asked).containsExactly("a", "b");
	}

	@Test
	void goesOnAfterOneThatFailed() {
		Discovery<String> discovery = new Discovery<>(
				List.of(failing("a", new IllegalStateException("image not found")), found("b", "broker b")));
		assertThat(discovery.first()).isEqualTo("broker b");
	}

	@Test
	void doesNotGoOnAfterTheConfiguredBrokerFailed() {
		ConfiguredBrokerException failure = new ConfiguredBrokerException("login failed", null);
		Discovery<String> discovery = new Discovery<>(List.of(failing("a", failure), found("b", "broker b")));
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(discovery::first).isSameAs(failure);
		assertThat(this.asked).containsExactly("a");
	}

	@Test
	void failsWithEveryReasonAndEveryWayOut() {
		IllegalStateException failure = new IllegalStateException("exit 1\nlong log");
		Discovery<String> discovery = new Discovery<>(
				List.of(absent("Testcontainers", "no Docker engine answers"), failing("packages of sid", failure)));
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(discovery::first)
			.withMessageContainingAll("Testcontainers: no Docker engine answers", "packages of sid: failed: exit 1",
					"ojs.test.rabbitmq.uri", "testcontainers-rabbitmq", "install rabbitmq-server", "Debian or Ubuntu")
			.satisfies((ex) -> assertThat(ex).hasNoCause().hasSuppressedException(failure))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("long log"));
	}

	private Source<String> found(String name, String broker) {
		return source(name, () -> new Lookup.Found<>(broker));
	}

	private Source<String> absent(String name, String reason) {
		return source(name, () -> new Lookup.Absent<>(reason));
	}

	private Source<String> failing(String name, RuntimeException failure) {
		return source(name, () -> {
			throw failure;
		});
	}

	private Source<String> source(String name, Supplier<Lookup<String>> lookup) {
		return new Source<>() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public Lookup<String> look() {
				DiscoveryTests.this.asked.add(name);
				return lookup.get();
			}
		};
	}

	private static BrokerSettings settings(Map<String, String> properties) {
		return new BrokerSettings(properties::get, (name) -> null);
	}

}
