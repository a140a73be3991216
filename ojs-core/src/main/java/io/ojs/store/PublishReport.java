package io.ojs.store;

import java.util.Map;
import java.util.Set;

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

}
