package io.ojs.store;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What became of jobs that were to be published.
 *
 * @param confirmed the ids of those that the broker has
 * @param reasons why it does not have others, by their ids, for people to read; one that
 * is in neither was not confirmed, for a reason that is not known
 */
public record PublishReport(Set<String> confirmed, Map<String, String> reasons) {

	/** Nothing was published. */
	public static final PublishReport NOTHING = new PublishReport(Set.of(), Map.of());

	public PublishReport {
		confirmed = Set.copyOf(confirmed);
		reasons = Map.copyOf(reasons);
	}

	/**
	 * What the broker has, by the queues that it was published to.
	 * @param jobs what was published
	 * @return the ids of those that are confirmed
	 */
	Map<String, List<String>> confirmedByQueue(List<RelayedJob> jobs) {
		return jobs.stream()
			.filter((job) -> this.confirmed.contains(job.id()))
			.collect(Collectors.groupingBy(RelayedJob::queue, Collectors.mapping(RelayedJob::id, Collectors.toList())));
	}

}
