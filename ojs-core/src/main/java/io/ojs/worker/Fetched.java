package io.ojs.worker;

import java.util.List;

import io.ojs.job.Job;
import io.ojs.store.StoredJob;

/**
 * What a worker has fetched, and what became of other jobs meanwhile.
 *
 * @param jobs the worker's jobs, in the order in which they were taken
 * @param enqueued jobs that were scheduled and are due
 * @param ended jobs that became dead letters
 */
public record Fetched(List<FetchedJob> jobs, List<Job> enqueued, List<StoredJob> ended) {

	/** There was nothing to fetch. */
	public static final Fetched NOTHING = new Fetched(List.of(), List.of(), List.of());

	public Fetched {
		jobs = List.copyOf(jobs);
		enqueued = List.copyOf(enqueued);
		ended = List.copyOf(ended);
	}

}
