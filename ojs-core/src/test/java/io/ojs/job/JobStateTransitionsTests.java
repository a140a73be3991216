package io.ojs.job;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Every pair of states against the table of OJS Core §6.3, and what is beside it of jobs
 * that are handed over: what these list is possible, all else is refused.
 */
class JobStateTransitionsTests {

	/**
	 * The table of OJS Core §6.3, row by row, without those from the initial state; then
	 * those of jobs that are handed over.
	 */
	private static final Set<String> TABLE = Set.of("scheduled -> available", "pending -> available",
			"available -> active", "active -> completed", "active -> retryable", "active -> discarded",
			"active -> cancelled", "active -> available", "retryable -> available", "scheduled -> cancelled",
			"available -> cancelled", "pending -> cancelled", "retryable -> cancelled", "discarded -> available",
			"available -> handed_over", "active -> handed_over", "handed_over -> active", "handed_over -> discarded");

	static Stream<Arguments> pairs() {
		return Arrays.stream(JobState.values())
			.flatMap((from) -> Arrays.stream(JobState.values()).map((to) -> Arguments.of(from, to)));
	}

	@ParameterizedTest(name = "{0} -> {1}")
	@MethodSource("pairs")
	void isPossibleIfAndOnlyIfTheTableListsIt(JobState from, JobState to) {
		boolean listed = TABLE.contains("%s -> %s".formatted(from.wireName(), to.wireName()));
		assertThat(from.canBecome(to)).isEqualTo(listed);
		if (listed) {
			assertThat(from.to(to)).isEqualTo(to);
		}
		else {
			assertThatExceptionOfType(IllegalStateTransitionException.class).isThrownBy(() -> from.to(to))
				.withMessage("A job that is %s cannot become %s.", from.wireName(), to.wireName())
				.satisfies((ex) -> assertThat(ex.from()).isEqualTo(from))
				.satisfies((ex) -> assertThat(ex.to()).isEqualTo(to));
		}
	}

	@Test
	void areAsManyAsTheTableHasRows() {
		assertThat(pairs().filter((pair) -> ((JobState) pair.get()[0]).canBecome((JobState) pair.get()[1])))
			.hasSize(TABLE.size());
	}

	@ParameterizedTest
	@EnumSource(names = { "COMPLETED", "CANCELLED", "DISCARDED", "HANDED_OVER" })
	void endInFourStates(JobState state) {
		assertThat(state.isTerminal()).isTrue();
		assertThat(state.isInitial()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "AVAILABLE", "PENDING" })
	void beginInThreeStates(JobState state) {
		assertThat(state.isInitial()).isTrue();
		assertThat(state.isTerminal()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "ACTIVE", "RETRYABLE" })
	void neitherBeginNorEndInTheOthers(JobState state) {
		assertThat(state.isInitial()).isFalse();
		assertThat(state.isTerminal()).isFalse();
	}

}
