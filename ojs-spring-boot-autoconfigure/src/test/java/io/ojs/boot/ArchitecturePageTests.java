package io.ojs.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the architecture page names is in the code.
 */
class ArchitecturePageTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w+)[.`]");

	private static final Pattern METHOD = Pattern.compile("`(\\w+)\\.(\\w+)`");

	private final String page = read(ROOT.resolve("src/docs/architecture.md"));

	private final String api = read(ROOT.resolve("src/docs/api.md"));

	private final Map<String, String> sources = sources(files());

	/** Without those of internal packages. */
	private final Map<String, String> apiSources = sources(
			files().filter((file) -> !file.getParent().toString().contains("/internal")));

	@Test
	void eachMethodOfTheTenMinutesExists() {
		Matcher rows = Pattern.compile("(?m)^\\| \\d+ \\| .*$")
			.matcher(section(this.page, "## Ten minutes in the code"));
		List<String> steps = rows.results().map((row) -> row.group()).toList();
		assertThat(steps).hasSize(18).allSatisfy((step) -> assertThat(step).containsPattern("`[A-Z]\\w+"));
		assertThat(steps).flatExtracting((step) -> TYPE.matcher(step).results().map((type) -> type.group(1)).toList())
			.isSubsetOf(this.sources.keySet());
		assertThat(steps).flatExtracting((step) -> METHOD.matcher(step).results().toList())
			.allSatisfy((named) -> assertThat(this.sources.getOrDefault(named.group(1), "")).as(named.group())
				.containsPattern("(?m)^\\t[\\w<>@?, .\\[\\]]+ " + named.group(2) + "\\("));
	}

	@Test
	void eachPackageHasItsRow() {
		assertThat(rows(section(this.page, "## Modules"))).containsExactlyInAnyOrderElementsOf(packages());
	}

	@Test
	void thePageOfTheApiHasEachPackageThatIsNotInternal() {
		Set<String> api = packages().stream()
			.filter((name) -> !name.matches(".*\\.internal(\\..*)?|io\\.ojs\\.(benchmark|sample|replay).*"))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(rows(section(this.api, "## Packages"))).containsExactlyInAnyOrderElementsOf(api);
	}

	@Test
	void thePageOfTheApiNamesNoTypeThatIsInternal() {
		Set<String> named = section(this.api, "## Packages").lines()
			.filter((line) -> line.startsWith("| `io.ojs"))
			.flatMap((row) -> Pattern.compile("`@?([A-Z]\\w+)[.`]").matcher(row).results())
			.map((type) -> type.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(named).hasSizeGreaterThan(30).isSubsetOf(this.apiSources.keySet());
	}

	@Test
	void thePageOfTheApiNamesInterfacesThatExist() {
		List<String> named = Stream
			.of("## Interfaces that applications implement", "## Beans that applications replace")
			.flatMap((heading) -> section(this.api, heading).lines())
			.filter((line) -> line.startsWith("| `"))
			.flatMap((row) -> TYPE.matcher(row.split("\\|")[1]).results())
			.map((type) -> type.group(1))
			.toList();
		assertThat(named).hasSizeGreaterThan(15)
			.allSatisfy((name) -> assertThat(this.apiSources.getOrDefault(name, "")).as(name)
				.contains("public interface " + name));
	}

	/**
	 * A row may name several: `io.ojs.x.cron`, `.webhook`, or `io.ojs.x` and `.internal`.
	 */
	private static Set<String> rows(String tables) {
		Set<String> named = new TreeSet<>();
		for (String row : tables.lines().filter((line) -> line.startsWith("| `io.ojs")).toList()) {
			String first = "";
			Matcher names = Pattern.compile("`([\\w.]+)`").matcher(row.split("\\|")[1]);
			while (names.find()) {
				String name = names.group(1);
				String before = name.equals(".internal") ? first
						: first.substring(0, Math.max(0, first.lastIndexOf('.')));
				named.add(name.startsWith(".") ? before + name : name);
				first = name.startsWith(".") ? first : name;
			}
		}
		return named;
	}

	private static Set<String> packages() {
		return files().map((file) -> ROOT.relativize(file.getParent()).toString())
			.map((folder) -> folder.substring(folder.indexOf("/java/") + "/java/".length()).replace('/', '.'))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String section(String page, String title) {
		String rest = page.substring(page.indexOf(title + "\n") + title.length());
		return rest.contains("\n## ") ? rest.substring(0, rest.indexOf("\n## ")) : rest;
	}

	private static Map<String, String> sources(Stream<Path> files) {
		return files.collect(Collectors.toMap((file) -> file.getFileName().toString().replace(".java", ""),
				ArchitecturePageTests::read, (one, other) -> one));
	}

	private static Stream<Path> files() {
		try (Stream<Path> modules = Files.list(ROOT)) {
			return modules.map((module) -> module.resolve("src/main/java"))
				.filter(Files::isDirectory)
				.flatMap(ArchitecturePageTests::walk)
				.filter((file) -> file.toString().endsWith(".java"))
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Path> walk(Path folder) {
		try {
			return Files.walk(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
