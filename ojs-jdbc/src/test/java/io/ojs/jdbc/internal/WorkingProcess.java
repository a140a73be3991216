package io.ojs.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.ojs.client.internal.EncodedJob;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.jdbc.internal.process.JdbcProcessStore;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.LeaseGrace;
import io.ojs.store.internal.attempt.LeaseKeeper;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.attempt.ProgressSink;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A process that works jobs of a store, with a pool and a clock of its own. */
final class WorkingProcess implements AutoCloseable {

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final AtomicInteger NUMBERS = new AtomicInteger();

	final List<Boolean> lost = new CopyOnWriteArrayList<>();

	/** How often it has asked the store to begin or end something. */
	final AtomicInteger asked = new AtomicInteger();

	private final HikariDataSource pool;

	private final StoreClock clock;

	private final JdbcAttemptStore store;

	private final JdbcProcessStore processes;

	private final LeaseKeeper leases;

	private final Attempts attempts;

	WorkingProcess(TestStores stores, int connections, Clock own) {
		HikariDataSource like = (HikariDataSource) stores.dataSource();
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(like.getJdbcUrl());
		config.setUsername(like.getUsername());
		config.setPassword(like.getPassword());
		config.setMaximumPoolSize(connections);
		config.setConnectionTimeout(20_000);
		this.pool = new HikariDataSource(config);
		StoreDatabase database = new StoreDatabase(this.pool, new JdbcTransactionManager(this.pool),
				stores.database.options());
		this.clock = new StoreClock(own);
		this.store = new JdbcAttemptStore(database);
		this.processes = new JdbcProcessStore(database, false, AutoCommit.FOR_A_WHILE, Duration.ZERO);
		LeaseGrace grace = new LeaseGrace(LEASE, this.clock);
		this.clock.onJump(grace::jump);
		this.leases = new LeaseKeeper(this.processes, "process-" + NUMBERS.incrementAndGet(), (queue) -> LEASE,
				this.clock);
		this.attempts = new Attempts(this.store, new JdbcJobStore(database), this.leases, grace, ProgressSink.NONE,
				this.clock);
		this.leases.start();
	}

	List<Lease> begin(Duration lease, List<EncodedJob> jobs) {
		return jobs.stream().map((job) -> ((Claim.Taken) claim(lease, job)).lease()).toList();
	}

	Claim claim(Duration lease, EncodedJob job) {
		this.asked.incrementAndGet();
		Claim claim = this.attempts.claim(new ClaimRequest(job, job.job().queue(), 1, Map.of(), lease), () -> false)
			.orElseThrow();
		if (claim instanceof Claim.Taken taken) {
			this.leases.hold(taken.lease(), lease, this.lost::add);
		}
		return claim;
	}

	Attempts.Recording succeed(Lease run) {
		this.asked.incrementAndGet();
		Attempts.Recording recording = this.attempts.settle(new Outcome.Completed(run, null), () -> false);
		this.leases.release(run);
		return recording;
	}

	int reap() {
		return this.store.reap(this.clock.instant(), 10).size();
	}

	/** Takes connections until there is none left. */
	void takeAll(List<Connection> taken) throws SQLException {
		while (this.pool.getHikariPoolMXBean().getActiveConnections() < this.pool.getMaximumPoolSize()) {
			taken.add(this.pool.getConnection());
		}
	}

	@Override
	public void close() {
		this.leases.stop();
		this.pool.close();
	}

}
