package io.ojs.boot.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a JVM of a test is started with. It finds the classes of the libraries in an
 * archive (class data sharing), and so needs a second or two of CPU time less. The first
 * test that starts a JVM makes the archive; a build starts dozens of them.
 */
final class ClassArchive {

	private static final Path FOLDER = Path.of("target", "class-archive");

	private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

	private static final String VERSION = System.getProperty("java.vm.version");

	private static final long MAKING_MINUTES = 3;

	private static final List<String> LIBRARIES = classPath((entry) -> entry.endsWith(".jar"));

	/** An archive is of a class path that the JVM's begins with, and knows jars only. */
	private static final List<String> CLASS_PATH = Stream
		.concat(LIBRARIES.stream(), classPath((entry) -> !entry.endsWith(".jar")).stream())
		.toList();

	private ClassArchive() {
	}

	/**
	 * The beginning of a command that runs a class of this class path.
	 * @param options of the JVM, more of them
	 */
	static List<String> java(List<String> options) {
		Path archive = FOLDER.resolve(name());
		make(archive);
		List<String> command = new ArrayList<>(List.of(JAVA));
		command.addAll(options);
		if (Files.exists(archive)) {
			command.add("-XX:SharedArchiveFile=" + archive);
		}
		Collections.addAll(command, "-cp", String.join(File.pathSeparator, CLASS_PATH));
		return command;
	}

	/** Another JVM and changed libraries have another archive. */
	private static String name() {
		List<Object> libraries = new ArrayList<>();
		for (String library : LIBRARIES) {
			File file = new File(library);
			Collections.addAll(libraries, library, file.length(), file.lastModified());
		}
		return VERSION + "-" + Integer.toHexString(libraries.hashCode()) + ".jsa";
	}

	/**
	 * Makes the archive if there is none. A JVM does without while another one makes it.
	 */
	private static synchronized void make(Path archive) {
		if (Files.exists(archive)) {
			return;
		}
		try {
			Files.createDirectories(FOLDER);
			try (FileChannel channel = FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE); FileLock lock = channel.tryLock()) {
				if (lock != null && !Files.exists(archive)) {
					removeOthers();
					dump(archive);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Those of libraries that have changed. */
	private static void removeOthers() throws IOException {
		try (Stream<Path> files = Files.list(FOLDER)) {
			for (Path file : files.filter((file) -> file.getFileName().toString().startsWith(VERSION)).toList()) {
				Files.delete(file);
			}
		}
	}

	private static void dump(Path archive) throws IOException {
		Path classes = FOLDER.resolve("classes.list");
		Path made = FOLDER.resolve("new.jsa");
		// An application up to where it would speak to the broker.
		run(List.of("-Dspring.context.exit=onRefresh", "-XX:DumpLoadedClassList=" + classes, "-cp",
				String.join(File.pathSeparator, CLASS_PATH), ChildApplication.Main.class.getName(),
				"amqp://localhost:1", "", "ojs.store.enabled=true", "spring.datasource.url=jdbc:h2:mem:archive"));
		run(List.of("-Xshare:dump", "-XX:SharedClassListFile=" + classes, "-XX:SharedArchiveFile=" + made, "-cp",
				String.join(File.pathSeparator, LIBRARIES)));
		if (Files.exists(made)) {
			Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
		}
	}

	private static void run(List<String> arguments) throws IOException {
		Path log = FOLDER.resolve("log");
		Process process = new ProcessBuilder(Stream.concat(Stream.of(JAVA), arguments.stream()).toList())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
			.start();
		try {
			if (!process.waitFor(MAKING_MINUTES, TimeUnit.MINUTES)) {
				process.destroyForcibly();
				throw new IOException("No end after " + MAKING_MINUTES + " minutes: " + log);
			}
		}
		catch (InterruptedException ex) {
			process.destroyForcibly();
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted", ex);
		}
	}

	private static List<String> classPath(Predicate<String> wanted) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).filter(wanted).toList();
	}

}
