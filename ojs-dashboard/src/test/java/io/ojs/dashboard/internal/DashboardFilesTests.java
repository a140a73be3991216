package io.ojs.dashboard.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What all files have in common.
 */
class DashboardFilesTests {

	private static final int LARGEST = 150_000;

	private static final Path SOURCES = Path.of("src/main/resources/io/ojs/dashboard");

	private static final Pattern IMPORT = Pattern.compile("(?:from|import\\()\\s*['\"]([^'\"]+)['\"]");

	private final DashboardFiles files = new DashboardFiles();

	@Test
	void allTogetherAreSmall() {
		int zipped = this.files.all().stream().mapToInt((file) -> file.zipped().length).sum();
		assertThat(zipped).as("bytes of all files, zipped").isBetween(50_000, LARGEST);
	}

	@Test
	void eachSourceIsServed() throws IOException {
		try (Stream<Path> sources = Files.walk(SOURCES)) {
			List<String> all = sources.filter(Files::isRegularFile)
				.map((file) -> SOURCES.relativize(file).toString().replace('\\', '/'))
				.toList();
			assertThat(this.files.all()).extracting(DashboardFile::path).containsExactlyInAnyOrderElementsOf(all);
		}
	}

	@Test
	void importsAreRelativeAndLeadToFiles() {
		for (DashboardFile file : scripts()) {
			List<String> imports = IMPORT.matcher(text(file)).results().map((each) -> each.group(1)).toList();
			assertThat(imports).as(file.path()).allSatisfy((each) -> {
				assertThat(each).startsWith(".").endsWith(".js");
				Path target = Path.of(file.path()).resolveSibling(each).normalize();
				assertThat(this.files.find(target.toString().replace('\\', '/'))).as(each).isNotNull();
			});
		}
	}

	@Test
	void noScriptMakesMarkupOfText() {
		assertThat(scripts().stream().filter((file) -> !file.path().startsWith("vendor/")))
			.allSatisfy((file) -> assertThat(text(file)).as(file.path())
				.doesNotContainPattern(
						"innerHTML|outerHTML|insertAdjacentHTML|document\\.write|unsafeHTML|DOMParser|eval\\(|new Function")
				.doesNotContainPattern("\\sstyle=[\"$]"));
	}

	@Test
	void noFileNamesAnotherHost() {
		assertThat(this.files.all().stream().filter((file) -> !file.path().startsWith("vendor/")))
			.allSatisfy((file) -> assertThat(text(file).replace("http://www.w3.org/2000/svg", "")).as(file.path())
				.doesNotContainPattern("https?://"));
	}

	@Test
	void stylesUseTokensThatExist() {
		String base = text(this.files.find("css/base.css"));
		TreeSet<String> tokens = new TreeSet<>(
				Pattern.compile("(?m)^\\s+(--[\\w-]+):").matcher(base).results().map((each) -> each.group(1)).toList());
		assertThat(this.files.all().stream().filter((file) -> file.path().startsWith("css/")))
			.allSatisfy((file) -> assertThat(Pattern.compile("var\\((--[\\w-]+)\\)")
				.matcher(text(file))
				.results()
				.map((MatchResult each) -> each.group(1))
				.toList()).as(file.path()).isSubsetOf(tokens));
	}

	private List<DashboardFile> scripts() {
		return this.files.all().stream().filter((file) -> file.path().endsWith(".js")).toList();
	}

	private static String text(DashboardFile file) {
		return new String(file.bytes(), StandardCharsets.UTF_8);
	}

}
