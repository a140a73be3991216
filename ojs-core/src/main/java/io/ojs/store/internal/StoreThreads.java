package io.ojs.store.internal;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Waits for threads that have been told to end.
 */
public final class StoreThreads {

	/**
	 * Work that a broker or a database delays for longer is not lost.
	 */
	private static final long PATIENCE_SECONDS = 10;

	private StoreThreads() {
	}

	/**
	 * Waits until a thread has ended, up to ten seconds.
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
