package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.client.internal.EncodedJob;
import io.ojs.job.JobQuery;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What callers learn when the database does not do its part.
 */
class UnavailableDatabaseTests {

	@Test
	void whateverIsAskedOfAServerThatIsDownMayHelpLater() {
		try (PostgresServer server = PostgresServer.start();
				TestStores stores = new TestStores(impatient(server.newDatabase()))) {
			EncodedJob job = stores.available();
			Claim.Taken run = stores.active();
			server.stop();
			refused(() -> stores.find(job));
			refused(() -> stores.jobs.list(JobQuery.first(1)));
			refused(() -> stores.jobs.cancel(job.job().id(), TestStores.NOW));
			refused(() -> stores.keep(stores.encoded((fields) -> fields), null));
			refused(() -> stores.attempts.claim(
					List.of(new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30))), "worker",
					TestStores.NOW, true));
			refused(() -> stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), TestStores.NOW));
			refused(() -> stores.processes.beat("worker", List.of(run.lease())));
			refused(stores.processes::now);
			refused(() -> stores.relay.take(TestStores.NOW, TestStores.LATER, 1));
			refused(stores.relay::nextAt);
			refused(() -> stores.retention.prune(TestStores.NOW, 1));
			refused(() -> stores.feed.after(0, Set.of(), Set.of(), 1));
			refused(() -> stores.transactions.inTransaction(() -> 1));
			server.restart();
			Awaitility.await()
				.ignoreException(StoreUnavailableException.class)
				.untilAsserted(() -> assertThat(
						stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), TestStores.NOW))
					.containsExactly(true));
		}
	}

	@Test
	void aConnectionThatIsCutOffInATransactionLeavesNothing() {
		try (PostgresServer server = PostgresServer.start();
				TestStores stores = new TestStores(impatient(server.newDatabase()))) {
			EncodedJob job = stores.encoded((fields) -> fields);
			refused(() -> stores.transactions.inTransaction(() -> {
				stores.keep(job, null);
				server.kill();
				return stores.jobs.list(JobQuery.first(1));
			}));
			server.restart();
			Awaitility.await()
				.ignoreException(StoreUnavailableException.class)
				.untilAsserted(() -> assertThat(stores.jobs.find(job.job().id())).isEmpty());
		}
	}

	@Test
	void aLockThatIsNotFreeInTimeMayBeFreeLater() {
		try (var database = PostgresServer.shared().newDatabase();
				TestStores stores = new TestStores(TestStores.of(database))) {
			EncodedJob job = stores.available();
			stores.jdbc().execute("alter database %s set lock_timeout = 200".formatted(database.name()));
			try (TestStores impatient = new TestStores(TestStores.of(database))) {
				stores.users().executeWithoutResult((status) -> {
					stores.jobs.cancel(job.job().id(), TestStores.NOW);
					Thread other = new Thread(
							() -> refused(() -> impatient.jobs.cancel(job.job().id(), TestStores.NOW)));
					assertThat(failure(other)).isNull();
				});
			}
		}
	}

	private static @Nullable Throwable failure(Thread thread) {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		thread.setUncaughtExceptionHandler((ended, failure) -> failures.add(failure));
		thread.start();
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return failures.isEmpty() ? null : failures.get(0);
	}

	@Test
	void withoutItsTablesTheStoreIsNotThere() {
		try (var database = PostgresServer.shared().newDatabase();
				TestStores stores = new TestStores(TestStores.of(database))) {
			stores.jdbc().execute("drop table ojs_job");
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> stores.jobs.list(JobQuery.first(1)))
				.withMessageStartingWith("Could not list jobs")
				.withMessageContaining("ojs.store.initialize-schema=always");
		}
	}

	private static HikariConfig impatient(PostgresDatabase database) {
		HikariConfig config = TestStores.of(database);
		config.setConnectionTimeout(300);
		config.setMaximumPoolSize(2);
		return config;
	}

	private static void refused(ThrowingCallable call) {
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(call);
	}

}
