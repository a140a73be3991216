package io.ojs.benchmark.contender;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Map;
import java.util.Properties;

import com.zaxxer.hikari.HikariDataSource;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/**
 * Quartz with its job store in PostgreSQL: one durable job, and a trigger for each run.
 * As its reference says it: data as properties, as many triggers in a batch as there are
 * threads, acquired within a lock, and as many connections as threads and three; it is
 * clustered, for more than one process enqueues and works. It looks for what other
 * processes have scheduled every second, the shortest time that is legal.
 */
final class QuartzContender implements Contender {

	private static final String POOL = "bench";

	private static final String SCHEMA = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";

	private final HikariDataSource database;

	private final Scheduler scheduler;

	private final JobDetail job = JobBuilder.newJob(QuartzJob.class).withIdentity("bench").storeDurably().build();

	QuartzContender(Site site) throws Exception {
		this.database = Databases.pool(site);
		this.database.setMaximumPoolSize(Setting.QUARTZ_THREADS + 3);
		Databases.create(this.database, "qrtz_triggers", schema());
		DBConnectionManager.getInstance().addConnectionProvider(POOL, new Pool(this.database));
		this.scheduler = new StdSchedulerFactory(properties()).getScheduler();
		this.scheduler.addJob(this.job, true);
	}

	private static String schema() throws IOException {
		try (var script = QuartzContender.class.getResourceAsStream(SCHEMA)) {
			if (script == null) {
				throw new IllegalStateException("Quartz has no " + SCHEMA);
			}
			return new String(script.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?i)\\bCOMMIT;", "");
		}
	}

	private static Properties properties() {
		Properties properties = new Properties();
		properties.putAll(Map.of("org.quartz.scheduler.instanceName", "bench", "org.quartz.scheduler.instanceId",
				"AUTO", "org.quartz.scheduler.idleWaitTime", String.valueOf(Setting.QUARTZ_IDLE_MILLIS),
				"org.quartz.scheduler.batchTriggerAcquisitionMaxCount", String.valueOf(Setting.QUARTZ_THREADS),
				"org.quartz.threadPool.threadCount", String.valueOf(Setting.QUARTZ_THREADS)));
		properties.putAll(Map.of("org.quartz.jobStore.class", JobStoreTX.class.getName(),
				"org.quartz.jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName(),
				"org.quartz.jobStore.dataSource", POOL, "org.quartz.jobStore.useProperties", "true",
				"org.quartz.jobStore.acquireTriggersWithinLock", "true", "org.quartz.jobStore.isClustered", "true"));
		return properties;
	}

	@Override
	public void enqueue(Payload payload) throws SchedulerException {
		this.scheduler.scheduleJob(
				TriggerBuilder.newTrigger().forJob(this.job).usingJobData(QuartzJob.data(payload)).startNow().build());
	}

	@Override
	public void work(Handler handler) throws SchedulerException {
		QuartzJob.handler = handler;
		this.scheduler.start();
	}

	/** Triggers that have fired for the last time are deleted. */
	@Override
	public void settle() throws Exception {
		Settled.await("no trigger is left", () -> Databases.answer(this.database,
				"SELECT NOT EXISTS (SELECT FROM qrtz_triggers) " + "AND NOT EXISTS (SELECT FROM qrtz_fired_triggers)"));
	}

	@Override
	public void close() throws IOException {
		try {
			this.scheduler.shutdown(true);
		}
		catch (SchedulerException ex) {
			throw new IOException(ex);
		}
		finally {
			this.database.close();
		}
	}

	/** Lends the pool to Quartz. */
	private record Pool(HikariDataSource database) implements ConnectionProvider {

		@Override
		public Connection getConnection() throws java.sql.SQLException {
			return this.database.getConnection();
		}

		@Override
		public void shutdown() {
			// Closed by who has opened it.
		}

		@Override
		public void initialize() {
			// It has been.
		}

	}

}
