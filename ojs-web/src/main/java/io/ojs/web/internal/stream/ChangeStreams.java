package io.ojs.web.internal.stream;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.event.internal.EventTail;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * All open streams of this process. One thread reads the changes for all of them, while
 * there are any.
 */
public final class ChangeStreams implements AutoCloseable {

	/** How often changes are read. */
	public static final Duration INTERVAL = Duration.ofSeconds(2);

	private static final Logger logger = SafeLogger.of(ChangeStreams.class);

	private static final Duration PING = Duration.ofSeconds(15);

	/**
	 * How long a client may read nothing. Its connection may be lost without a sign.
	 */
	private static final Duration STUCK = Duration.ofMinutes(1);

	/**
	 * How long a stream lasts: a caller that has lost its rights must not stay.
	 */
	private static final Duration LONGEST = Duration.ofMinutes(30);

	private static final int RETRY_SECONDS = 30;

	private final EventTail tail;

	private final int limit;

	private final Clock clock;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Set<ChangeStream> streams = new LinkedHashSet<>();

	/** Streams that are about to open. */
	private int opening;

	private boolean closed;

	private @Nullable Thread ticker;

	/**
	 * Creates it, without streams.
	 * @param limit how many streams may be open at once
	 */
	public ChangeStreams(EventTail tail, int limit, Clock clock) {
		this.tail = tail;
		this.limit = limit;
		this.clock = clock;
	}

	/** Lets callers open streams again after {@link #close()}. */
	public void start() {
		this.lock.lock();
		try {
			this.closed = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes a stream of the answer to a request.
	 * @param tenant the only tenant whose changes the caller may see; {@code null} for
	 * those of all
	 * @throws HttpFailure with 503 if there are too many streams, or with 501 if the
	 * request must be answered at once
	 */
	void open(@Nullable String tenant, HttpServletRequest request, HttpServletResponse response) throws IOException {
		reserve();
		ChangeStream stream = null;
		try {
			if (!request.isAsyncSupported()) {
				throw new HttpFailure(HttpError
					.of(501, "unsupported", "unsupported",
							"A filter of the application does not support asynchronous requests, which streams need.")
					.hint("Let the filters of this path support them; until then ask GET /v1/events."));
			}
			ServletOutputStream out = response.getOutputStream();
			AsyncContext async = request.startAsync();
			async.setTimeout(0);
			stream = new ChangeStream(tenant, async, out, this.clock, this::remove);
			async.addListener(stream);
			add(stream);
			out.setWriteListener(stream);
		}
		catch (RuntimeException ex) {
			if (stream != null) {
				stream.end();
			}
			throw ex;
		}
		finally {
			this.lock.lock();
			try {
				this.opening--;
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	private void reserve() {
		this.lock.lock();
		try {
			if (this.closed) {
				throw new HttpFailure(
						HttpError.of(503, "unavailable", "unavailable", "The application stops. Open the stream again.")
							.retryAfter(RETRY_SECONDS));
			}
			if (this.streams.size() + this.opening >= this.limit) {
				throw new HttpFailure(HttpError
					.of(503, "too_many_streams", "too_many_streams",
							"This process has %d open streams, and no more are allowed (ojs.http.max-streams)."
								.formatted(this.limit))
					.retryAfter(RETRY_SECONDS)
					.hint("Ask at intervals instead, and open the stream later.")
					.detail("limit", this.limit));
			}
			this.opening++;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void add(ChangeStream stream) {
		this.lock.lock();
		try {
			this.streams.add(stream);
			if (this.ticker == null) {
				Thread started = Threads.daemon(this::tick, "ojs-changes");
				this.ticker = started;
				started.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void remove(ChangeStream stream) {
		this.lock.lock();
		try {
			this.streams.remove(stream);
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many streams are open. */
	public int size() {
		this.lock.lock();
		try {
			return this.streams.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void tick() {
		ChangeReader reader = new ChangeReader(this.tail, System::nanoTime);
		boolean away = false;
		long next = System.nanoTime();
		List<ChangeStream> open = await(0);
		while (!open.isEmpty()) {
			Set<@Nullable String> scopes = new HashSet<>();
			open.forEach((stream) -> scopes.add(stream.tenant()));
			Map<@Nullable String, Changes> changes = Collections.emptyMap();
			try {
				changes = reader.read(scopes);
				away = false;
			}
			catch (Throwable ex) {
				// Errors too: the thread must go on.
				if (!away) {
					logger.warn("Streams of changes say nothing for now: {}", ex.getMessage());
					changes = unknown(scopes);
				}
				logger.debug("Changes cannot be read", ex);
				away = true;
			}
			for (ChangeStream stream : open) {
				try {
					tell(stream, changes.get(stream.tenant()));
				}
				catch (Throwable ex) {
					logger.warn("A stream of changes cannot be written, and ends", ex);
					stream.end();
				}
			}
			next = Math.max(next + INTERVAL.toNanos(), System.nanoTime());
			open = await(next - System.nanoTime());
		}
	}

	/** Pages that are told of unknown changes ask, and so see what has failed. */
	private static Map<@Nullable String, Changes> unknown(Set<@Nullable String> scopes) {
		Map<@Nullable String, Changes> changes = new HashMap<>();
		scopes.forEach((scope) -> changes.put(scope, new Changes()));
		changes.values().forEach(Changes::addMore);
		return changes;
	}

	private static void tell(ChangeStream stream, @Nullable Changes changes) {
		long now = System.nanoTime();
		long silent = now - stream.sentNanos();
		if (now - stream.openedNanos() > LONGEST.toNanos() || stream.isStuck(STUCK)) {
			stream.end();
		}
		else if (changes != null) {
			stream.offer(changes);
		}
		else if (silent > PING.toNanos() - INTERVAL.toNanos()) {
			stream.ping();
		}
	}

	/**
	 * Waits for a time.
	 * @return the streams that are open then; the thread has to end if there are none
	 */
	private List<ChangeStream> await(long nanos) {
		this.lock.lock();
		try {
			long left = nanos;
			while (left > 0 && !this.streams.isEmpty()) {
				left = this.changed.awaitNanos(left);
			}
			if (this.streams.isEmpty()) {
				this.ticker = null;
			}
			return List.copyOf(this.streams);
		}
		catch (InterruptedException ex) {
			this.ticker = null;
			return List.of();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends all streams, so that the web server need not wait for them, and opens none.
	 */
	@Override
	public void close() {
		List<ChangeStream> open;
		this.lock.lock();
		try {
			this.closed = true;
			open = List.copyOf(this.streams);
		}
		finally {
			this.lock.unlock();
		}
		open.forEach(ChangeStream::end);
	}

}
