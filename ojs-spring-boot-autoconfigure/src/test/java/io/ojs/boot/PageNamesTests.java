package io.ojs.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The classes and members that pages name exist; those for contributors also name files,
 * tables and columns, so that a recipe does not name what was renamed.
 */
class PageNamesTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

	private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

	/** A type, perhaps with a member: {@code JobRow}, {@code JobRowCodec.create(…)}. */
	private static final Pattern TYPE = Pattern
		.compile("@?([A-Z][a-zA-Z0-9]*[a-z][a-zA-Z0-9]*)(?:\\.(\\w+))?(?:[.(].*)?");

	/** A member of an object: {@code this.stores}, {@code .property(…)}. */
	private static final Pattern MEMBER = Pattern.compile("(?:\\w+)?\\.(\\w+)(?:\\(.*\\))?|(\\w+)\\(.*\\)");

	/** Types of others that no source imports, and names that look like types. */
	private static final Set<String> FOREIGN = Set.of("Basic", "Cron", "DataJdbcTest", "EPoll", "Execution", "JsonTest",
			"MockitoBean", "NaN", "Net", "Oban", "Origin", "QueryExecutorImpl", "ResourceLock",
			"StatementCreatorUtils");

	/** A method: {@code find(…)}, {@code page.next()}. */
	private static final Pattern CALLED = Pattern.compile("(?:\\w*\\.)?[a-z]\\w*\\(.*\\)");

	/** There were 1,327 when this was written. */
	private static final int LEAST_NAMES = 1_000;

	private static final Pattern CALL = Pattern.compile("\\b([a-z]\\w*)\\(");

	private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");

	private final Set<String> files = new TreeSet<>();

	/** The sources by the types that they declare. */
	private final Map<String, String> types = new HashMap<>();

	private final String sources = read();

	@TestFactory
	Stream<DynamicTest> eachNameExists() {
		Map<String, Set<String>> pages = new TreeMap<>();
		this.files.stream()
			.filter((file) -> file.matches("(README|CONTRIBUTING|src/docs/(?!queues/).*)\\.md"))
			.forEach((page) -> pages.put(page, checkedNames(page, text(page))));
		assertThat(pages.values().stream().mapToInt(Set::size).sum()).isGreaterThan(LEAST_NAMES);
		return pages.entrySet()
			.stream()
			.map((page) -> DynamicTest.dynamicTest(page.getKey(),
					() -> assertThat(page.getValue()).filteredOn((name) -> !exists(name)).isEmpty()));
	}

	@Test
	void membersAreCheckedOnPagesForUsersToo() {
		assertThat(checkedNames("src/docs/jobs.md", "`enqueueSoon(…)`, `email.send`, `Job.toBuilder()`"))
			.containsExactly("enqueueSoon(…)", "Job.toBuilder()");
		assertThat(exists("enqueueSoon(…)")).isFalse();
		assertThat(exists("Job.toBuilding()")).isFalse();
		assertThat(exists("Job.toBuilder()")).isTrue();
	}

	private static String text(String page) {
		try {
			return Files.readString(ROOT.resolve(page));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** On pages for users, a word without parentheses may be a value or a key. */
	private static Set<String> checkedNames(String page, String text) {
		Set<String> names = names(text);
		if (page.matches("CONTRIBUTING\\.md|src/docs/internals/.*")) {
			names.addAll(javaNames(text));
		}
		else {
			names.removeIf((name) -> !TYPE.matcher(name).matches() && !CALLED.matcher(name).matches());
		}
		return names;
	}

	/**
	 * All that is code in the text, but commands. A call without a type is one of the
	 * type before it.
	 */
	private static Set<String> names(String text) {
		Set<String> names = new LinkedHashSet<>();
		String type = "";
		for (MatchResult code : CODE.matcher(FENCE.matcher(text).replaceAll("")).results().toList()) {
			String name = code.group(1);
			Matcher typed = TYPE.matcher(name);
			type = typed.matches() ? typed.group(1) : type;
			if (name.matches("[^\\s=<>{}/~-][^\\s=<>{}]*") && !name.matches(".*_\\d")) {
				names.add(name.matches("\\.\\w+\\(.*\\)") ? type + name : name);
			}
		}
		return names;
	}

	/** The types and methods that blocks of Java use and do not declare. */
	private static Set<String> javaNames(String text) {
		String code = FENCE.matcher(text)
			.results()
			.filter((block) -> block.group(1).equals("java"))
			.map((block) -> block.group(2).replaceAll("@\\w+|//.*", ""))
			.collect(Collectors.joining());
		Set<String> names = new LinkedHashSet<>();
		Pattern.compile("\\b[A-Z]\\w*[a-z]\\w*\\b").matcher(code).results().forEach((type) -> names.add(type.group()));
		CALL.matcher(code).results().forEach((call) -> names.add(call.group(1)));
		DECLARED.matcher(code).results().forEach((type) -> names.remove(type.group(1)));
		Pattern.compile("void (\\w+)\\(").matcher(code).results().forEach((own) -> names.remove(own.group(1)));
		return names;
	}

	private boolean exists(String name) {
		if (name.contains("/") || name.matches("[\\w…-]+\\.(sql|json|md|xml|java)|ojs-[a-z-]+")) {
			Pattern path = Pattern.compile("(.*/)?" + name.replace(".", "\\.").replace("…", "\\w*"));
			return this.files.stream().anyMatch((file) -> path.matcher(file).matches());
		}
		if (name.startsWith("io.ojs")) {
			return this.files.stream().anyMatch((file) -> file.endsWith("/" + name.replace('.', '/')));
		}
		Matcher type = TYPE.matcher(name);
		if (type.matches()) {
			String source = this.types.getOrDefault(type.group(1), "");
			return source.isEmpty() ? isForeign(type.group(1))
					: type.group(2) == null || declares(source, type.group(2), name);
		}
		Matcher member = MEMBER.matcher(name);
		if (member.matches()) {
			return declares(this.sources, (member.group(1) != null) ? member.group(1) : member.group(2), name);
		}
		return contains(this.sources, name.replace("…", "\\w*"));
	}

	/** With parentheses, it is a method; without, it may be anything. */
	private static boolean declares(String source, String member, String name) {
		return contains(source,
				name.contains("(") ? "\\t(?!return|throw|new|else)[\\w<>@?, .\\[\\]]+ " + member + "(?=\\()" : member);
	}

	private boolean isForeign(String type) {
		if (FOREIGN.contains(type) || contains(this.sources, "import [\\w.]+\\." + type)) {
			return true;
		}
		try {
			return Class.forName("java.lang." + type) != null;
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	private static boolean contains(String source, String name) {
		return Pattern.compile("(?<!\\w)" + name + "\\b").matcher(source).find();
	}

	/**
	 * All sources without comments and migrations, which may name what was renamed.
	 */
	private String read() {
		StringBuilder all = new StringBuilder();
		try {
			Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {

				@Override
				public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
					String name = folder.getFileName().toString();
					if (name.equals("target") || (name.startsWith(".") && !folder.equals(ROOT))) {
						return FileVisitResult.SKIP_SUBTREE;
					}
					PageNamesTests.this.files.add(ROOT.relativize(folder).toString());
					return FileVisitResult.CONTINUE;
				}

				@Override
				public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
					PageNamesTests.this.files.add(ROOT.relativize(file).toString());
					if (file.toString().matches(".*\\.(java|sql|xml)") && !file.toString().contains("/migration/")) {
						String source = Files.readString(file).replaceAll("(?m)^\\s*(/?\\*|//).*$", "");
						all.append(source);
						DECLARED.matcher(source)
							.results()
							.forEach((type) -> PageNamesTests.this.types.merge(type.group(1), source, String::concat));
					}
					return FileVisitResult.CONTINUE;
				}

			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return all.toString();
	}

}
