package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;

import org.springframework.beans.factory.annotation.Value;

/**
 * An application in a process of its own, there to be killed. Its handler takes a moment
 * and keeps a ledger in a file, which survives the process; every tenth job fails. Once
 * so many jobs are done as the test wants, its handlers do not end any more, so that the
 * test may take its time to kill the process in the middle of them.
 */
final class CrashingWorker {

	private static final String LEDGER = "test.ledger";

	private static final String HOLD_AFTER = "test.hold-after";

	private CrashingWorker() {
	}

	/** Starts one that works until all is done. */
	static ChildApplication start(String amqpUri, Path ledger, String queueType) {
		return start(amqpUri, ledger, queueType, Integer.MAX_VALUE);
	}

	static ChildApplication start(String amqpUri, Path ledger, String queueType, int holdAfter) {
		return ChildApplication.on(amqpUri)
			.with(Ledger.class)
			.property(LEDGER, ledger)
			.property(HOLD_AFTER, holdAfter)
			.property("ojs.queue-defaults.retry.max-attempts", 2)
			.property("ojs.queues.ledger.type", queueType)
			.start();
	}

	static class Ledger {

		private final Path file;

		private final int holdAfter;

		private final AtomicInteger done = new AtomicInteger();

		Ledger(@Value("${" + LEDGER + "}") Path file, @Value("${" + HOLD_AFTER + "}") int holdAfter) {
			this.file = file;
			this.holdAfter = holdAfter;
		}

		@OjsJobHandler(value = "ledger.write", queue = "ledger")
		void write(int number, JobContext context) {
			note("start " + context.job().id());
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(15));
			if (number % 10 == 0) {
				note("fail " + context.job().id());
				throw new IllegalStateException("every tenth fails");
			}
			if (this.done.getAndIncrement() >= this.holdAfter) {
				note("held " + context.job().id());
				while (true) {
					LockSupport.park();
				}
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
