package io.ojs.boot.it;

import java.util.List;

import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The database of the job store, or the broker beside it, is away for a while, and comes
 * back to an application that went on meanwhile.
 */
@Tag("faults")
class StoreOutageTests {

	private static PostgresServer server;

	private static PrivateRabbitNode node;

	private VirtualHost virtualHost;

	private PostgresDatabase database;

	@BeforeAll
	static void startServers() {
		server = PostgresServer.start();
		node = PrivateRabbitNode.create();
	}

	@AfterAll
	static void closeServers() {
		node.close();
		server.close();
	}

	@BeforeEach
	void open() {
		this.virtualHost = node.newVirtualHost();
		this.database = server.newDatabase();
	}

	@AfterEach
	void close() {
		this.database.close();
		this.virtualHost.close();
	}

	@Test
	void databaseKilled() {
		try (StoreOutageRun run = run("database killed").start()) {
			run.outage(server::kill, run::isEveryProducerAnswered, server::restart);
			assertRefusedInTime(run);
			run.finish();
		}
	}

	/** It keeps its connections, accepts new ones, and says nothing. */
	@Test
	void databaseFrozen() {
		try (StoreOutageRun run = run("database frozen").start()) {
			run.outage(server::pause, run::isEveryProducerAnswered, server::resume);
			assertRefusedInTime(run);
			run.finish();
		}
	}

	/**
	 * The broker is back first: whoever gets a message of a running job again asks for it
	 * as soon as the database is there, perhaps before its worker extends the lease.
	 */
	@Test
	void everythingKilled() {
		try (StoreOutageRun run = run("database and broker killed")) {
			awaitOnDisk();
			run.start();
			run.outage(() -> {
				server.kill();
				node.kill();
			}, run::isEveryProducerAnswered, () -> {
				node.start();
				server.restart();
			});
			assertRefusedInTime(run);
			run.finish();
		}
	}

	@Test
	void brokerStopped() {
		try (StoreOutageRun run = run("broker stopped").start()) {
			run.outage(node::stop, () -> run.acceptedSoFar() > FaultRun.JOBS / 10, node::start);
			assertNothingIsRefused(run);
			run.finish();
		}
	}

	@Test
	void brokerKilled() {
		try (StoreOutageRun run = run("broker killed")) {
			awaitOnDisk();
			run.start();
			run.outage(node::kill, () -> run.acceptedSoFar() > FaultRun.JOBS / 10, node::start);
			assertNothingIsRefused(run);
			run.finish();
		}
	}

	private void awaitOnDisk() {
		if (FaultRun.TYPE.equals("quorum")) {
			for (String queue : List.of("ojs.queue.faults", "ojs.queue.retry.faults.250", "ojs.queue.held")) {
				node.awaitOnDisk(this.virtualHost, queue);
			}
		}
	}

	private StoreOutageRun run(String fault) {
		return new StoreOutageRun(fault, this.virtualHost, this.database);
	}

	/** Callers were told while the database was away, as the outage waits for that. */
	private static void assertRefusedInTime(StoreOutageRun run) {
		List<OutageProducer.Call> calls = run.callsWhileAway();
		assertThat(calls).anyMatch(OutageProducer.Call::isRefused);
		assertThat(run.acceptedWhileAway()).isZero();
		assertThat(calls).filteredOn((call) -> call.failure() != null)
			.allSatisfy((call) -> assertThat(call.failure()).isInstanceOf(JobNotStoredException.class)
				.hasCauseInstanceOf(StoreUnavailableException.class));
	}

	/**
	 * Callers waited for neither the broker nor its confirms: the outage lasts until many
	 * of their jobs are accepted, and confirms would take longer than it.
	 */
	private static void assertNothingIsRefused(StoreOutageRun run) {
		List<OutageProducer.Call> calls = run.callsWhileAway();
		assertThat(calls).extracting(OutageProducer.Call::failure).containsOnlyNulls();
		assertThat(run.acceptedWhileAway()).isGreaterThan(FaultRun.JOBS / 10);
	}

}
