package io.ojs.internal.thread;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Makes, pauses and ends threads.
 */
public final class Threads {

	/**
	 * Work that a broker or a database delays for longer is not lost.
	 */
	private static final long PATIENCE_SECONDS = 10;

	private Threads() {
	}

	/** Creates a thread that does not keep the JVM running; it is not started. */
	public static Thread daemon(Runnable work, String name) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Pauses the current thread.
	 * @return {@code false} if the thread was interrupted; it stays interrupted
	 */
	public static boolean pause(Duration time) {
		try {
			TimeUnit.NANOSECONDS.sleep(time.toNanos());
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Waits until a condition holds, for a limited time and unless the thread is
	 * interrupted.
	 * @param poll the pause between checks
	 */
	public static void await(BooleanSupplier condition, Duration patience, Duration poll) {
		long began = System.nanoTime();
		boolean going = true;
		while (going && !condition.getAsBoolean()) {
			going = System.nanoTime() - began < patience.toNanos() && pause(poll);
		}
	}

	/**
	 * Waits until a thread that was told to end has ended, up to ten seconds.
	 * @param thread the thread; {@code null} if it was never started
	 */
	public static void awaitEnd(@Nullable Thread thread) {
		if (thread == null) {
			return;
		}
		try {
			thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
