package io.ojs.web.internal.stream;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.ojs.internal.log.SafeLogger;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One open stream. Writes without blocking: while the client does not read, changes are
 * added up, and then sent as one message.
 */
final class ChangeStream implements WriteListener, AsyncListener {

	private static final Logger logger = SafeLogger.of(ChangeStream.class);

	private static final byte[] PING = ": ping\n\n".getBytes(StandardCharsets.UTF_8);

	private final @Nullable String tenant;

	private final AsyncContext async;

	private final ServletOutputStream out;

	private final Clock clock;

	private final long openedNanos = System.nanoTime();

	private final Consumer<ChangeStream> onEnd;

	private final ReentrantLock lock = new ReentrantLock();

	/** Whether the container has called for the first time. */
	private boolean begun;

	private boolean ended;

	private boolean flush;

	/** Whether to send a comment, which also sends the headers of the answer. */
	private boolean ping = true;

	private @Nullable Changes waiting;

	/** Whether {@link #waiting} is the object that other streams have, too. */
	private boolean shared;

	private long sentNanos = this.openedNanos;

	/** Since when the client takes nothing; {@code null} while it does. */
	private @Nullable Long blockedNanos;

	ChangeStream(@Nullable String tenant, AsyncContext async, ServletOutputStream out, Clock clock,
			Consumer<ChangeStream> onEnd) {
		this.tenant = tenant;
		this.async = async;
		this.out = out;
		this.clock = clock;
		this.onEnd = onEnd;
	}

	/** The only tenant whose changes it gets; {@code null} for those of all. */
	@Nullable String tenant() {
		return this.tenant;
	}

	long openedNanos() {
		return this.openedNanos;
	}

	/** When something was written last. */
	long sentNanos() {
		this.lock.lock();
		try {
			return this.sentNanos;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether the client has taken nothing for a time, though there was something.
	 */
	boolean isStuck(Duration time) {
		this.lock.lock();
		try {
			Long since = this.blockedNanos;
			return since != null && System.nanoTime() - since > time.toNanos();
		}
		finally {
			this.lock.unlock();
		}
	}

	void offer(Changes changes) {
		this.lock.lock();
		try {
			Changes earlier = this.waiting;
			if (earlier == null) {
				this.waiting = changes;
				this.shared = true;
			}
			else {
				Changes sum = this.shared ? new Changes() : earlier;
				if (this.shared) {
					sum.addAll(earlier);
				}
				sum.addAll(changes);
				this.waiting = sum;
				this.shared = false;
			}
		}
		finally {
			this.lock.unlock();
		}
		send();
	}

	void ping() {
		this.lock.lock();
		try {
			this.ping = true;
		}
		finally {
			this.lock.unlock();
		}
		send();
	}

	@Override
	public void onWritePossible() {
		this.lock.lock();
		try {
			this.begun = true;
		}
		finally {
			this.lock.unlock();
		}
		send();
	}

	/** Writes for as long as the client takes it. The container calls again then. */
	private void send() {
		IOException failure = null;
		this.lock.lock();
		try {
			while (this.begun && !this.ended && hasMore() && isReady()) {
				if (this.flush) {
					this.flush = false;
					this.out.flush();
				}
				else {
					byte[] next = next();
					this.flush = true;
					this.sentNanos = System.nanoTime();
					this.out.write(next);
				}
			}
		}
		catch (IOException ex) {
			failure = ex;
		}
		catch (RuntimeException ex) {
			// For example, the container has recycled the response.
			failure = new IOException(ex);
		}
		finally {
			this.lock.unlock();
		}
		if (failure != null) {
			onError(failure);
		}
	}

	private boolean isReady() {
		boolean ready = this.out.isReady();
		if (ready) {
			this.blockedNanos = null;
		}
		else if (this.blockedNanos == null) {
			this.blockedNanos = System.nanoTime();
		}
		return ready;
	}

	private boolean hasMore() {
		return this.flush || this.ping || this.waiting != null;
	}

	private byte[] next() {
		Changes changes = this.waiting;
		this.ping = false;
		if (changes == null) {
			return PING;
		}
		this.waiting = null;
		return changes.message(this.clock.instant());
	}

	/** Ends the answer. The client may open another stream. */
	void end() {
		if (finish()) {
			try {
				this.async.complete();
			}
			catch (RuntimeException ex) {
				logger.trace("The stream has ended already", ex);
			}
		}
	}

	/** Ends this stream; does nothing if it has ended. */
	private boolean finish() {
		this.lock.lock();
		try {
			if (this.ended) {
				return false;
			}
			this.ended = true;
		}
		finally {
			this.lock.unlock();
		}
		this.onEnd.accept(this);
		return true;
	}

	@Override
	public void onError(Throwable failure) {
		logger.debug("The client of a stream is gone", failure);
		end();
	}

	@Override
	public void onComplete(AsyncEvent event) {
		finish();
	}

	@Override
	public void onTimeout(AsyncEvent event) {
		end();
	}

	@Override
	public void onError(AsyncEvent event) {
		end();
	}

	@Override
	public void onStartAsync(AsyncEvent event) {
		// This stream starts once.
	}

}
