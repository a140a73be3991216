package io.ojs.worker;

import org.jspecify.annotations.Nullable;

/**
 * The run of a job, as its worker refers to it. What it leaves out is not checked.
 *
 * @param jobId the id of the job
 * @param worker who runs it, if it says
 * @param attempt which attempt it is, from 1, if it says
 */
public record RunReference(String jobId, @Nullable String worker, @Nullable Integer attempt) {

	/**
	 * The run that there is, whoever has it.
	 * @param jobId the id of the job
	 * @return the reference
	 */
	public static RunReference of(String jobId) {
		return new RunReference(jobId, null, null);
	}

}
