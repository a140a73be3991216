package io.ojs.test.assertj;

import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.test.jobs.DrainResult;
import io.ojs.test.jobs.LeftJob;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Assertions about what came of jobs.
 */
class DrainResultAssertTests {

	private static final DrainResult NONE = new DrainResult(0, List.of(), List.of());

	private static Job job(String type, JobState state) {
		return Job.builder("019539a4-b68c-7def-8000-1a2b3c4d5e6f", type, "mails").state(state).build();
	}

	private static DrainResult ran(Job... jobs) {
		return new DrainResult(jobs.length, List.of(jobs), List.of());
	}

	private static ThrowableAssertAlternative<AssertionError> fails(ThrowingCallable assertion) {
		return assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion);
	}

	@Test
	void whatHasCompletedIsSaidWithItsTypes() {
		Job send = job("email.send", JobState.COMPLETED);
		Job print = job("letter.print", JobState.COMPLETED);
		OjsAssertions.assertThat(ran(send, print, send)).hasCompleted("letter.print", "email.send", "email.send");
		fails(() -> OjsAssertions.assertThat(ran(send)).hasCompleted("letter.print"))
			.withMessageContaining("Expected the jobs [letter.print] to complete, but these did:")
			.withMessageContaining("1. email.send [] in queue mails, completed");
		fails(() -> OjsAssertions.assertThat(ran(send)).hasCompleted("email.send", "email.send"));
		fails(() -> OjsAssertions.assertThat(ran(send, send)).hasCompleted("email.send"));
		fails(() -> OjsAssertions.assertThat(ran(send)).hasCompleted());
	}

	@Test
	void whatHasNotCompletedIsAFailure() {
		OjsAssertions.assertThat(NONE).hasNoFailures().hasCompleted();
		OjsAssertions.assertThat(ran(job("email.send", JobState.COMPLETED))).hasNoFailures();
		for (JobState state : List.of(JobState.RETRYABLE, JobState.DISCARDED, JobState.CANCELLED)) {
			fails(() -> OjsAssertions.assertThat(ran(job("email.send", state))).hasNoFailures())
				.withMessageContaining("1 of 1 did not:");
			fails(() -> OjsAssertions.assertThat(ran(job("email.send", state))).hasCompleted("email.send"));
		}
	}

	@Test
	void whereNoneRanTheMessageSaysWhatWaits() {
		fails(() -> OjsAssertions.assertThat(NONE).hasCompleted("email.send"))
			.withMessageMatching("Expected the jobs \\[email.send] to complete, but none ran\\RNo job waits.");
		DrainResult result = new DrainResult(0, List.of(),
				List.of(new LeftJob(job("email.send", JobState.AVAILABLE), "no handler here for type email.send")));
		fails(() -> OjsAssertions.assertThat(result).hasCompleted("email.send"))
			.withMessageMatching("Expected the jobs \\[email.send] to complete, but none ran\\RThese wait:\\R"
					+ "  1\\. email.send \\[] in queue mails, available: no handler here for type email.send");
	}

	@Test
	void whereAJobRanItIsNotEmpty() {
		OjsAssertions.assertThat(NONE).isEmpty();
		fails(() -> OjsAssertions.assertThat(ran(job("email.send", JobState.COMPLETED))).isEmpty())
			.withMessageContaining("Expected no job to run, but these did:")
			.withMessageContaining("1. email.send");
	}

}
