package io.ojs.internal.inspect;

import java.time.Instant;

import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The limit that a job waits for, and its place among the jobs that wait.
 *
 * @param scope what the limit belongs to
 * @param name the key of a job's limit, with its tenant; else the queue or the tenant
 * @param limit the limit; {@code null} if the job no longer has it
 * @param running how many jobs run under it, of all tenants that share it
 * @param place the place in the line, from 1; 0 if it is not among the first
 * {@link InspectionStore#COUNTED}; negative if the queue of the job is paused, so that
 * others pass it
 * @param until when the limit has room for a start again; {@code null} if that depends on
 * the end of other jobs
 */
public record LimitWait(Scope scope, String name, @Nullable RateLimit limit, long running, int place,
		@Nullable Instant until) {

	/**
	 * What a limit belongs to.
	 */
	public enum Scope {

		/** The key that the job names. */
		KEY,

		/** The queue of the job. */
		QUEUE,

		/** The tenant of the job. */
		TENANT

	}

}
