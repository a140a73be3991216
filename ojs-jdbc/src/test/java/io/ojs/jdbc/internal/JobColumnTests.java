package io.ojs.jdbc.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JobColumnTests {

	/** Otherwise a new column would be read, and always be null. */
	@Test
	void eachColumnIsWrittenByAStatement() {
		List<String> written = Stream
			.of(JobColumn.EVERY, JobColumn.FAILURE, JobColumn.REPLAY, JobColumn.WORKER_WAIT,
					List.of(Column.uuid("workflow_id"), Column.integer("workflow_step")))
			.flatMap(List::stream)
			.map(Column::name)
			.distinct()
			.toList();
		assertThat(Arrays.stream(JobColumn.values()).map((column) -> column.name().toLowerCase(Locale.ROOT)))
			.containsExactlyInAnyOrderElementsOf(written);
	}

}
