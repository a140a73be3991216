package io.ojs.jdbc.internal.inspect;

import java.time.Instant;
import java.util.Objects;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.inspect.JobTakers;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.WorkerState;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.version.HandlerProcesses;
import io.ojs.jdbc.internal.worker.JdbcWorkerStore;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * Counts the processes and HTTP workers that take a job.
 */
final class JobTakersQuery {

	private final StoreDatabase database;

	private final HandlerProcesses processes;

	private final JdbcWorkerStore workers;

	JobTakersQuery(StoreDatabase database) {
		this.database = database;
		this.processes = new HandlerProcesses(database);
		this.workers = new JdbcWorkerStore(database);
	}

	JobTakers of(JobRow row, Instant now) {
		JobTakers takers = new JobTakers(0, 0, 0, lastFetch(row.queue));
		for (HandlerProcesses.HandlerProcess process : this.processes.trusted(now)) {
			if (process.queues().contains(row.queue)) {
				takers = takers.plus(process.handled().contain(row.type, null),
						process.handled().contain(row.type, row.version()));
			}
		}
		for (KnownWorker worker : this.workers.list()) {
			if (takes(worker, row, now)) {
				HandledJobs handled = Objects.requireNonNullElse(worker.handled(), HandledJobs.ALL);
				takers = takers.plus(handled.contain(row.type, null), handled.contain(row.type, row.version()));
			}
		}
		return takers;
	}

	/**
	 * Whether an HTTP worker fetches from the queue of a job. The workers of a tenant,
	 * which have its id before their names, get jobs of that tenant alone.
	 */
	private static boolean takes(KnownWorker worker, JobRow row, Instant now) {
		int slash = worker.id().indexOf('/');
		boolean foreign = slash >= 0 && !worker.id().substring(0, slash).equals(row.tenant);
		return !foreign && worker.queues().contains(row.queue) && worker.wanted() == WorkerState.RUNNING
				&& worker.lastSeen().isAfter(now.minus(FetchedQueues.FETCHED));
	}

	private @Nullable Instant lastFetch(String queue) {
		return this.database.jdbc()
			.query("select fetched_at from ojs_fetched_queue where queue = ?",
					(row, index) -> SqlTimes.instant(row, "fetched_at"), queue)
			.stream()
			.findFirst()
			.orElse(null);
	}

}
