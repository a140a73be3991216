package io.ojs.jdbc.internal;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parts of SQL statements that are the same in all databases.
 */
final class Sql {

	private Sql() {
	}

	static String updateOfOne(String table, List<Column> key, List<Column> values) {
		return "update %s set %s where %s".formatted(table, join(values, "%s = ?", ", "), join(key, "%s = ?", " and "));
	}

	static String insertionOfOne(String table, List<Column> columns) {
		return "insert into %s (%s) values (%s)".formatted(table, Column.names(columns), join(columns, "?", ", "));
	}

	static List<Column> concat(List<Column> first, List<Column> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	static String arrays(List<Column> columns) {
		return columns.stream().map((column) -> "?::%s[]".formatted(column.type())).collect(Collectors.joining(", "));
	}

	static String join(List<Column> columns, String format, String delimiter) {
		return columns.stream()
			.map((column) -> format.formatted(column.name(), column.type()))
			.collect(Collectors.joining(delimiter));
	}

}
