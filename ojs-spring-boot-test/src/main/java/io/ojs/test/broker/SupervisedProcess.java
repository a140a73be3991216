package io.ojs.test.broker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A program under {@code supervise.sh}, which ends when the program does.
 */
final class SupervisedProcess {

	private final Process supervisor;

	private final Writer signals;

	private final BufferedReader answers;

	SupervisedProcess(ProcessBuilder command) {
		try {
			this.supervisor = command.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(command.command().get(0) + " could not be run", ex);
		}
		this.signals = this.supervisor.outputWriter(StandardCharsets.UTF_8);
		this.answers = this.supervisor.inputReader(StandardCharsets.UTF_8);
	}

	boolean isAlive() {
		return this.supervisor.isAlive();
	}

	/**
	 * Sends a signal, such as {@code TERM}, to the program. It is sent when this returns.
	 */
	void signal(String name) {
		try {
			this.signals.write(name + "\n");
			this.signals.flush();
			this.answers.readLine();
		}
		catch (IOException ex) {
			// A program that has ended meanwhile is no failure. Whether it has is for the
			// caller.
			if (!awaitEnd(Duration.ofSeconds(5))) {
				throw new UncheckedIOException("SIG" + name + " could not be sent", ex);
			}
		}
	}

	/**
	 * Has the supervisor do what it does when the JVM is gone: kill the program.
	 */
	void abandon() {
		try {
			this.signals.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The supervisor could not be told to end", ex);
		}
	}

	/**
	 * Waits for the end of the program.
	 * @return whether it has ended
	 */
	boolean awaitEnd(Duration time) {
		try {
			return this.supervisor.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for a RabbitMQ node", ex);
		}
	}

}
