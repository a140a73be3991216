package io.ojs.internal.worker;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * A worker over HTTP, as it was last seen.
 *
 * @param id its name, 1 to 128 characters
 * @param state the state that it reports
 * @param directive the state that an operator wants it to be in
 * @param firstSeen when it was first seen
 * @param lastSeen when it was last seen, to about five seconds
 * @param activeJobs the number of jobs that it reports to run
 * @param queues the queues that it fetches from
 * @param details other values that it reports, such as {@code hostname} and {@code pid};
 * JSON values
 */
public record KnownWorker(String id, WorkerState state, WorkerState directive, Instant firstSeen, Instant lastSeen,
		int activeJobs, List<String> queues, Map<String, @Nullable Object> details) {

	public KnownWorker {
		queues = List.copyOf(queues);
		details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
	}

	/**
	 * Returns the jobs that the worker can run.
	 * @return the types and versions of its detail {@code handlers}; {@code null} if it
	 * does not report any, and so takes all jobs
	 */
	public @Nullable HandledJobs handled() {
		return HandledJobsJson.read(new JsonFields(this.details, InvalidJobException::new));
	}

	/**
	 * Returns the state that the worker should be in.
	 * @return its own state or that of the operator, whichever is later
	 */
	public WorkerState wanted() {
		return this.state.orLater(this.directive);
	}

}
