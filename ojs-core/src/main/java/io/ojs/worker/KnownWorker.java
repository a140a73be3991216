package io.ojs.worker;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.HandledJobs;
import io.ojs.job.InvalidJobException;
import io.ojs.json.JsonFields;
import org.jspecify.annotations.Nullable;

/**
 * A worker that fetches jobs, as it was last heard of.
 *
 * @param id what it calls itself, 1 to 128 characters
 * @param state the state that it says it is in
 * @param directive the state that an operator wants it to be in
 * @param firstSeen when it was first heard of
 * @param lastSeen when it was last heard of, to about five seconds
 * @param activeJobs how many jobs it said it runs
 * @param queues the queues that it fetches from
 * @param details what else it says of itself, such as {@code hostname} and {@code pid};
 * JSON values
 */
public record KnownWorker(String id, WorkerState state, WorkerState directive, Instant firstSeen, Instant lastSeen,
		int activeJobs, List<String> queues, Map<String, @Nullable Object> details) {

	public KnownWorker {
		queues = List.copyOf(queues);
		details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
	}

	/**
	 * Which jobs it says it can run.
	 * @return the types and versions of its detail {@code handlers}; {@code null} if it
	 * does not say, and so takes all
	 */
	public @Nullable HandledJobs handled() {
		return HandledJobsJson.read(new JsonFields(this.details, InvalidJobException::new));
	}

	/**
	 * The state that it should be in.
	 * @return what it says or what an operator wants, whichever is nearer to the end
	 */
	public WorkerState wanted() {
		return this.state.orLater(this.directive);
	}

}
