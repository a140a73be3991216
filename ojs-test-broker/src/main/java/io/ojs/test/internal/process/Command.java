package io.ojs.test.internal.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program to its end.
 */
public final class Command {

	private Command() {
	}

	/**
	 * Runs the program and returns its standard output. The output goes to files in the
	 * folder, so no thread has to read it, and the wait can end in time.
	 * @param folder a folder for the output of the program
	 * @param command the program and its arguments
	 * @param environment variables that are added to this JVM's environment
	 * @param timeout the longest time that the program may take
	 * @return its standard output
	 * @throws IllegalStateException if the program fails, or takes longer; the message
	 * contains its output
	 */
	public static String run(Path folder, List<String> command, Map<String, String> environment, Duration timeout) {
		String line = String.join(" ", command);
		try {
			Path output = Files.createTempFile(folder, "command", ".out");
			Path errors = Files.createTempFile(folder, "command", ".err");
			try {
				ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output.toFile())
					.redirectError(errors.toFile());
				builder.environment().putAll(environment);
				Process process = builder.start();
				process.getOutputStream().close();
				if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
					process.descendants().forEach(ProcessHandle::destroyForcibly);
					process.destroyForcibly();
					throw new IllegalStateException(line + " did not end within " + timeout + ": " + read(errors));
				}
				if (process.exitValue() != 0) {
					throw new IllegalStateException(
							line + " ended with " + process.exitValue() + ": " + read(errors) + read(output));
				}
				return read(output);
			}
			finally {
				Files.delete(output);
				Files.delete(errors);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(line + " could not be run", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(line + " was interrupted", ex);
		}
	}

	private static String read(Path file) throws IOException {
		// Not readString, which fails on bytes that are not UTF-8.
		return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
	}

}
