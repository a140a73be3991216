package io.ojs.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page that says which test shows what comes of two extensions at once. Tests are
 * looked for in the sources of all modules.
 */
class InteractionsPageTests {

	private static final Pattern ROW = Pattern.compile("\\| (EI-R?\\d{3}) \\|.*\\| (.*) \\|");

	private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

	@TestFactory
	Stream<DynamicTest> eachTestExistsAndCarriesItsId() throws IOException {
		Map<String, String> sources = sources();
		return rows().map((row) -> DynamicTest.dynamicTest(row.group(1), () -> {
			List<Matcher> tests = TEST.matcher(row.group(2)).results().map((found) -> matched(found.group())).toList();
			assertThat(tests).isNotEmpty();
			tests.forEach((test) -> assertThat(tags(sources.get(test.group(1)), test.group(2))).as(test.group())
				.contains("@Tag(\"" + row.group(1) + "\")"));
		}));
	}

	@Test
	void eachIdThatATestCarriesIsOnThePage() throws IOException {
		List<String> there = rows().map((row) -> row.group(1)).toList();
		assertThat(sources().values())
			.flatExtracting((source) -> Pattern.compile("@Tag\\(\"(EI-R?\\d{3})\"\\)")
				.matcher(source)
				.results()
				.map((match) -> match.group(1))
				.toList())
			.isNotEmpty()
			.isSubsetOf(there);
		assertThat(there).isSortedAccordingTo((one, other) -> Boolean.compare(one.contains("R"), other.contains("R")))
			.doesNotHaveDuplicates();
	}

	/** The annotations of a test, and of nothing else. */
	private static String tags(String source, String method) {
		assertThat(source).isNotNull();
		int end = source.indexOf(" " + method + "(");
		assertThat(end).isPositive();
		return source.substring(source.lastIndexOf("\n\n", end), end);
	}

	private static Map<String, String> sources() throws IOException {
		try (Stream<Path> files = Files.find(Path.of(".."), 20,
				(path, attributes) -> path.toString().contains("/src/test/java/")
						&& path.toString().matches(".*(Tests|Contract)\\.java"))) {
			return files.collect(Collectors.toMap((path) -> path.getFileName().toString().replace(".java", ""),
					InteractionsPageTests::read, (one, other) -> one + other));
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

	private static Matcher matched(String text) {
		Matcher matcher = TEST.matcher(text);
		assertThat(matcher.matches()).isTrue();
		return matcher;
	}

	private static Stream<Matcher> rows() throws IOException {
		return Files.readAllLines(Path.of("..", "src", "docs", "extension-interactions.md"))
			.stream()
			.map(ROW::matcher)
			.filter(Matcher::matches);
	}

}
