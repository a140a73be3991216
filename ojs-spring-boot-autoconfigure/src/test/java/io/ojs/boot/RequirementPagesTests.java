package io.ojs.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each page that names the tests of a document's requirements has a row for each
 * requirement, and each test that it names exists and carries the requirement's id. Tests
 * are searched in the sources of all modules.
 */
class RequirementPagesTests {

	private static final Pattern ROW = Pattern.compile("\\| ([A-Z]+-R?\\d[\\d.-]*) \\|.*\\| (.*) \\|");

	private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

	/** The ids of each page, all of them, as the document lists them. */
	private static final Map<String, List<String>> PAGES = Map.of("amqp-conformance.md", ids("AMQP-%03d", 32),
			"extension-interactions.md",
			Stream.concat(ids("EI-%03d", 13).stream(), ids("EI-R%03d", 6).stream()).toList(),
			"queue-configuration-conformance.md",
			sections("QC",
					"4:1 5.1:3 5.2:3 5.3:3 6.1:5 6.2:4 6.3:2 6.4:3 6.5:2 7.1:1 7.2:1 7.3:1 8.3:1 8.5:1 9.1:1 "
							+ "10.1:1 10.2:1 11.1:6 11.2:6 11.3:4"),
			"amqp-guide-conformance.md", sections("GUIDE", "1:5 2:6 3:7 4:4 5:2 6:4 7:3"), "playbook-conformance.md",
			sections("PLAY", "1:3 2:3 3:3 4:3 5:3 6:3 7:1 8:6 9:4 10:4"));

	private final Map<String, String> sources = sources();

	@TestFactory
	Stream<DynamicTest> eachRequirementHasItsRow() {
		return PAGES.keySet()
			.stream()
			.map((page) -> DynamicTest.dynamicTest(page, () -> assertThat(rows(page)).extracting((row) -> row.group(1))
				.containsExactlyElementsOf(PAGES.get(page))));
	}

	@TestFactory
	Stream<DynamicTest> eachTestExistsAndCarriesItsId() {
		return PAGES.keySet()
			.stream()
			.flatMap((page) -> rows(page).stream())
			.map((row) -> DynamicTest.dynamicTest(row.group(1), () -> {
				List<MatchResult> tests = TEST.matcher(row.group(2)).results().toList();
				assertThat(tests).isNotEmpty();
				tests.forEach((test) -> assertThat(tags(test.group(1), test.group(2))).as(test.group())
					.contains("@Tag(\"" + row.group(1) + "\")"));
			}));
	}

	@TestFactory
	Stream<DynamicTest> eachIdThatATestCarriesIsOnItsPage() {
		return PAGES.values().stream().map((ids) -> {
			String document = ids.get(0).substring(0, ids.get(0).indexOf('-'));
			Pattern tag = Pattern.compile("@Tag\\(\"(" + document + "-[\\w.-]*)\"\\)");
			return DynamicTest.dynamicTest(document, () -> assertThat(this.sources.values())
				.flatExtracting((source) -> tag.matcher(source).results().map((found) -> found.group(1)).toList())
				.isNotEmpty()
				.isSubsetOf(ids));
		});
	}

	private static List<String> ids(String format, int count) {
		return IntStream.rangeClosed(1, count).mapToObj(format::formatted).toList();
	}

	/** Of a document without ids: its section, and a number in it. */
	private static List<String> sections(String document, String counts) {
		return Stream.of(counts.split(" "))
			.map((section) -> section.split(":"))
			.flatMap((section) -> ids(document + "-" + section[0] + "-%d", Integer.parseInt(section[1])).stream())
			.toList();
	}

	/** The annotations of a test and of its class, and of nothing else. */
	private String tags(String type, String method) {
		String source = this.sources.get(type);
		assertThat(source).as(type).isNotNull();
		Matcher declaration = Pattern.compile("^(abstract )?class " + type + "\\b", Pattern.MULTILINE).matcher(source);
		int end = source.indexOf(" " + method + "(");
		assertThat(end).as(method).isPositive();
		assertThat(declaration.find()).as(type).isTrue();
		String ofClass = source.substring(Math.max(0, source.lastIndexOf("*/", declaration.start())),
				declaration.start());
		return ofClass + source.substring(source.lastIndexOf("\n\n", end), end);
	}

	private static Map<String, String> sources() {
		try (Stream<Path> files = Files.find(Path.of(".."), 20,
				(path, attributes) -> path.toString().contains("/src/test/java/")
						&& path.toString().matches(".*(Tests|Contract)\\.java"))) {
			return files.collect(Collectors.toMap((path) -> path.getFileName().toString().replace(".java", ""),
					RequirementPagesTests::read, (one, other) -> one + other));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path path) {
		try {
			return Files.readString(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Matcher> rows(String page) {
		return read(Path.of("..", "src", "docs", page)).lines().map(ROW::matcher).filter(Matcher::matches).toList();
	}

}
