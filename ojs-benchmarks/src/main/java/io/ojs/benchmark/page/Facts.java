package io.ojs.benchmark.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.ojs.benchmark.contender.Setting;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where and when it was measured.
 *
 * @param begun when it began
 * @param ended when it ended
 * @param machine processor, cores, memory and kernel by these names
 * @param versions what was measured and what with, by name
 * @param failures what did not run to its end
 * @param settings of the contenders, as they were then; none in files of earlier versions
 * @param done the keys of the runs that have ended well; none in files of earlier
 * versions
 */
public record Facts(String begun, String ended, Map<String, String> machine, Map<String, String> versions,
		List<String> failures, @Nullable List<Setting> settings, @Nullable List<String> done) {

	/** The name of the kernel in the facts of a machine. */
	public static final String KERNEL = "kernel";

	/**
	 * Creates them, in the order of names.
	 */
	public Facts {
		machine = new TreeMap<>(machine);
		versions = new TreeMap<>(versions);
		failures = List.copyOf(failures);
		settings = (settings != null) ? List.copyOf(settings) : List.of();
		done = (done != null) ? List.copyOf(done) : List.of();
	}

	/**
	 * This machine.
	 * @return processor, cores, memory and kernel by these names
	 * @throws IOException if the machine does not tell what it is
	 */
	public static Map<String, String> thisMachine() throws IOException {
		Map<String, String> machine = new TreeMap<>();
		machine.put("processor", field(Path.of("/proc/cpuinfo"), "model name"));
		machine.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
		long kilobytes = Long.parseLong(field(Path.of("/proc/meminfo"), "MemTotal").replaceAll("\\D", ""));
		machine.put("memory", Math.round(kilobytes / 1024.0 / 1024) + " GiB");
		machine.put(KERNEL, System.getProperty("os.name") + " " + System.getProperty("os.version"));
		return machine;
	}

	private static String field(Path file, String name) throws IOException {
		try (Stream<String> lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith(name))
				.map((line) -> line.substring(line.indexOf(':') + 1).trim())
				.findFirst()
				.orElse("unknown");
		}
	}

	/**
	 * The file beside results that has them.
	 * @param results the results
	 * @return the file
	 */
	public static Path beside(Path results) {
		return results.resolveSibling("run.json");
	}

	/**
	 * Writes them.
	 * @param file where to
	 * @throws IOException if that cannot be written
	 */
	public void write(Path file) throws IOException {
		Files.writeString(file,
				JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(this)
						+ "\n");
	}

	/**
	 * Reads them.
	 * @param file where from
	 * @return the facts
	 * @throws IOException if there is no such file
	 */
	public static Facts read(Path file) throws IOException {
		return new JsonMapper().readValue(Files.readString(file), Facts.class);
	}

}
