package io.ojs.test.internal.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Another JVM with the class path of this one, killed on close. What it has to say to the
 * test begins with {@link #SAYS}; the rest is log.
 */
public final class ChildJvm implements AutoCloseable {

	/** What a line begins with that is for the test. */
	public static final String SAYS = "to the test: ";

	private final Process process;

	private final BufferedReader output;

	private ChildJvm(Process process) {
		this.process = process;
		this.output = process.inputReader();
	}

	/**
	 * Starts a JVM.
	 * @param main the class to run
	 * @param args its arguments
	 * @return the JVM
	 * @throws IOException if it cannot be started
	 */
	public static ChildJvm start(Class<?> main, String... args) throws IOException {
		List<String> java = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), main.getName());
		return new ChildJvm(
				new ProcessBuilder(Stream.concat(java.stream(), Stream.of(args)).toList()).redirectErrorStream(true)
					.start());
	}

	/**
	 * Waits for the next line that is for the test.
	 * @return the line
	 * @throws IOException if the output cannot be read
	 */
	public String says() throws IOException {
		StringBuilder log = new StringBuilder();
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			if (line.startsWith(SAYS)) {
				return line.substring(SAYS.length());
			}
			log.append(line).append('\n');
		}
		throw new AssertionError("The other JVM ended without a word:\n" + log);
	}

	/**
	 * Returns what it has started.
	 * @return the processes
	 */
	public List<ProcessHandle> descendants() {
		return this.process.descendants().toList();
	}

	/**
	 * SIGKILL.
	 * @throws InterruptedException if this thread is interrupted
	 */
	public void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	/**
	 * Waits for its end.
	 * @return the exit status
	 * @throws IOException if the output cannot be read
	 * @throws InterruptedException if this thread is interrupted
	 */
	public int awaitExit() throws IOException, InterruptedException {
		// Or else it waits for someone to read its log.
		this.output.transferTo(Writer.nullWriter());
		return this.process.waitFor();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
