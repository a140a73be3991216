package io.ojs.boot.it;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.awaitility.core.ConditionTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An {@link Application} in a process of its own, there to be killed: after a time, at a
 * line of its output, or exactly at a {@link CrashPoint}. It can be started again, and
 * ends with the test, or with the JVM of the test if that is killed.
 */
final class ChildApplication implements AutoCloseable {

	/** Several that start at once on a busy machine take more than a minute each. */
	private static final Duration PATIENCE = Duration.ofMinutes(3);

	/**
	 * They live for seconds: what compiles for longer runs would cost more than it saves.
	 */
	private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

	/** 128 and the number of the signal. */
	private static final int KILLED = 128 + 9;

	private static final int OUTPUT_TAIL = 8_000;

	private final Starter starter;

	private final Path log;

	/** Where in the log the output of the current process begins. */
	private long begin;

	private Process process;

	private ChildApplication(Starter starter) {
		this.starter = starter;
		try {
			this.log = Files.createTempFile("ojs-child-", ".log");
			this.process = starter.launch(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Starter on(String amqpUri) {
		return new Starter(amqpUri);
	}

	/**
	 * Waits until the process writes a line that has the text in it.
	 * @throws AssertionError with the output, if it ends or three minutes are over before
	 */
	ChildApplication awaitLine(String text) {
		try {
			await().atMost(PATIENCE).until(() -> has(text) || !isAlive());
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError("No '" + text + "' within " + PATIENCE + " in:\n" + tail(), ex);
		}
		if (!has(text)) {
			throw new AssertionError(
					"The application ended with " + this.process.exitValue() + " before '" + text + "':\n" + tail());
		}
		return this;
	}

	/**
	 * Waits until the application has started, and with it its worker.
	 */
	ChildApplication awaitStarted() {
		return awaitLine(Main.STARTED);
	}

	/**
	 * Waits until the application stands at the point.
	 */
	ChildApplication awaitCrashPoint(String point) {
		if (!this.starter.crashPoints.containsKey(point)) {
			throw new IllegalArgumentException("'" + point + "' is not armed; crashAt(\"" + point + "\") does that");
		}
		return awaitLine(CrashPoint.line(point));
	}

	/**
	 * Waits until the application stands at the point, and kills it there.
	 */
	void killAt(String point) {
		awaitCrashPoint(point);
		kill();
	}

	/**
	 * SIGKILL. Nothing runs in the process from then on, and its sockets are closed.
	 * @throws AssertionError with the output, if the process ended of itself before
	 */
	void kill() {
		if (!isAlive()) {
			throw new AssertionError("The application ended of itself:\n" + tail());
		}
		this.process.destroyForcibly();
		assertThat(awaitEnd()).isEqualTo(KILLED);
	}

	/**
	 * Starts a killed application again, on the same properties and with no crash point.
	 */
	ChildApplication restart() {
		this.starter.crashPoints.clear();
		return restartAndCrashAgain();
	}

	/**
	 * Starts a killed application again, on the same properties and crash points.
	 */
	ChildApplication restartAndCrashAgain() {
		if (isAlive()) {
			throw new IllegalStateException("It runs; kill() it first");
		}
		try {
			this.begin = Files.size(this.log);
			this.process = this.starter.launch(this.log);
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	long pid() {
		return this.process.pid();
	}

	/** What the current process has written, and only that. */
	String output() {
		try {
			byte[] all = Files.readAllBytes(this.log);
			return new String(all, (int) this.begin, all.length - (int) this.begin, StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What happens when the JVM of the test is gone. */
	void abandon() throws IOException {
		this.process.getOutputStream().close();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		awaitEnd();
		try {
			Files.delete(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int awaitEnd() {
		try {
			assertThat(this.process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).as("ended").isTrue();
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for a child process", ex);
		}
	}

	private boolean has(String text) {
		return output().lines().anyMatch((line) -> line.contains(text));
	}

	private String tail() {
		String output = output();
		return output.substring(Math.max(0, output.length() - OUTPUT_TAIL));
	}

	/**
	 * Collects what an application is made of, as {@link Application.Starter} does.
	 */
	static final class Starter {

		private final String amqpUri;

		private final Map<String, Object> properties = new LinkedHashMap<>();

		private final Map<String, Integer> crashPoints = new LinkedHashMap<>();

		private final List<String> classes = new ArrayList<>();

		private Starter(String amqpUri) {
			this.amqpUri = amqpUri;
		}

		Starter with(Class<?>... beans) {
			for (Class<?> bean : beans) {
				this.classes.add(bean.getName());
			}
			return this;
		}

		Starter property(String key, Object value) {
			this.properties.put(key, value);
			return this;
		}

		/** Arms a {@link CrashPoint}. */
		Starter crashAt(String point) {
			return crashAt(point, 1);
		}

		/**
		 * Arms a {@link CrashPoint} for the time given, counted from 1 in each process.
		 */
		Starter crashAt(String point, int time) {
			this.crashPoints.put(point, time);
			return this;
		}

		/** Starts the process, and does not wait until the application has started. */
		ChildApplication start() {
			return new ChildApplication(this);
		}

		private Process launch(Path log) throws IOException {
			List<String> command = new ArrayList<>(ClassArchive.java(QUICK_START));
			List<String> armed = new ArrayList<>();
			this.crashPoints.forEach((point, time) -> armed.add(point + ":" + time));
			command.add("-D" + CrashPoint.ARMED + "=" + String.join(",", armed));
			command.addAll(List.of(Main.class.getName(), this.amqpUri, String.join(",", this.classes)));
			this.properties.forEach((key, value) -> command.add(key + "=" + value));
			return new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
				.start();
		}

	}

	/**
	 * What runs in the process.
	 */
	static final class Main {

		static final String STARTED = "the application has started.";

		private Main() {
		}

		/**
		 * Runs the application until the process is killed.
		 * @param arguments the URI of the broker, the names of the classes separated by
		 * commas, and properties
		 */
		public static void main(String[] arguments) throws ClassNotFoundException {
			endWithTheTest();
			Application.Starter starter = Application.on(arguments[0]).property("spring.main.keep-alive", true);
			for (String name : arguments[1].split(",")) {
				if (!name.isEmpty()) {
					starter.with(Class.forName(name));
				}
			}
			for (int i = 2; i < arguments.length; i++) {
				String[] property = arguments[i].split("=", 2);
				starter.property(property[0], property[1]);
			}
			starter.start();
			System.out.println(STARTED);
		}

		/**
		 * The test's JVM holds the other end of stdin, which the operating system closes
		 * however that JVM ends.
		 */
		private static void endWithTheTest() {
			Thread thread = new Thread(() -> {
				try {
					System.in.transferTo(OutputStream.nullOutputStream());
				}
				catch (IOException ex) {
					System.out.println("stdin failed: " + ex);
				}
				Runtime.getRuntime().halt(1);
			}, "end-with-the-test");
			thread.setDaemon(true);
			thread.start();
		}

	}

}
