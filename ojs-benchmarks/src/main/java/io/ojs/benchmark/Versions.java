package io.ojs.benchmark;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Versions of what is measured, as it is found, not as it was meant to be. */
final class Versions {

	private static final Map<String, String> LIBRARIES = new LinkedHashMap<>();

	/** Files that no figure depends on. */
	private static final Pattern NO_FIGURE = Pattern
		.compile("META-INF/(MANIFEST\\.MF|maven/.*)|io/ojs/benchmark/(page/.*|[^/]*)");

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
		versions.put("OJS", "classes " + checksum(System.getProperty("java.class.path")));
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

	/**
	 * Tells builds apart: of the classes and resources that figures depend on, those of
	 * this project and of what measures it, but not of plan and page.
	 * @param classPath the class path
	 */
	static String checksum(String classPath) throws IOException {
		Map<String, Long> files = new TreeMap<>();
		for (String entry : classPath.split(File.pathSeparator)) {
			Path path = Path.of(entry);
			if (Files.isDirectory(path)) {
				try (Stream<Path> all = Files.walk(path)) {
					for (Path each : all.filter(Files::isRegularFile).toList()) {
						CRC32 crc = new CRC32();
						crc.update(Files.readAllBytes(each));
						files.merge(path.relativize(each).toString(), crc.getValue(), Long::sum);
					}
				}
			}
			else if (path.getFileName().toString().startsWith("ojs-") && Files.exists(path)) {
				try (JarFile jar = new JarFile(path.toFile())) {
					jar.stream()
						.filter((each) -> !each.isDirectory())
						.forEach((each) -> files.merge(each.getName(), each.getCrc(), Long::sum));
				}
			}
		}
		CRC32 all = new CRC32();
		files.forEach((name, crc) -> {
			if (!NO_FIGURE.matcher(name).matches()) {
				all.update((name + " " + crc + "\n").getBytes(StandardCharsets.UTF_8));
			}
		});
		return String.format("%08x", all.getValue());
	}

}
