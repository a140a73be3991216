package io.ojs.boot.it;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page that says which test shows which requirement is true.
 */
class ConformancePageTests {

	private static final Pattern ROW = Pattern.compile("\\| (AMQP-\\d{3}) \\|.*\\| (.*) \\|");

	private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

	@Test
	void eachRequirementHasItsRow() throws IOException {
		assertThat(rows().map((row) -> row.group(1)))
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 32).mapToObj("AMQP-%03d"::formatted).toList());
	}

	@TestFactory
	Stream<DynamicTest> eachTestExistsAndCarriesItsId() throws IOException {
		return rows().map((row) -> DynamicTest.dynamicTest(row.group(1), () -> {
			List<Matcher> tests = TEST.matcher(row.group(2)).results().map((found) -> matched(found.group())).toList();
			assertThat(tests).isNotEmpty();
			for (Matcher test : tests) {
				Class<?> type = Class.forName(getClass().getPackageName() + "." + test.group(1));
				Method method = Arrays.stream(type.getDeclaredMethods())
					.filter((candidate) -> candidate.getName().equals(test.group(2)))
					.findFirst()
					.orElseThrow(() -> new AssertionError("There is no test " + test.group()));
				assertThat(Stream
					.concat(Arrays.stream(type.getAnnotationsByType(Tag.class)),
							Arrays.stream(method.getAnnotationsByType(Tag.class)))
					.map(Tag::value)).contains(row.group(1));
			}
		}));
	}

	private static Matcher matched(String text) {
		Matcher matcher = TEST.matcher(text);
		assertThat(matcher.matches()).isTrue();
		return matcher;
	}

	private static Stream<Matcher> rows() throws IOException {
		return Files.readAllLines(Path.of("..", "src", "docs", "amqp-conformance.md"))
			.stream()
			.map(ROW::matcher)
			.filter(Matcher::matches);
	}

}
