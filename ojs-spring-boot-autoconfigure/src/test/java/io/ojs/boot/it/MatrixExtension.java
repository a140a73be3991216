package io.ojs.boot.it;

import java.util.List;
import java.util.function.Supplier;

import io.ojs.job.JobRequest;

/**
 * An extension as a cell of the matrix uses it: what an application says to have it, what
 * jobs say, how they are begun, and what it must have done in the end.
 */
interface MatrixExtension {

	/** Properties and beans of the application. */
	default void configure(Application.Starter starter) {
		// Nothing, if jobs alone use it.
	}

	/** What a job says. */
	default JobRequest request(JobRequest request) {
		return request;
	}

	/** How jobs are begun; the other extension of the cell may have its own way. */
	default Begin begin(MatrixCell cell, Begin inner) {
		return inner;
	}

	/**
	 * What it must have done.
	 * @param cell has had a job that works, one that recovers and one that dies
	 */
	void verify(MatrixCell cell);

	/**
	 * Has jobs run.
	 */
	interface Begin {

		/**
		 * Begins jobs.
		 * @return waits until the jobs are there, and gives their ids, in the order of
		 * the requests
		 */
		Supplier<List<String>> of(List<JobRequest> requests);

	}

}
