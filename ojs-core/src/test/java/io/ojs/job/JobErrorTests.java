package io.ojs.job;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The error of an attempt.
 */
class JobErrorTests {

	@Test
	void typeHasNoNulWhichADatabaseWouldNotTake() {
		JobError error = new JobError("io.ojs.\0Exception\0", JobError.HANDLER_ERROR, "x", 1,
				OffsetDateTime.parse("2026-03-01T12:00:00Z"), List.of(), Map.of());
		assertThat(error.type()).isEqualTo("io.ojs.\ufffdException\ufffd");
	}

}
