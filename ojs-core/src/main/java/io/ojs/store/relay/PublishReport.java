package io.ojs.store.relay;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What became of jobs that were to be published.
 *
 * @param confirmed the ids of those that the broker has
 * @param refused why their queue or the broker did not take others, by their ids, for
 * people to read: any other job of the queue would have been refused as well
 * @param failed why others cannot be published, by their ids, for people to read: for a
 * reason of their own, such as a property that AMQP cannot carry. One that is in none of
 * these was not confirmed, for a reason that is not known
 */
public record PublishReport(Set<String> confirmed, Map<String, String> refused, Map<String, String> failed) {

	/** Nothing was published. */
	public static final PublishReport NOTHING = new PublishReport(Set.of(), Map.of(), Map.of());

	public PublishReport {
		confirmed = Set.copyOf(confirmed);
		refused = Map.copyOf(refused);
		failed = Map.copyOf(failed);
	}

	/**
	 * What the broker has, by the queues that it was published to.
	 * @param jobs what was published
	 * @return the ids of those that are confirmed, each with its
	 * {@link RelayedJob#until()}
	 */
	Map<String, Map<String, Instant>> confirmedByQueue(List<RelayedJob> jobs) {
		return jobs.stream()
			.filter((job) -> this.confirmed.contains(job.id()))
			.collect(Collectors.groupingBy(RelayedJob::queue, Collectors.toMap(RelayedJob::id, RelayedJob::until)));
	}

}
