package io.ojs.benchmark.measure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of whatever goes on after jobs have been enqueued. */
final class Quiet {

	private static final Logger logger = LoggerFactory.getLogger(Quiet.class);

	/** Of one processor. Who polls is never quite still. */
	private static final double BUSY = 0.25;

	/** Longer than what is done every second or every two. */
	private static final Duration LOOK = Duration.ofSeconds(3);

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private Quiet() {
	}

	/**
	 * Waits until JVM, broker and database have next to nothing to do, or for a minute.
	 * @param task names their processes
	 */
	static void await(Task task) throws InterruptedException {
		long begin = System.nanoTime();
		double before = CpuTimes.now(task).all();
		while (System.nanoTime() - begin < LONGEST.toNanos()) {
			TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
			double now = CpuTimes.now(task).all();
			if (now - before < BUSY * LOOK.toSeconds()) {
				return;
			}
			before = now;
		}
		logger.warn("Not quiet within {}", LONGEST);
	}

}
