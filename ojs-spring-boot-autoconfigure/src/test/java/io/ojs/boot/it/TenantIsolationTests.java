package io.ojs.boot.it;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.admin.AdminStore;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Instances of one application on one broker, each for a tenant, with a prefix of its
 * own.
 */
class TenantIsolationTests extends BrokerTest {

	private final PostgresDatabase ofAcme = StoreDatabases.create();

	private final PostgresDatabase ofBeta = StoreDatabases.create();

	@BeforeEach
	void forget() {
		Office.seen.clear();
	}

	@AfterEach
	void dropDatabases() {
		this.ofAcme.close();
		this.ofBeta.close();
	}

	private Application.Starter instance(String prefix) {
		return application(Office.class).property("ojs.prefix", prefix)
			.property("ojs.queue-defaults.retry.max-attempts", 2);
	}

	private Application.Starter instance(String prefix, PostgresDatabase database) {
		return instance(prefix).database(database.url(), database.username(), database.password());
	}

	@Test
	void instancesWithPrefixesShareNoQueueNoExchangeAndNoJob() {
		try (Application acme = instance("acme").start(); Application beta = instance("beta").start()) {
			List<String> expected = new ArrayList<>(enqueueSome(acme, "acme"));
			expected.addAll(enqueueSome(beta, "beta"));
			await().untilAsserted(() -> assertThat(Office.seen).containsExactlyInAnyOrderElementsOf(expected));
			await().until(() -> client().count("acme.ojs.queue.dlx.office") == 1
					&& client().count("beta.ojs.queue.dlx.office") == 1);
			assertThatEverythingIsOneOrTheOthers();
		}
	}

	/** At once, scheduled, tried again, and a dead letter. */
	private static List<String> enqueueSome(Application instance, String name) {
		instance.ojs().enqueue("office.note", name);
		instance.ojs().enqueue(JobRequest.of("office.note", name).scheduledAt(Instant.now().plusSeconds(1)));
		instance.ojs().enqueue("office.fail", name);
		String seen = name + " by " + name;
		return List.of(seen, seen, seen + " failing", seen + " failing");
	}

	private void assertThatEverythingIsOneOrTheOthers() {
		List<String> names = Stream.concat(broker().queues().stream(), broker().exchanges().stream())
			.map((each) -> each.get("name").asString())
			.filter(TenantIsolationTests::belongsToSomebody)
			.toList();
		assertThat(names).contains("acme.ojs.queue.office", "beta.ojs.queue.office", "acme.ojs.exchange.direct")
			.allMatch((name) -> name.startsWith("acme.") || name.startsWith("beta."));
		List<JsonNode> bindings = broker().bindings()
			.stream()
			.filter((binding) -> belongsToSomebody(binding.get("source").asString()))
			.toList();
		assertThat(bindings).isNotEmpty()
			.allSatisfy((binding) -> assertThat(prefix(binding.get("source").asString())).as(binding.toString())
				.isEqualTo(prefix(binding.get("destination").asString())));
	}

	/** The default exchange, which has no name, leads to every queue. */
	private static boolean belongsToSomebody(String name) {
		return !name.isBlank() && !name.startsWith("amq.");
	}

	private static String prefix(String name) {
		return name.substring(0, name.indexOf('.'));
	}

	@Test
	void whatOneEnqueuesWaitsForItAlone() {
		try (Application beta = instance("beta").start()) {
			try (Application acme = instance("acme").property("ojs.worker.enabled", false).start()) {
				acme.ojs().enqueue("office.note", "acme");
				beta.ojs().enqueue("office.note", "beta");
				await().until(() -> Office.seen.equals(List.of("beta by beta")));
				assertThat(client().count("acme.ojs.queue.office")).isEqualTo(1);
			}
			try (Application acme = instance("acme").start()) {
				await().until(() -> Office.seen.contains("acme by acme"));
				assertThat(Office.seen).hasSize(2);
				assertThat(acme.events()).isNotEmpty();
			}
		}
	}

	@Test
	void withDatabasesOfTheirOwnTheyShareNothingAtAll() {
		try (Application acme = instance("acme", this.ofAcme).start();
				Application beta = instance("beta", this.ofBeta).start()) {
			Job job = acme.ojs().enqueue("office.note", "acme");
			beta.ojs().enqueue("office.note", "beta");
			beta.ojs().enqueue("office.note", "beta");
			await().until(() -> Office.seen.size() == 3);
			assertThat(Office.seen).containsExactlyInAnyOrder("acme by acme", "beta by beta", "beta by beta");
			assertThat(acme.ojs().find(job.id())).isPresent();
			assertThat(beta.ojs().find(job.id())).isEmpty();
			assertThat(total(acme)).isEqualTo(1);
			assertThat(total(beta)).isEqualTo(2);
		}
	}

	private static long total(Application instance) {
		return instance.bean(AdminStore.class)
			.counts(null, null)
			.values()
			.stream()
			.flatMap((states) -> states.values().stream())
			.mapToLong(Long::longValue)
			.sum();
	}

	static class Office {

		static final List<String> seen = new CopyOnWriteArrayList<>();

		private final String prefix;

		Office(@Value("${ojs.prefix}") String prefix) {
			this.prefix = prefix;
		}

		@OjsJobHandler(value = "office.note", queue = "office")
		void note(String from) {
			seen.add(from + " by " + this.prefix);
		}

		@OjsJobHandler(value = "office.fail", queue = "office")
		void fail(String from) {
			seen.add(from + " by " + this.prefix + " failing");
			throw new IllegalStateException("As it should");
		}

	}

}
