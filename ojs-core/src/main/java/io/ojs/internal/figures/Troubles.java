package io.ojs.internal.figures;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What the job store knows beside numbers of jobs, and operators should know. Each list
 * is bounded.
 *
 * @param workedQueues the queues that a process with this store takes
 * @param limits the limits that jobs wait for
 * @param processes the processes that work jobs
 * @param crons the crons whose last run failed
 * @param operations the operations that have not ended
 * @param fresh the new dead letters of each queue that has any
 */
public record Troubles(Set<String> workedQueues, List<FullLimit> limits, List<Process> processes,
		List<FailedCron> crons, List<Operation> operations, List<Fresh> fresh) {

	/**
	 * A limit that jobs wait for: one that jobs name, that of a tenant or that of a
	 * queue.
	 *
	 * @param key the limit that jobs name; {@code null} for that of a tenant or queue
	 * @param tenant the tenant whose limit it is; {@code null} for another limit
	 * @param queue the queue of the first job in line, or the queue whose limit it is
	 * @param since since when the first job in line waits
	 */
	public record FullLimit(@Nullable String key, @Nullable String tenant, String queue, Instant since) {
	}

	/**
	 * A process that works jobs and has not said that it ends.
	 *
	 * @param seenAt when it last reported
	 */
	public record Process(String name, Instant seenAt) {
	}

	/**
	 * A cron whose last run failed.
	 *
	 * @param at the time of the run
	 * @param jobId its job; {@code null} if it enqueued none
	 * @param reason why: the type of the job's error, or why no job was enqueued
	 */
	public record FailedCron(String name, Instant at, @Nullable String jobId, String reason) {
	}

	/**
	 * An operation on many jobs.
	 *
	 * @param matched how many jobs it is to change; {@code null} if that is not known
	 */
	public record Operation(String id, String action, String state, @Nullable String tenant, @Nullable String askedBy,
			@Nullable Long matched, long done, Instant createdAt) {
	}

	/**
	 * Dead letters of the last time.
	 *
	 * @param count up to a bound
	 * @param firstAt when the first of them became a dead letter
	 */
	public record Fresh(String queue, long count, Instant firstAt) {
	}

}
