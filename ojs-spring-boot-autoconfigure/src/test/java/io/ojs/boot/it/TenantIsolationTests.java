package io.ojs.boot.it;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.admin.AdminStore;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Instances of one application on one broker, each for a tenant, with a prefix of its
 * own.
 */
class TenantIsolationTests extends BrokerTest {

	private final PostgresDatabase ofAcme = PostgresServer.shared().newDatabase();

	private final PostgresDatabase ofBeta = PostgresServer.shared().newDatabase();

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
	void instancesWithPrefixesShareNoQueueNoExchangeAndNoJob() throws Exception {
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

	private void assertThatEverythingIsOneOrTheOthers() throws IOException {
		List<String> names = new ArrayList<>(list("list_queues", "name"));
		names.addAll(list("list_exchanges", "name"));
		assertThat(names).contains("acme.ojs.queue.office", "beta.ojs.queue.office", "acme.ojs.exchange.direct")
			.allMatch((name) -> name.startsWith("acme.") || name.startsWith("beta."));
		List<String> bindings = list("list_bindings", "source_name", "destination_name");
		assertThat(bindings).isNotEmpty().allSatisfy((binding) -> {
			String[] ends = binding.split("\t");
			assertThat(prefix(ends[0])).as(binding).isEqualTo(prefix(ends[1]));
		});
	}

	private static String prefix(String name) {
		return name.substring(0, name.indexOf('.'));
	}

	/** What belongs to somebody: the default exchange leads to every queue. */
	private List<String> list(String command, String... columns) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-q", command, "-p", virtualHost(), "--no-table-headers"));
		arguments.addAll(Arrays.asList(columns));
		return RabbitBroker.shared()
			.ctl(arguments.toArray(String[]::new))
			.lines()
			.filter((line) -> !line.isBlank() && !line.startsWith("amq.") && !line.startsWith("\t"))
			.toList();
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
