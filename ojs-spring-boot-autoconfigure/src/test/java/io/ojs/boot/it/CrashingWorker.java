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

import org.springframework.beans.factory.annotation.Value;

/**
 * An application in a process of its own, there to be killed. Its handler takes a moment
 * and keeps a ledger in a file, which survives the process; every tenth job fails.
 */
final class CrashingWorker {

	private static final String LEDGER = "test.ledger";

	private CrashingWorker() {
	}

	static ChildApplication start(String amqpUri, Path ledger) {
		return start(amqpUri, ledger, "quorum");
	}

	static ChildApplication start(String amqpUri, Path ledger, String queueType) {
		return ChildApplication.on(amqpUri)
			.with(Ledger.class)
			.property(LEDGER, ledger)
			.property("ojs.queue-defaults.retry.max-attempts", 2)
			.property("ojs.queues.ledger.type", queueType)
			.start();
	}

	static class Ledger {

		private final Path file;

		Ledger(@Value("${" + LEDGER + "}") Path file) {
			this.file = file;
		}

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
