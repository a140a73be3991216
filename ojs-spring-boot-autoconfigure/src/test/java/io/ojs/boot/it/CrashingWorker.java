package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;

/**
 * An application in a process of its own, there to be killed. Its handler takes a moment
 * and keeps a ledger in a file, which survives the process; every tenth job fails.
 */
final class CrashingWorker {

	private static final String LEDGER = "test.ledger";

	private CrashingWorker() {
	}

	/**
	 * Works until it is killed.
	 * @param arguments the URI of the broker, the path of the ledger, and the type of the
	 * queue if it is not the default
	 */
	public static void main(String[] arguments) {
		System.setProperty(LEDGER, arguments[1]);
		Application.on(arguments[0])
			.with(Ledger.class)
			.property("spring.main.keep-alive", true)
			.property("ojs.queue-defaults.retry.max-attempts", 2)
			.property("ojs.queues.ledger.type", (arguments.length > 2) ? arguments[2] : "quorum")
			.start();
	}

	static Process start(String amqpUri, Path ledger) throws IOException {
		return start(amqpUri, ledger, "quorum");
	}

	static Process start(String amqpUri, Path ledger, String queueType) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), CrashingWorker.class.getName(), amqpUri, ledger.toString(),
				queueType)
			.redirectErrorStream(true)
			.redirectOutput(ledger.resolveSibling("worker.log").toFile())
			.start();
	}

	static class Ledger {

		private final Path file = Path.of(System.getProperty(LEDGER));

		@OjsJobHandler(value = "ledger.write", queue = "ledger")
		void write(int number, JobContext context) {
			note("start " + context.job().id());
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(15));
			if (number % 10 == 0) {
				note("fail " + context.job().id());
				throw new IllegalStateException("every tenth fails");
			}
			note("done " + context.job().id());
		}

		private void note(String line) {
			try {
				Files.writeString(this.file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
