package io.ojs.job;

import io.ojs.job.internal.JobRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a queue may be called (OJS Core §5.1), and the names that would meet queues of the
 * binding.
 */
class QueueNameRuleTests {

	@ParameterizedTest
	@ValueSource(strings = { "default", "email", "retry-test", "a.b.c", "9", "eu-west-1.mail", "dlx", "retry",
			"control", "delay", "dlxemail", "email.dlx.x", "retry-queue.x" })
	void takesLowerCaseLettersDigitsDotsAndHyphens(String queue) {
		assertThat(JobRules.queue(queue)).isEqualTo(queue);
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "Default", "my_queue!", "my_queue", "-invalid", ".invalid", "my queue", "queue/a", "é",
			"queue\n", "*", "email.#!" })
	void refusesAllElse(String queue) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.queue(queue))
			.withMessageContainingAll("'queue'", "lower-case letters")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("queue"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "dlx.", "retry.", "control.", "delay." })
	void refusesNamesOfQueuesThatTheBindingKeepsBesideAJobQueue(String prefix) {
		// The AMQP queue of "dlx.email" would be the dead letter queue of "email".
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.queue(prefix + "email"))
			.withMessageContainingAll("must not begin with '" + prefix + "'", prefix + "email");
	}

	@Test
	void takesUpTo128Characters() {
		String longest = "q".repeat(128);
		assertThat(JobRules.queue(longest)).isEqualTo(longest);
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.queue(longest + "q"))
			.withMessageContaining("at most 128 characters");
	}

}
