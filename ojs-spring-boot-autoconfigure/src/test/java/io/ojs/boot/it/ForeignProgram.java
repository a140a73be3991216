package io.ojs.boot.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import static org.awaitility.Awaitility.await;

/**
 * A program of {@code src/test/foreign}, by the interpreter and the libraries that Debian
 * has. It ends when it is closed.
 */
final class ForeignProgram implements AutoCloseable {

	static final Path SOURCE = Path.of("src", "test", "foreign");

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Process process;

	private ForeignProgram(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "foreign-program");
		reader.setDaemon(true);
		reader.start();
	}

	static ForeignProgram python(String script, String... arguments) {
		return start("python3-pika", Map.of(), List.of("/usr/bin/python3", script), arguments);
	}

	static ForeignProgram go(String script, String... arguments) {
		return start("golang-go golang-github-rabbitmq-amqp091-go-dev",
				Map.of("GO111MODULE", "off", "GOPATH", "/usr/share/gocode"), List.of("go", "run", script), arguments);
	}

	private static ForeignProgram start(String packages, Map<String, String> environment, List<String> program,
			String... arguments) {
		List<String> command = new CopyOnWriteArrayList<>(program);
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).directory(SOURCE.toFile()).redirectErrorStream(true);
		builder.environment().putAll(environment);
		try {
			ForeignProgram started = new ForeignProgram(builder.start());
			await(packages).until(() -> started.lines.contains("working") || !started.process.isAlive());
			if (!started.lines.contains("working")) {
				throw new IllegalStateException("%s ended: %s. This test needs Debian's packages: apt-get install %s"
					.formatted(command, started.lines, packages));
			}
			return started;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("This test needs Debian's packages: apt-get install " + packages, ex);
		}
	}

	private void read() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			output.lines().forEach(this.lines::add);
		}
		catch (IOException | UncheckedIOException ex) {
			// It was ended.
			this.lines.add("cut off");
		}
	}

	/** What it has printed so far. */
	List<String> lines() {
		return List.copyOf(this.lines);
	}

	@Override
	public void close() {
		this.process.descendants().forEach(ProcessHandle::destroyForcibly);
		this.process.destroyForcibly();
		try {
			this.process.waitFor(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
