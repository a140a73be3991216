package io.ojs.internal.figures;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.ojs.client.ControlException;
import org.jspecify.annotations.Nullable;

/**
 * A value that all callers share for two seconds, or ten times as long as it took to make
 * it: any number of callers costs what one does, and the source works a tenth of the time
 * at most. While a new value is made, callers get the last one after a moment.
 *
 * @param <T> the type of the value
 */
final class Shared<T> {

	private static final Duration FRESH = Duration.ofSeconds(2);

	private static final int TIMES = 10;

	/** How much older a value may be that callers get instead of a new one. */
	private static final Duration USABLE = Duration.ofSeconds(15);

	private static final Duration MOMENT = Duration.ofMillis(100);

	/** A source that answers later than this has failed. */
	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final Supplier<T> source;

	private final Executor executor;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable Made<T> last;

	private @Nullable CompletableFuture<T> running;

	Shared(Supplier<T> source, Executor executor) {
		this.source = source;
		this.executor = executor;
	}

	/**
	 * Returns the value.
	 * @throws RuntimeException what the source throws
	 */
	T get() {
		CompletableFuture<T> made;
		Made<T> before;
		this.lock.lock();
		try {
			before = this.last;
			if (before != null && before.isGood(Duration.ZERO)) {
				return before.value();
			}
			made = this.running;
			if (made == null) {
				long began = System.nanoTime();
				made = CompletableFuture.supplyAsync(this.source, this.executor);
				this.running = made;
				made.whenComplete((value, failure) -> made(value, began));
			}
		}
		finally {
			this.lock.unlock();
		}
		boolean usable = before != null && before.isGood(USABLE);
		try {
			return made.get((usable ? MOMENT : PATIENCE).toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			if (usable) {
				return before.value();
			}
			throw new ControlException("There was no answer within " + PATIENCE.toSeconds() + " s.", ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure : new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ControlException("Interrupted while waiting for an answer.", ex);
		}
	}

	private void made(@Nullable T value, long began) {
		this.lock.lock();
		try {
			long now = System.nanoTime();
			long fresh = Math.max(FRESH.toNanos(), TIMES * (now - began));
			this.last = (value != null) ? new Made<>(value, now + fresh) : this.last;
			this.running = null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Made<T>(T value, long until) {

		boolean isGood(Duration longer) {
			return System.nanoTime() - this.until < longer.toNanos();
		}

	}

}
