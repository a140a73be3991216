package io.ojs.benchmark.contender;

import java.io.Serializable;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;

/**
 * db-scheduler on PostgreSQL, with lock-and-fetch.
 */
final class DbSchedulerContender implements Contender {

	private static final TaskDescriptor<Data> TASK = TaskDescriptor.of("bench", Data.class);

	/**
	 * What its documentation gives for PostgreSQL, without the priority, which is off.
	 */
	private static final String SCHEMA = """
			CREATE TABLE scheduled_tasks (
			  task_name text NOT NULL,
			  task_instance text NOT NULL,
			  task_data bytea,
			  execution_time timestamp with time zone NOT NULL,
			  picked boolean NOT NULL,
			  picked_by text,
			  last_success timestamp with time zone,
			  last_failure timestamp with time zone,
			  consecutive_failures int,
			  last_heartbeat timestamp with time zone,
			  version bigint NOT NULL,
			  PRIMARY KEY (task_name, task_instance)
			);
			CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
			CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)
			""";

	private final HikariDataSource database;

	private final Scheduler scheduler;

	private volatile Handler handler = (sentAt) -> {
	};

	DbSchedulerContender(Site site) throws SQLException {
		this.database = Databases.pool(site);
		Databases.create(this.database, "scheduled_tasks", SCHEMA);
		SchedulerBuilder builder = Scheduler
			.create(this.database,
					Tasks.oneTime(TASK)
						.execute((instance, context) -> this.handler.handle(instance.getData().sentAt())))
			.threads(Setting.DB_SCHEDULER_THREADS)
			.pollUsingLockAndFetch(Setting.DB_SCHEDULER_LOWER, Setting.DB_SCHEDULER_UPPER)
			.pollingInterval(Duration.ofMillis(Setting.DB_SCHEDULER_POLL_MILLIS))
			.enableImmediateExecution();
		this.scheduler = builder.build();
	}

	@Override
	public void enqueue(Payload job) {
		this.scheduler.scheduleIfNotExists(instance(job), Instant.now());
	}

	@Override
	public void enqueueAll(List<Payload> jobs) {
		List<TaskInstance<?>> instances = new ArrayList<>(jobs.size());
		for (Payload job : jobs) {
			instances.add(instance(job));
		}
		this.scheduler.scheduleBatch(instances, Instant.now());
	}

	private static TaskInstance<Data> instance(Payload job) {
		return TASK.instance(UUID.randomUUID().toString()).data(new Data(job.sentAt(), job.text())).build();
	}

	@Override
	public void work(Handler handler) {
		this.handler = handler;
		this.scheduler.start();
	}

	/** What has succeeded is deleted. */
	@Override
	public void settle() throws Exception {
		Settled.await("no task is left",
				() -> Databases.answer(this.database, "SELECT NOT EXISTS (SELECT FROM scheduled_tasks)"));
	}

	@Override
	public void close() {
		this.scheduler.stop();
		this.database.close();
	}

	/**
	 * The data of a task, by the serialization that is its default.
	 *
	 * @param sentAt see {@link Payload}
	 * @param text see {@link Payload}
	 */
	record Data(long sentAt, String text) implements Serializable {

		private static final long serialVersionUID = 1L;

	}

}
