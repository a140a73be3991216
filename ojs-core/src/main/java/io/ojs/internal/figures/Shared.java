package io.ojs.internal.figures;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
public final class Shared<T> {

	private static final Duration FRESH = Duration.ofSeconds(2);

	private static final int TIMES = 10;

	/** How much older a value may be that callers get instead of a new one. */
	private static final Duration USABLE = Duration.ofSeconds(15);

	private static final Duration MOMENT = Duration.ofMillis(100);

	/** A source that answers later than this has failed. Dashboards wait for 30 s. */
	public static final Duration PATIENCE = Duration.ofSeconds(25);

	private final Supplier<T> source;

	private final Executor executor;

	private final Duration patience;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable Made<T> last;

	private @Nullable Making<T> making;

	/** Whether the source did not answer, as if its connection were lost silently. */
	private boolean silent;

	/**
	 * Creates the value.
	 * @param executor has a thread left when the source keeps some for ever
	 */
	public Shared(Supplier<T> source, Executor executor, Duration patience) {
		this.source = source;
		this.executor = executor;
		this.patience = patience;
	}

	/**
	 * Returns the value.
	 * @throws ControlException if the source does not answer in time. As long as it has
	 * not, callers do not wait for it
	 * @throws RuntimeException what the source throws
	 */
	public T get() {
		Making<T> made;
		Made<T> before;
		boolean waits;
		this.lock.lock();
		try {
			before = this.last;
			if (before != null && before.isGood(Duration.ZERO)) {
				return before.value();
			}
			made = making();
			waits = !this.silent && (before == null || !before.isGood(USABLE));
		}
		finally {
			this.lock.unlock();
		}
		try {
			long nanos = waits ? made.began() + this.patience.toNanos() - System.nanoTime() : MOMENT.toNanos();
			return made.value().get(nanos, TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			if (before != null && before.isGood(USABLE)) {
				return before.value();
			}
			throw new ControlException("There was no answer within " + this.patience.toMillis() + " ms.", ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure : new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ControlException("Interrupted while waiting for an answer.", ex);
		}
	}

	/** Begins anew if the source has not answered in time: it may be back. */
	private Making<T> making() {
		Making<T> current = this.making;
		long now = System.nanoTime();
		if (current != null && now - current.began() < this.patience.toNanos()) {
			return current;
		}
		this.silent |= current != null;
		try {
			Making<T> next = new Making<>(CompletableFuture.supplyAsync(this.source, this.executor), now);
			this.making = next;
			next.value().whenComplete((value, failure) -> made(next, value));
			return next;
		}
		catch (RejectedExecutionException ex) {
			throw new ControlException("Too many requests to the source are without an answer.", ex);
		}
	}

	private void made(Making<T> made, @Nullable T value) {
		this.lock.lock();
		try {
			long now = System.nanoTime();
			long fresh = Math.max(FRESH.toNanos(), TIMES * (now - made.began()));
			this.last = (value != null) ? new Made<>(value, now + fresh) : this.last;
			this.making = (this.making != made) ? this.making : null;
			this.silent = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Making<T>(CompletableFuture<T> value, long began) {
	}

	private record Made<T>(T value, long until) {

		boolean isGood(Duration longer) {
			return System.nanoTime() - this.until < longer.toNanos();
		}

	}

}
