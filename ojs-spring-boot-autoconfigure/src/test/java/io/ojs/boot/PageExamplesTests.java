package io.ojs.boot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of the pages are what an application can have: Java compiles, and each key
 * of YAML is a property that takes the value. The comment {@code <!-- fragment -->}
 * before a block leaves it out.
 */
class PageExamplesTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern BLOCK = Pattern
		.compile("(?m)(<!-- fragment -->\\n)?^```(java|yaml)\\n((?:(?!```).*\\n)*)```$");

	private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```$");

	/** A statement, an annotation or a property in an indented block. */
	private static final Pattern INDENTED = Pattern
		.compile("(?m)^    (?:@[A-Z]\\w+|.*\\);|(?:ojs|spring|management)\\.[\\w.\\[\\]-]+=).*$");

	/** Packages whose types examples use without an import. */
	private static final String PACKAGES = """
			io.ojs io.ojs.amqp io.ojs.amqp.deadletter io.ojs.boot io.ojs.client io.ojs.cron io.ojs.crypto
			io.ojs.deadletter io.ojs.event io.ojs.handler io.ojs.job io.ojs.middleware io.ojs.queue io.ojs.retry
			io.ojs.store io.ojs.tenant io.ojs.test.boot io.ojs.test.broker io.ojs.test.internal.database
			io.ojs.test.internal.fault io.ojs.test.jobs io.ojs.web io.ojs.webhook io.ojs.workflow java.math
			java.nio.charset java.security java.time java.util javax.crypto javax.crypto.spec javax.net
			com.rabbitmq.client org.jspecify.annotations org.junit.jupiter.api
			org.springframework.beans.factory.annotation org.springframework.boot
			org.springframework.boot.amqp.autoconfigure org.springframework.boot.autoconfigure
			org.springframework.boot.jdbc org.springframework.boot.test.context
			org.springframework.context.annotation org.springframework.context.i18n
			org.springframework.jdbc.core org.springframework.jdbc.datasource
			org.springframework.security.config org.springframework.security.config.annotation.web.builders
			org.springframework.security.web org.springframework.stereotype
			org.springframework.test.context.bean.override.mockito org.springframework.transaction.annotation
			""";

	/** On one line, so that the lines of a block keep their numbers. */
	private static final String IMPORTS = "import static org.assertj.core.api.Assertions.*; "
			+ "import static io.ojs.test.assertj.OjsAssertions.*; import static org.mockito.Mockito.*; "
			+ "import javax.sql.DataSource; import org.springframework.context.event.EventListener; "
			+ PACKAGES.strip().replaceAll("([\\w.]+)\\s*", "import $1.*; ");

	private static final Map<ConfigurationPropertyName, String> METADATA = metadata();

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	@Test
	void javaCompiles(@TempDir Path classes) {
		List<Example> examples = examples("java");
		DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
		COMPILER
			.getTask(null, null, found, List.of("--release", "17", "-proc:none", "-d", classes.toString()), null,
					examples.stream().map(PageExamplesTests::compilable).toList())
			.call();
		assertThat(found.getDiagnostics()).filteredOn((each) -> each.getKind() == Diagnostic.Kind.ERROR)
			.extracting((error) -> ((Source) error.getSource()).place(error.getLineNumber()) + ": "
					+ error.getMessage(null))
			.isEmpty();
		assertThat(examples.size()).isGreaterThan(40);
	}

	@Test
	void noneIsIndented() {
		List<String> found = new ArrayList<>();
		pages().forEach((page, text) -> INDENTED.matcher(FENCE.matcher(text).replaceAll(""))
			.results()
			.forEach((line) -> found.add(page + ": " + line.group())));
		assertThat(found).isEmpty();
	}

	@TestFactory
	Stream<DynamicTest> yamlIsBound() {
		List<Example> examples = examples("yaml");
		assertThat(examples.size()).isGreaterThan(20);
		return examples.stream().map((example) -> DynamicTest.dynamicTest(example.place(0), () -> {
			Map<String, Object> properties = properties(example);
			assertThat(properties).isNotEmpty();
			assertThat(misfits(properties)).isEmpty();
			new ApplicationContextRunner().withUserConfiguration(Properties.class)
				.withPropertyValues(properties.entrySet().stream().map(Object::toString).toArray(String[]::new))
				.run((context) -> assertThat(context).hasNotFailed());
		}));
	}

	@Test
	void keysAndValuesOfSpringBootAreChecked() {
		assertThat(misfits(Map.of("spring.datasource.url", "jdbc:h2:mem:", "management.endpoint.ojs.access",
				"unrestricted", "spring.datasource.hikari.data-source-properties.socketTimeout", 30)))
			.isEmpty();
		assertThat(misfits(Map.of("spring.datasource.ulr", "jdbc:h2:mem:"))).hasSize(1);
		assertThat(misfits(Map.of("spring.datasource.hikari.connection-timeout", "soon"))).hasSize(1);
		assertThat(misfits(Map.of("management.endpoint.ojs.access", "all"))).hasSize(1);
	}

	private static Map<String, Object> properties(Example example) throws IOException {
		Map<String, Object> values = new TreeMap<>();
		for (PropertySource<?> source : new YamlPropertySourceLoader().load("page",
				new ByteArrayResource(example.code().getBytes(StandardCharsets.UTF_8)))) {
			for (String key : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
				values.put(key, String.valueOf(source.getProperty(key)));
			}
		}
		return values;
	}

	/**
	 * Keys of others that do not exist, or do not take their value, by their metadata.
	 */
	private static List<String> misfits(Map<String, Object> properties) {
		Binder binder = new Binder(new MapConfigurationPropertySource(properties));
		List<String> misfits = new ArrayList<>();
		properties.forEach((key, value) -> {
			ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
			String type = METADATA.get(name);
			if (key.startsWith("ojs.") || isEntry(name)) {
				return;
			}
			try {
				if (type == null) {
					misfits.add("There is no property " + key);
				}
				else if (!type.contains("<")) {
					binder.bind(name, Bindable.of(ClassUtils.forName(type, null)));
				}
			}
			catch (BindException | ClassNotFoundException ex) {
				misfits.add(key + " = " + value + ": " + ex.getMessage());
			}
		});
		return misfits;
	}

	private static boolean isEntry(ConfigurationPropertyName name) {
		return METADATA.entrySet()
			.stream()
			.anyMatch((each) -> each.getKey().isAncestorOf(name)
					&& each.getValue().matches("java\\.util\\.(Map<.*|Properties)"));
	}

	/** The types of all properties of the modules on the class path. */
	private static Map<ConfigurationPropertyName, String> metadata() {
		Map<ConfigurationPropertyName, String> types = new TreeMap<>();
		try {
			for (URL file : Collections.list(PageExamplesTests.class.getClassLoader()
				.getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream json = file.openStream()) {
					JsonMapper.shared()
						.readTree(json)
						.path("properties")
						.forEach((property) -> types.put(
								ConfigurationPropertyName.adapt(property.path("name").asString(), '.'),
								property.path("type").asString("java.lang.Object")));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return types;
	}

	/** As types, as members of a type, or as statements: the first that parses. */
	private static Source compilable(Example example) {
		String scope = "class Example%d extends ExampleScope { ".formatted(example.line());
		return Stream
			.of(example.code(), scope + example.code() + "}",
					scope + "void example() throws Exception { " + example.code() + "} }")
			.map((code) -> new Source(example, code))
			.filter(PageExamplesTests::parses)
			.findFirst()
			.orElseThrow(() -> new AssertionError(example.place(0) + " is no Java: " + example.code()));
	}

	private static boolean parses(Source source) {
		DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
		JavacTask task = (JavacTask) COMPILER.getTask(null, null, found, List.of("--release", "17", "-proc:none"), null,
				List.of(source));
		try {
			task.parse();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return found.getDiagnostics().stream().noneMatch((each) -> each.getKind() == Diagnostic.Kind.ERROR);
	}

	private static List<Example> examples(String language) {
		List<Example> examples = new ArrayList<>();
		pages().forEach((page, text) -> {
			Matcher blocks = BLOCK.matcher(text);
			while (blocks.find()) {
				if (blocks.group(1) == null && blocks.group(2).equals(language)) {
					int line = (int) text.substring(0, blocks.start(3)).lines().count();
					examples.add(new Example(page, line, blocks.group(3)));
				}
			}
		});
		return examples;
	}

	private static Map<String, String> pages() {
		try (Stream<Path> files = Files.walk(ROOT.resolve("src/docs"))) {
			Map<String, String> pages = new TreeMap<>();
			for (Path file : Stream.concat(Stream.of(ROOT.resolve("README.md")), files)
				.filter((each) -> each.toString().endsWith(".md"))
				.toList()) {
				pages.put(ROOT.relativize(file).toString(), Files.readString(file));
			}
			return pages;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A block of a page.
	 *
	 * @param page the name of the page
	 * @param line the number of the line before its first one
	 * @param code its lines
	 */
	record Example(String page, int line, String code) {

		String place(long at) {
			return this.page + ":" + (this.line + at);
		}

	}

	/**
	 * An example, in the package of its page: it may use the types of the others there.
	 */
	static final class Source extends SimpleJavaFileObject {

		private final Example example;

		private final String code;

		Source(Example example, String code) {
			super(URI.create("string:///%s/%d.java".formatted(example.page(), example.line())), Kind.SOURCE);
			this.example = example;
			this.code = "package %s; %s%s".formatted(example.page().replaceAll("\\W", "_"), IMPORTS, code);
		}

		String place(long at) {
			return this.example.place(at);
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.code;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(OjsProperties.class)
	static class Properties {

	}

}
