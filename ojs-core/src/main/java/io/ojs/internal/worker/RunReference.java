package io.ojs.internal.worker;

import org.jspecify.annotations.Nullable;

/**
 * The run of a job, as its worker names it. Values that are {@code null} are not checked.
 *
 * @param jobId the id of the job
 * @param worker the name of the worker, if it sends one
 * @param attempt the attempt, from 1, if the worker sends it
 */
public record RunReference(String jobId, @Nullable String worker, @Nullable Integer attempt) {

	/** Refers to the current run of a job, of any worker. */
	public static RunReference of(String jobId) {
		return new RunReference(jobId, null, null);
	}

}
