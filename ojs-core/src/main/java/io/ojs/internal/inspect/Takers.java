package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.Objects;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.fetch.FetchedQueueStore;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.version.HandlerProcess;
import io.ojs.internal.version.HandlerStore;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.WorkerState;
import io.ojs.internal.worker.WorkerStore;
import io.ojs.job.internal.HandledJobs;
import io.ojs.tenant.internal.TenantWorkers;

/**
 * Counts the processes and HTTP workers that take jobs.
 */
public final class Takers {

	private final HandlerStore processes;

	private final WorkerStore workers;

	private final FetchedQueueStore fetched;

	public Takers(HandlerStore processes, WorkerStore workers, FetchedQueueStore fetched) {
		this.processes = processes;
		this.workers = workers;
		this.fetched = fetched;
	}

	JobTakers of(JobRow row, Instant now) {
		JobTakers takers = new JobTakers(0, 0, 0, this.fetched.fetchedSince(Instant.EPOCH).get(row.queue));
		for (HandlerProcess process : this.processes.trusted(now)) {
			if (process.queues().contains(row.queue)) {
				takers = takers.plus(row, process.handled());
			}
		}
		for (KnownWorker worker : this.workers.list()) {
			if (takes(worker, row, now)) {
				takers = takers.plus(row, Objects.requireNonNullElse(worker.handled(), HandledJobs.ALL));
			}
		}
		return takers;
	}

	/** Whether an HTTP worker fetches from the queue of a job. */
	private static boolean takes(KnownWorker worker, JobRow row, Instant now) {
		return !TenantWorkers.isOfAnother(worker.id(), row.tenant) && worker.queues().contains(row.queue)
				&& worker.wanted() == WorkerState.RUNNING
				&& worker.lastSeen().isAfter(now.minus(FetchedQueues.FETCHED));
	}

}
