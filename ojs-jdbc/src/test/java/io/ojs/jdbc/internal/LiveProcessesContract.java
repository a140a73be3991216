package io.ojs.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.jdbc.internal.process.JdbcProcessStore;
import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Whatever handlers and others do with rows, connections and clocks: a process that lives
 * and reaches the database keeps its runs, while another one looks for lost ones.
 */
@Timeout(60)
abstract class LiveProcessesContract extends StoreContract {

	/** Short for a test, and long beside the pauses of a busy machine. */
	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final Duration LONGER = LEASE.plusMillis(1500);

	@Test
	void lockedRowCostsNeitherItsOwnLeaseNorOthers() {
		try (WorkingProcess working = new WorkingProcess(this.stores, 5, Clock.systemUTC());
				WorkingProcess other = new WorkingProcess(this.stores, 5, Clock.systemUTC())) {
			List<Lease> runs = working.begin(LEASE, Stream.generate(this.stores::available).limit(3).toList());
			this.stores.users().executeWithoutResult((status) -> {
				lock(runs.get(0));
				assertThatNothingIsLost(other, LONGER);
			});
			assertThatNothingIsLost(other, Duration.ofMillis(500));
			assertThat(working.lost).isEmpty();
			runs.forEach((run) -> assertThat(working.succeed(run)).isEqualTo(Attempts.Recording.RECORDED));
		}
	}

	@Test
	void transactionsThatHaveAllConnectionsCostNoLease() throws SQLException {
		try (WorkingProcess working = new WorkingProcess(this.stores, 3, Clock.systemUTC());
				WorkingProcess other = new WorkingProcess(this.stores, 5, Clock.systemUTC())) {
			List<Lease> runs = working.begin(LEASE, List.of(this.stores.available()));
			List<Connection> taken = new ArrayList<>();
			try {
				working.takeAll(taken);
				assertThatNothingIsLost(other, LONGER);
			}
			finally {
				for (Connection connection : taken) {
					connection.close();
				}
			}
			assertThat(working.lost).isEmpty();
			assertThat(working.succeed(runs.get(0))).isEqualTo(Attempts.Recording.RECORDED);
		}
	}

	@Test
	void clockThatJumpsCostsNoLease() {
		for (Duration step : List.of(Duration.ofMinutes(10), Duration.ofMinutes(-10))) {
			SteppingClock clock = new SteppingClock();
			try (WorkingProcess working = new WorkingProcess(this.stores, 5, clock);
					WorkingProcess other = new WorkingProcess(this.stores, 5, Clock.systemUTC())) {
				EncodedJob before = this.stores.available();
				List<Lease> runs = working.begin(LEASE, List.of(before));
				List<Lease> others = other.begin(LEASE, List.of(this.stores.available()));
				clock.step = step;
				EncodedJob after = this.stores.available();
				List<Lease> more = working.begin(LEASE, List.of(after));
				assertThatNothingIsLost(other, LONGER);
				assertThat(working.reap()).isZero();
				assertThat(other.claim(LEASE, before)).isEqualTo(new Claim.Duplicate(JobState.ACTIVE));
				assertThat(working.claim(LEASE, before)).isEqualTo(new Claim.Duplicate(JobState.ACTIVE));
				EncodedJob soon = this.stores.scheduled(Instant.now().plusSeconds(300));
				assertThat(working.claim(LEASE, soon)).isInstanceOf(Claim.NotDue.class);
				Stream.of(runs, more)
					.flatMap(List::stream)
					.forEach((run) -> assertThat(working.succeed(run)).isEqualTo(Attempts.Recording.RECORDED));
				assertThat(other.succeed(others.get(0))).isEqualTo(Attempts.Recording.RECORDED);
			}
		}
	}

	@Test
	void processThatIsGoneLosesItsRuns() {
		try (WorkingProcess other = new WorkingProcess(this.stores, 5, Clock.systemUTC())) {
			EncodedJob job = this.stores.available();
			try (WorkingProcess working = new WorkingProcess(this.stores, 5, Clock.systemUTC())) {
				working.begin(LEASE, List.of(job));
				assertThatNothingIsLost(other, LONGER);
			}
			await().until(() -> other.reap() == 1);
			assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
			assertThat(this.stores.find(job).job().errors()).singleElement()
				.satisfies((error) -> assertThat(error.code()).isEqualTo("WORKER_LOST"));
		}
	}

	@Test
	void lockedRowHoldsUpTheEndAndTheBeginOfNoOtherJob() throws Exception {
		try (WorkingProcess working = new WorkingProcess(this.stores, 5, Clock.systemUTC())) {
			EncodedJob waiting = this.stores.available();
			EncodedJob free = this.stores.available();
			List<Lease> runs = working.begin(LEASE, List.of(this.stores.available(), this.stores.available()));
			CompletableFuture<Attempts.Recording> ended = new CompletableFuture<>();
			CompletableFuture<Claim> begun = new CompletableFuture<>();
			this.stores.users().executeWithoutResult((status) -> {
				lock(runs.get(0));
				lock(new Lease(waiting.job().id(), 0));
				new Thread(() -> ended.complete(working.succeed(runs.get(0)))).start();
				new Thread(() -> begun.complete(working.claim(LEASE, waiting))).start();
				await().until(() -> working.asked.get() >= 4);
				assertThat(Threads.apart(() -> working.succeed(runs.get(1)))).isEqualTo(Attempts.Recording.RECORDED);
				assertThat(Threads.apart(() -> working.claim(LEASE, free))).isInstanceOf(Claim.Taken.class);
				assertThat(ended).isNotDone();
				assertThat(begun).isNotDone();
			});
			assertThat(ended.get(15, TimeUnit.SECONDS)).isEqualTo(Attempts.Recording.RECORDED);
			assertThat(begun.get(15, TimeUnit.SECONDS)).isInstanceOf(Claim.Taken.class);
		}
	}

	@Test
	void databaseThatMayOnlyBeReadForNowCostsTheOwnConnectionForNow() {
		FaultyConnections connections = new FaultyConnections(this.stores.dataSource());
		try (JdbcProcessStore processes = new JdbcProcessStore(database(connections), false, Duration.ofMillis(500),
				Duration.ZERO)) {
			connections.failure = new SQLException("cannot execute UPDATE in a read-only transaction", "25006");
			processes.beat("p", List.of());
			assertThat(connections.plain).hasValue(1);
			connections.failure = null;
			processes.beat("p", List.of());
			assertThat(connections.plain).hasValue(1);
			await().untilAsserted(() -> {
				processes.beat("p", List.of());
				assertThat(connections.plain).hasValueGreaterThan(1);
			});
			int taken = connections.taken.get();
			processes.beat("p", List.of());
			assertThat(connections.taken).hasValue(taken);
		}
	}

	@Test
	void ownConnectionIsKeptAsLongAsItIsOne() {
		FaultyConnections connections = new FaultyConnections(this.stores.dataSource());
		try (JdbcProcessStore processes = new JdbcProcessStore(database(connections), false)) {
			processes.beat("p", List.of());
			int taken = connections.taken.get();
			connections.failure = new SQLException("the statement took too long", "57014");
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> processes.beat("p", List.of()));
			connections.failure = null;
			processes.beat("p", List.of());
			assertThat(connections.taken).hasValue(taken);
			connections.failure = new SQLException("the connection is gone", "08006");
			connections.valid = false;
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> processes.beat("p", List.of()));
			connections.failure = null;
			processes.beat("p", List.of());
			assertThat(connections.taken).hasValue(taken + 1);
		}
	}

	private StoreDatabase database(FaultyConnections connections) {
		return new StoreDatabase(connections, new JdbcTransactionManager(connections), this.stores.database.options());
	}

	private void lock(Lease run) {
		this.stores.lock(run.jobId());
	}

	private static void assertThatNothingIsLost(WorkingProcess other, Duration time) {
		await().during(time).atMost(time.plusSeconds(20)).until(() -> other.reap() == 0);
	}

	/** The clock of a machine that somebody sets while it runs. */
	static final class SteppingClock extends Clock {

		volatile Duration step = Duration.ZERO;

		@Override
		public Instant instant() {
			return Instant.now().plus(this.step);
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
