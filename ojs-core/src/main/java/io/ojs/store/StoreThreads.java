package io.ojs.store;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Waits for threads that were told to end.
 */
public final class StoreThreads {

	/**
	 * A broker and a database that do not answer may take longer; nothing is lost then.
	 */
	private static final long PATIENCE_SECONDS = 10;

	private StoreThreads() {
	}

	/**
	 * Waits until a thread has ended, for ten seconds at most.
	 * @param thread the thread; {@code null} if it was never started
	 */
	public static void await(@Nullable Thread thread) {
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
