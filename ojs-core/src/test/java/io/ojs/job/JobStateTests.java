package io.ojs.job;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What states are called in JSON, and which are the first and the last (OJS Core §6.1).
 */
class JobStateTests {

	@Test
	void areTheEightOfTheSpecificationAndOneMore() {
		assertThat(Arrays.stream(JobState.values()).map(JobState::wireName)).containsExactlyInAnyOrder("scheduled",
				"available", "pending", "active", "completed", "retryable", "cancelled", "discarded", "handed_over");
	}

	@ParameterizedTest
	@EnumSource
	void areReadAsTheyAreWritten(JobState state) {
		assertThat(JobState.fromWire(state.wireName())).isEqualTo(state);
	}

	@Test
	void doNotDependOnTheLanguageOfTheMachine() {
		Locale before = Locale.getDefault();
		Locale.setDefault(Locale.forLanguageTag("tr"));
		try {
			// In Turkish the small letter of I has no dot.
			assertThat(JobState.ACTIVE.wireName()).isEqualTo("active");
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void includeAnOlderWordForDiscarded() {
		assertThat(JobState.fromWire("dead")).isEqualTo(JobState.DISCARDED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "AVAILABLE", "Available", "running", "failed", "available " })
	void areNothingElse(String name) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobState.fromWire(name))
			.withMessageContainingAll("'state'", "scheduled", "discarded", '"' + name + '"')
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("state"));
	}

	@ParameterizedTest
	@EnumSource
	void fourAreTerminalAndThreeInitial(JobState state) {
		assertThat(state.isTerminal())
			.isEqualTo(Set.of("completed", "cancelled", "discarded", "handed_over").contains(state.wireName()));
		assertThat(state.isInitial()).isEqualTo(Set.of("scheduled", "available", "pending").contains(state.wireName()));
	}

}
