package io.ojs.benchmark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Versions of what is measured, as it is found, not as it was meant to be. */
final class Versions {

	private static final Map<String, String> LIBRARIES = new LinkedHashMap<>();

	static {
		LIBRARIES.put("amqp-client", "RabbitMQ client");
		LIBRARIES.put("spring-rabbit", "Spring AMQP");
		LIBRARIES.put("spring-boot", "Spring Boot");
		LIBRARIES.put("postgresql", "PostgreSQL driver");
		LIBRARIES.put("jobrunr", "JobRunr");
		LIBRARIES.put("db-scheduler", "db-scheduler");
		LIBRARIES.put("quartz", "Quartz");
	}

	private Versions() {
	}

	static Map<String, String> of(Map<String, Path> javas) throws IOException {
		Map<String, String> versions = new TreeMap<>();
		for (Map.Entry<String, Path> java : javas.entrySet()) {
			try (Stream<String> lines = Files.lines(java.getValue().resolve("release"))) {
				String text = lines.filter((line) -> line.matches("(JAVA_RUNTIME_VERSION|JAVA_VERSION|IMPLEMENTOR)=.*"))
					.sorted()
					.map((line) -> line.replaceAll("^.*=|\"", ""))
					.reduce((left, right) -> left + ", " + right)
					.orElse("unknown");
				versions.put("Java " + java.getKey(), text);
			}
		}
		LIBRARIES.forEach((artifact, title) -> {
			Pattern jar = Pattern.compile(Pattern.quote(artifact) + "-(\\d.*)\\.jar");
			for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
				Matcher matcher = jar.matcher(Path.of(entry).getFileName().toString());
				if (matcher.matches()) {
					versions.put(title, matcher.group(1));
				}
			}
		});
		return versions;
	}

}
