package io.ojs.boot;

import java.io.IOException;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.DefaultValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each property has one row in the tables of the pages, with its default, and no row has
 * a property that does not exist.
 */
class PropertyTablesTests {

	private static final Pattern KEY = Pattern.compile("`(ojs\\.[^`]*)`");

	/** The default of a property without one is not in its annotation. */
	private static final String UNKNOWN = "";

	@Test
	void eachPropertyHasOneRowWithItsDefault() throws IOException {
		Map<String, String> properties = new TreeMap<>();
		collect(OjsProperties.class, "ojs.", properties);
		List<Row> rows = rows();
		List<String> named = rows.stream().map(Row::key).toList();
		assertThat(named).doesNotHaveDuplicates();
		assertThat(named).as("properties").isSubsetOf(properties.keySet());
		assertThat(properties.keySet()).as("rows").isSubsetOf(named);
		assertThat(rows).filteredOn((row) -> !properties.get(row.key()).equals(UNKNOWN))
			.allSatisfy((row) -> assertThat(row.value()).as(row.key() + " in " + row.page())
				.isEqualTo(properties.get(row.key())));
	}

	private static void collect(Class<?> record, String prefix, Map<String, String> properties) {
		for (Parameter parameter : record.getDeclaredConstructors()[0].getParameters()) {
			String key = prefix + parameter.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
			Class<?> type = parameter.getType();
			if (type == Map.class) {
				Type value = ((ParameterizedType) parameter.getParameterizedType()).getActualTypeArguments()[1];
				key = key + ".<name>";
				type = (value instanceof Class<?> single) ? single : Object.class;
			}
			if (type.isRecord()) {
				collect(type, key + ".", properties);
			}
			else {
				DefaultValue value = parameter.getAnnotation(DefaultValue.class);
				properties.put(single(key), (value != null) ? String.join(", ", value.value()) : UNKNOWN);
			}
		}
	}

	/** Where the same properties exist for one and for all, pages name those of one. */
	private static String single(String key) {
		return key.replace("ojs.queue-defaults.", "ojs.queues.<name>.")
			.replace("ojs.tenancy.limits.", "ojs.tenancy.tenants.<name>.");
	}

	/** The rows of all tables of which the second column is the default. */
	private static List<Row> rows() throws IOException {
		List<Row> rows = new ArrayList<>();
		try (Stream<Path> pages = Files.list(Path.of("..", "src", "docs"))) {
			for (Path page : pages.filter((each) -> each.toString().endsWith(".md")).toList()) {
				boolean table = false;
				for (String line : Files.readAllLines(page)) {
					String[] cells = line.split(" *\\| *", -1);
					table = line.startsWith("|") && (table || cells[2].equals("default"));
					if (table) {
						KEY.matcher(cells[1])
							.results()
							.map((match) -> single(match.group(1).replaceAll("<[^>]+>", "<name>")))
							.forEach((key) -> rows
								.add(new Row(page.getFileName().toString(), key, cells[2].replaceAll("^none$|`", ""))));
					}
				}
			}
		}
		return rows;
	}

	/**
	 * A row.
	 *
	 * @param page the page
	 * @param key the property
	 * @param value the default
	 */
	record Row(String page, String key, String value) {
	}

}
