package io.ojs.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about workers in other languages shows the programs that
 * {@code ForeignWorkerTests} runs.
 */
class ForeignWorkersPageTests {

	@ParameterizedTest
	@ValueSource(strings = { "worker.py", "worker.go" })
	void thePageShowsTheProgram(String program) throws IOException {
		String source = Files.readString(Path.of("src", "test", "foreign", program));
		assertThat(Files.readString(Path.of("..", "src", "docs", "foreign-workers.md")))
			.contains("\n" + source + "```");
	}

}
