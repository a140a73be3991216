package io.ojs.internal.inspect;

import java.util.List;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.JobError;

/**
 * What the store knows of the past of a job.
 *
 * @param row its row
 * @param errors the errors of its attempts, the oldest first
 * @param events its events that were found in the feed, in their order
 */
public record JobHistory(JobRow row, List<JobError> errors, List<PastEvent> events) {

	public JobHistory {
		errors = List.copyOf(errors);
		events = List.copyOf(events);
	}

}
