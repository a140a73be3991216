package io.ojs.test.internal.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program under {@code supervise.sh}, which ends when the program does. The supervisor
 * kills the program when the JVM ends, even if the JVM is killed.
 */
public final class SupervisedProcess {

	private static final String SUPERVISOR = "supervise.sh";

	private final Process supervisor;

	private final Writer signals;

	private final BufferedReader answers;

	/**
	 * Starts the program.
	 * @param command the result of {@link #command}, with directory and environment
	 */
	public SupervisedProcess(ProcessBuilder command) {
		try {
			this.supervisor = command.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(command.command().get(0) + " could not be run", ex);
		}
		this.signals = this.supervisor.outputWriter(StandardCharsets.UTF_8);
		this.answers = this.supervisor.inputReader(StandardCharsets.UTF_8);
	}

	/**
	 * Copies the supervisor into a folder, from which {@link #command} runs it.
	 * @param folder an existing folder without a supervisor
	 * @throws IOException if the folder cannot be written to
	 */
	public static void copySupervisor(Path folder) throws IOException {
		try (InputStream resource = SupervisedProcess.class.getResourceAsStream(SUPERVISOR)) {
			Files.copy(Objects.requireNonNull(resource, SUPERVISOR), folder.resolve(SUPERVISOR));
		}
	}

	/**
	 * Returns the command that runs a program under the supervisor.
	 * @param folder the folder of the supervisor, and the program's directory
	 * @param log the file that the program's output is appended to
	 * @param deleted the folder to delete when the JVM has ended, or an empty string
	 * @param program the program and its arguments
	 * @return the command, with the environment of this JVM
	 */
	public static ProcessBuilder command(Path folder, Path log, String deleted, List<String> program) {
		List<String> supervisor = List.of("sh", folder.resolve(SUPERVISOR).toString(), log.toString(), deleted);
		return new ProcessBuilder(Stream.concat(supervisor.stream(), program.stream()).toList())
			.directory(folder.toFile());
	}

	/**
	 * Tells whether the program runs; one that is stopped does.
	 * @return whether it has not ended
	 */
	public boolean isAlive() {
		return this.supervisor.isAlive();
	}

	/**
	 * Sends a signal to the program. The signal is sent when this method returns; after
	 * {@code STOP}, all threads of the program stand still.
	 * @param name the signal, such as {@code TERM}
	 */
	public void signal(String name) {
		send(name);
	}

	/**
	 * Sends a signal to the program and to its children. The program cannot start further
	 * children meanwhile. The signal is sent when this method returns.
	 * @param name the signal, such as {@code KILL}
	 */
	public void signalAll(String name) {
		send(name + " all");
	}

	private void send(String line) {
		try {
			this.signals.write(line + "\n");
			this.signals.flush();
			this.answers.readLine();
		}
		catch (IOException ex) {
			// A program that has ended meanwhile is not an error. The caller checks
			// whether it has.
			if (!awaitEnd(Duration.ofSeconds(5))) {
				throw new UncheckedIOException("SIG" + line + " could not be sent", ex);
			}
		}
	}

	/**
	 * Returns the processes under the supervisor: the program, and the processes that it
	 * has started.
	 * @return the processes
	 */
	public List<ProcessHandle> processes() {
		return this.supervisor.descendants().toList();
	}

	/**
	 * Makes the supervisor do the same as at the end of the JVM: kill the program and its
	 * children, and delete the folder.
	 */
	public void abandon() {
		try {
			this.signals.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The supervisor could not be told to end", ex);
		}
	}

	/**
	 * Waits for the end of the program.
	 * @param time the longest time to wait
	 * @return whether it has ended
	 */
	public boolean awaitEnd(Duration time) {
		try {
			return this.supervisor.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for a child process", ex);
		}
	}

}
