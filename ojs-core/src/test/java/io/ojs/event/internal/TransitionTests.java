package io.ojs.event.internal;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of transitions against that of OJS Core §6.3.
 */
class TransitionTests {

	/** The table of OJS Core §6.3, row by row, without those from the initial state. */
	private static final Set<String> OJS = Set.of("scheduled -> available", "pending -> available",
			"available -> active", "active -> completed", "active -> retryable", "active -> discarded",
			"active -> cancelled", "active -> available", "retryable -> available", "scheduled -> cancelled",
			"available -> cancelled", "pending -> cancelled", "retryable -> cancelled", "discarded -> available");

	/**
	 * Those that OJS Core does not have: handing over, adoption, limits, expiry, and a
	 * claim that needs no step in between.
	 */
	private static final Set<String> MORE = Set.of("available -> handed_over", "active -> handed_over",
			"handed_over -> active", "handed_over -> available", "handed_over -> scheduled", "handed_over -> discarded",
			"pending -> active", "retryable -> active", "active -> active", "scheduled -> scheduled",
			"pending -> scheduled", "available -> scheduled", "retryable -> scheduled", "active -> scheduled",
			"scheduled -> discarded", "pending -> discarded", "available -> discarded", "retryable -> discarded");

	@Test
	void leadWhereOjsSaysAndWhereThisListSays() {
		Set<String> pairs = Arrays.stream(Transition.values())
			.flatMap((transition) -> transition.from()
				.stream()
				.map((from) -> from.wireName() + " -> " + transition.to().wireName()))
			.collect(Collectors.toSet());
		assertThat(pairs).containsExactlyInAnyOrderElementsOf(Stream.concat(OJS.stream(), MORE.stream()).toList());
	}

	@Test
	void beginInTheInitialStates() {
		assertThat(Arrays.stream(Transition.values())
			.filter((transition) -> transition.from().isEmpty())
			.map(Transition::to)
			.collect(Collectors.toSet()))
			.isEqualTo(Arrays.stream(JobState.values()).filter(JobState::isInitial).collect(Collectors.toSet()));
	}

	@Test
	void noneLeadsFromCompletedOrCancelled() {
		assertThat(Transition.values()).noneMatch((transition) -> transition.from().contains(JobState.COMPLETED)
				|| transition.from().contains(JobState.CANCELLED));
	}

}
