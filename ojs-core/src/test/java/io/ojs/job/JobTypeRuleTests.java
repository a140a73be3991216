package io.ojs.job;

import io.ojs.job.internal.JobRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a job's type may be (OJS Core §5.1), and hyphens, which the public conformance
 * cases use though the pattern has none.
 */
class JobTypeRuleTests {

	@ParameterizedTest
	@ValueSource(strings = { "a", "email.send", "data.etl.transform", "cleanup.old_data", "x1.y2_", "noop",
			"retry.test.attempt-counter", "retry.test.exhaust-to-dlq" })
	void takesDotSeparatedSegments(String type) {
		assertThat(JobRules.type(type)).isEqualTo(type);
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "Email.Send", "email send", "1email.send", "email@send!", ".send", "email.", "email..send",
			"email.1send", "-email", "email.-send", "_email", "émail.send", "email.send\n", " email.send",
			"email.\u017fend", "email/send" })
	void refusesAllElse(String type) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.type(type))
			.withMessageContainingAll("'type'", "email.send")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("type"));
	}

	@Test
	void takesUpTo255Characters() {
		String longest = "a".repeat(255);
		assertThat(JobRules.type(longest)).isEqualTo(longest);
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.type(longest + "a"))
			.withMessageContaining("at most 255 characters");
	}

	@Test
	void showsOnlyTheBeginningOfWhatItRefuses() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.type("!".repeat(100_000)))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(500));
	}

}
