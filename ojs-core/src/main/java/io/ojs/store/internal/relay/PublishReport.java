package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The result of publishing jobs. A job that is in none of the three was not confirmed,
 * for an unknown reason.
 *
 * @param confirmed the ids of jobs that the broker has
 * @param refused the reasons, by job id, why the queue or the broker refused jobs, for
 * people to read; it would have refused any other job of the queue as well
 * @param failed the reasons, by job id, why jobs cannot be published, for people to read;
 * they concern this job alone, such as a property that AMQP cannot carry
 */
public record PublishReport(Set<String> confirmed, Map<String, String> refused, Map<String, String> failed) {

	/** No job was published. */
	public static final PublishReport NOTHING = new PublishReport(Set.of(), Map.of(), Map.of());

	public PublishReport {
		confirmed = Set.copyOf(confirmed);
		refused = Map.copyOf(refused);
		failed = Map.copyOf(failed);
	}

	/**
	 * Returns the confirmed jobs by queue.
	 * @return the ids of confirmed jobs, each with its {@link RelayedJob#until()}
	 */
	Map<String, Map<String, Instant>> confirmedByQueue(List<RelayedJob> jobs) {
		return jobs.stream()
			.filter((job) -> this.confirmed.contains(job.id()))
			.collect(Collectors.groupingBy(RelayedJob::queue, Collectors.toMap(RelayedJob::id, RelayedJob::until)));
	}

}
