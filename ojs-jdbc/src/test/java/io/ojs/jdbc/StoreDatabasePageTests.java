package io.ojs.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about the database names all that the schema creates.
 */
class StoreDatabasePageTests {

	private static final Pattern TABLE = Pattern.compile("create table if not exists (\\w+) \\((.*?)\\n\\)",
			Pattern.DOTALL);

	private static final Pattern COLUMN = Pattern.compile("\\n  (?!constraint )(\\w+) ");

	private static final Pattern INDEX = Pattern.compile("create (?:unique )?index if not exists (\\w+) on");

	private static final Pattern CODE = Pattern.compile("`([^`]*)`");

	private static String page() throws IOException {
		return Files.readString(Path.of("../src/docs/store-database.md"));
	}

	private static String schema() throws IOException {
		try (InputStream in = StoreSchema.class.getResourceAsStream("migration/postgresql/V1__baseline.sql")) {
			return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	private static Stream<Table> tables() throws IOException {
		return TABLE.matcher(schema())
			.results()
			.map((table) -> new Table(table.group(1),
					COLUMN.matcher(table.group(2)).results().map((column) -> column.group(1)).toList()));
	}

	/** The rows of tables that begin with a name, and all that is code in them. */
	private static List<String> code(String text) {
		return CODE.matcher(text).results().map((code) -> code.group(1)).toList();
	}

	@ParameterizedTest
	@MethodSource("tables")
	void eachColumnOfEachTableIsThere(Table table) throws IOException {
		assertThat(table.columns()).isNotEmpty();
		List<String> rows = new ArrayList<>(
				page().lines().filter((line) -> line.startsWith("| `" + table.name() + "` |")).toList());
		assertThat(rows).as("what is in it").isNotEmpty();
		if (table.name().equals("ojs_job")) {
			rows = page().lines()
				.dropWhile((line) -> !line.startsWith("| column of `ojs_job` |"))
				.takeWhile((line) -> line.startsWith("|"))
				.toList();
		}
		assertThat(code(String.join("\n", rows))).containsAll(table.columns());
	}

	@Test
	void eachIndexIsThere() throws IOException {
		List<String> named = code(page()).stream().map((code) -> code.replaceAll(" .*", "")).toList();
		assertThat(INDEX.matcher(schema()).results().map((index) -> index.group(1)).toList()).isNotEmpty()
			.allSatisfy((index) -> assertThat(named).contains(index));
	}

	/**
	 * What the schema creates.
	 *
	 * @param name the name
	 * @param columns the names of its columns
	 */
	record Table(String name, List<String> columns) {
	}

}
