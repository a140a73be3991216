package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.ojs.event.StoredEvent;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.admin.JobLabels;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.jdbc.internal.event.JdbcEventFeed;
import io.ojs.jdbc.internal.limit.JobLimits;
import io.ojs.jdbc.internal.process.JdbcProcessStore;
import io.ojs.jdbc.internal.relay.JdbcRelayStore;
import io.ojs.jdbc.internal.retention.JdbcRetentionStore;
import io.ojs.jdbc.internal.schema.StoreSchema;
import io.ojs.jdbc.internal.version.JdbcHandlerStore;
import io.ojs.jdbc.internal.workflow.WorkflowEnds;
import io.ojs.job.Rate;
import io.ojs.queue.internal.Producers;
import io.ojs.store.internal.Retention;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.tenant.internal.limit.FairShares;
import io.ojs.test.internal.database.PostgresDatabase;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * All stores on one database, and jobs to put into them.
 */
public final class TestStores extends EngineStores implements AutoCloseable {

	static final Retention RETENTION = new Retention(Duration.ofDays(1), Duration.ofDays(2), Duration.ofDays(3),
			Duration.ofDays(4));

	/** That of the queue that others name for their dead letters. */
	static final Retention GRAVEYARD = new Retention(Duration.ofDays(11), Duration.ofDays(12), Duration.ofDays(13),
			Duration.ofDays(14));

	/** Where dead letters go that do not stay in their queue. */
	final Map<String, String> deadLetterQueues = new ConcurrentHashMap<>();

	/** How many jobs of a queue may start. */
	final Map<String, Rate> queueRates = new ConcurrentHashMap<>();

	/** The queue {@code foreign} is handed over. */
	final HandOver handOver = new HandOver(Set.of("foreign"));

	/** For whom threads act that act for no caller of {@link #producers}. */
	final AtomicReference<@Nullable String> actor = new AtomicReference<>();

	final Producers producers = new Producers("test");

	final AtomicBoolean limitsKnown = new AtomicBoolean(true);

	final Map<String, Integer> tenantConcurrency = new ConcurrentHashMap<>();

	/** How often the relay was to look. */
	final AtomicInteger relayable = new AtomicInteger();

	private final HikariDataSource dataSource;

	/** What holds jobs back, in {@link #fair}. */
	private final FairShares shares;

	final JdbcTransactionManager transactionManager;

	public final StoreDatabase database;

	final JdbcProcessStore processes;

	final JdbcRelayStore relay;

	final JdbcRetentionStore retention;

	final JdbcEventFeed feed;

	public final JdbcStoreTransactions transactions;

	public TestStores(HikariConfig config) {
		config.setMaximumPoolSize((config.getMaximumPoolSize() > 0) ? config.getMaximumPoolSize() : 20);
		config.setMinimumIdle(1);
		config.setConnectionTimeout(Math.min(config.getConnectionTimeout(), 5000));
		this.dataSource = new HikariDataSource(config);
		this.shares = new FairShares(false);
		new StoreSchema(this.dataSource).migrate();
		this.transactionManager = new JdbcTransactionManager(this.dataSource);
		this.database = database(Clock.fixed(NOW, ZoneOffset.UTC));
		this.jobs = new JdbcJobStore(this.database);
		this.attempts = new JdbcAttemptStore(this.database);
		this.processes = new JdbcProcessStore(this.database, false, AutoCommit.FOR_A_WHILE, Duration.ZERO);
		this.relay = new JdbcRelayStore(this.database);
		this.retention = new JdbcRetentionStore(this.database);
		this.feed = new JdbcEventFeed(this.database);
		this.transactions = new JdbcStoreTransactions(this.database);
	}

	private TestStores(HikariDataSource dataSource, FairShares shares) {
		this.dataSource = dataSource;
		this.shares = shares;
		this.transactionManager = new JdbcTransactionManager(this.dataSource);
		this.database = database(Clock.systemUTC());
		this.jobs = new JdbcJobStore(this.database);
		this.attempts = new JdbcAttemptStore(this.database);
		this.processes = new JdbcProcessStore(this.database, false, AutoCommit.FOR_A_WHILE, Duration.ZERO);
		this.relay = new JdbcRelayStore(this.database);
		this.retention = new JdbcRetentionStore(this.database);
		this.feed = new JdbcEventFeed(this.database);
		this.transactions = new JdbcStoreTransactions(this.database);
	}

	private StoreDatabase database(Clock clock) {
		return database(clock, true);
	}

	/** The same database, without a feed of events. */
	StoreDatabase withoutFeed() {
		return database(Clock.fixed(NOW, ZoneOffset.UTC), false);
	}

	private StoreDatabase database(Clock clock, boolean feed) {
		return new StoreDatabase(this.dataSource, this.transactionManager, new StoreOptions(this.codec, clock,
				"ojs://test/store", this::actor, (queue) -> queue.equals("graveyard") ? GRAVEYARD : RETENTION,
				(queue) -> this.deadLetterQueues.getOrDefault(queue, queue),
				new StartLimits((queue) -> Optional.ofNullable(this.queueRates.get(queue)),
						(tenant) -> Optional.ofNullable(this.tenantConcurrency.get(tenant)), this.limitsKnown::get),
				this.relayable::incrementAndGet, this.shares, this.handOver, this::tell, feed,
				List.of(JdbcHandlerStore::new, WorkflowEnds::new, JobLimits::new, JobLabels.of(List.of("customer")))));
	}

	/** Those of another process on the same database, with shares for tenants. */
	TestStores with(FairShares shares) {
		return new TestStores(this.dataSource, shares);
	}

	static HikariConfig of(PostgresDatabase database) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(database.url());
		config.setUsername(database.username());
		config.setPassword(database.password());
		return config;
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	public JdbcTemplate jdbc() {
		return new JdbcTemplate(this.dataSource);
	}

	TransactionTemplate users() {
		return new TransactionTemplate(this.transactionManager);
	}

	private @Nullable String actor() {
		String caller = this.producers.current();
		return caller.equals("test") ? this.actor.get() : caller;
	}

	/** Locks the row of a job until the transaction of the caller ends. */
	void lock(String jobId) {
		jdbc().queryForList("select id from ojs_job where id = cast(? as uuid) for update", jobId);
	}

	@Override
	void clear() {
		// Looks for lost runs go on from the last one.
		this.attempts = new JdbcAttemptStore(this.database);
		this.told.clear();
		this.listener = (event) -> {
		};
		this.deadLetterQueues.clear();
		this.queueRates.clear();
		this.tenantConcurrency.clear();
		this.limitsKnown.set(true);
		this.actor.set(null);
		this.relayable.set(0);
		for (String table : List.of("ojs_job", "ojs_unique_key", "ojs_event", "ojs_rate_limit", "ojs_worker",
				"ojs_fetched_queue", "ojs_handler", "ojs_process", "ojs_cron", "ojs_cron_run", "ojs_workflow",
				"ojs_workflow_job", "ojs_workflow_end", "ojs_tenant", "ojs_webhook", "ojs_deleted_job", "ojs_minute",
				"ojs_operation", "ojs_job_label")) {
			jdbc().update("delete from " + table);
		}
		jdbc().update("delete from ojs_feed where name <> 'events'");
	}

	@Override
	public void close() {
		this.processes.close();
		this.dataSource.close();
	}

	/** As if the process of all runs had been seen at a time. */
	void seen(Instant at) {
		// Not by a beat: that would give back the runs that it does not name.
		this.database.dialect()
			.insertUnlessThere(jdbc(), "insert into ojs_process (id, seen_at) values (?, current_timestamp)",
					"worker-1");
		jdbc().update("update ojs_process set seen_at = ?", Times.utc(at));
		jdbc().update("update ojs_job set relay_at = lease_until where state = 'active'");
	}

	@Override
	List<StoredEvent> events() {
		List<StoredEvent> events = new ArrayList<>();
		List<StoredEvent> page;
		do {
			long last = events.isEmpty() ? 0 : events.get(events.size() - 1).position();
			page = this.feed.after(last, Set.of(), Set.of(), 1000);
			events.addAll(page);
		}
		while (!page.isEmpty());
		return events;
	}

}
