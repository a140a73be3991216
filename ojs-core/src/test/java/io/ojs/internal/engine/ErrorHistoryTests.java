package io.ojs.internal.engine;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.ojs.job.ErrorCause;
import io.ojs.job.JobError;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is kept of the errors of a job that fails again and again.
 */
class ErrorHistoryTests {

	private static JobError error(int attempt, String message) {
		return new JobError("io.ojs.TestException", JobError.HANDLER_ERROR, message, attempt,
				OffsetDateTime.parse("2026-03-01T12:00:00Z"), List.of("frame"), Map.of("key", "value"));
	}

	private static List<JobError> history(int attempts) {
		List<JobError> errors = List.of();
		for (int i = 1; i <= attempts; i++) {
			errors = ErrorHistory.add(errors, error(i, "x".repeat(199) + "\ud83d\ude00 " + i));
		}
		return errors;
	}

	@Test
	void eachAttemptHasItsErrorAndOlderOnesAreBrief() {
		List<JobError> errors = history(40);
		assertThat(errors).extracting(JobError::attempt).hasSize(40).isSorted().startsWith(1);
		assertThat(errors.subList(0, 15)).allSatisfy((error) -> {
			assertThat(error.message()).as("no half of a character").isEqualTo("x".repeat(199));
			assertThat(error.backtrace()).isEmpty();
			assertThat(error.details()).isEmpty();
			assertThat(error.code()).isEqualTo(JobError.HANDLER_ERROR);
		});
		assertThat(errors.subList(15, 40)).allSatisfy((error) -> {
			assertThat(error.message()).endsWith(" " + error.attempt());
			assertThat(error.backtrace()).containsExactly("frame");
		});
	}

	@Test
	void lastErrorsKeepTheirCausesAndReadThemBack() {
		List<ErrorCause> causes = List.of(new ErrorCause("java.io.IOException", "reset", List.of("a.B.c(B.java:1)")));
		List<JobError> errors = List.of();
		for (int i = 1; i <= 8; i++) {
			JobError error = error(i, "no luck");
			errors = ErrorHistory.add(errors, new JobError(error.type(), error.code(), error.message(), i,
					error.occurredAt(), error.backtrace(), error.details(), causes));
		}
		assertThat(errors).extracting(JobError::causes)
			.containsExactly(List.of(), List.of(), List.of(), causes, causes, causes, causes, causes);
		JsonText json = new JsonText();
		assertThat(json.readErrors(json.writeErrors(errors))).isEqualTo(errors);
		assertThat(json.readErrors(json.write(List.of(Map.of("type", "T", "code", "C", "message", "m", "attempt", 1,
				"occurred_at", "2026-03-01T12:00:00Z", "causes", List.of(1, Map.of("type", "E", "frames", "none")))))))
			.singleElement()
			.satisfies((error) -> assertThat(error.causes()).containsExactly(new ErrorCause("E", "", List.of())));
	}

	@Test
	void theOldestGoWhenThereAreTooMany() {
		assertThat(history(1010)).extracting(JobError::attempt).hasSize(ErrorHistory.MOST_ERRORS).startsWith(11);
	}

}
