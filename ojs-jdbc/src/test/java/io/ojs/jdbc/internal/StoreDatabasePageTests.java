package io.ojs.jdbc.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.ojs.jdbc.internal.schema.StoreSchema;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about the database names all that the schema creates.
 */
class StoreDatabasePageTests {

	private static final Pattern CODE = Pattern.compile("`([^`]*)`");

	private static String page() throws IOException {
		return Files.readString(Path.of("../src/docs/store-database.md"));
	}

	private static JdbcTemplate schema() {
		DataSource dataSource = new DriverManagerDataSource("jdbc:h2:mem:page;DB_CLOSE_DELAY=-1");
		new StoreSchema(dataSource).migrate();
		return new JdbcTemplate(dataSource);
	}

	private static Stream<Table> tables() {
		Map<String, List<String>> columns = new TreeMap<>();
		schema().query("select lower(table_name), lower(column_name) from information_schema.columns "
				+ "where table_name like 'OJS%' order by ordinal_position", (row) -> {
					columns.computeIfAbsent(row.getString(1), (table) -> new ArrayList<>()).add(row.getString(2));
				});
		return columns.entrySet().stream().map((table) -> new Table(table.getKey(), table.getValue()));
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
		assertThat(indexes()).isNotEmpty().allSatisfy((index) -> assertThat(named).contains(index));
	}

	/** Those that scripts name. */
	private static List<String> indexes() {
		try (PostgresDatabase database = PostgresServer.shared().newDatabase()) {
			DataSource dataSource = new DriverManagerDataSource(database.url(), database.username(),
					database.password());
			new StoreSchema(dataSource).migrate();
			return new JdbcTemplate(dataSource).queryForList(
					"select indexname from pg_indexes where tablename like 'ojs%' and indexname not like '%\\_pk'",
					String.class);
		}
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
