package io.ojs.amqp.internal.write;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.ojs.internal.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes frames of several threads to a socket in their order. {@link WriteCoalescing}
 * decides when.
 */
final class CoalescingOutputStream extends OutputStream {

	private static final Logger logger = SafeLogger.of(CoalescingOutputStream.class);

	private static final int CAPACITY = 64 * 1024;

	private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(1);

	/**
	 * After this many idle milliseconds, the writing thread parks until a frame wakes it.
	 */
	private static final int REST = 20;

	private final ReentrantLock lock = new ReentrantLock();

	private final byte[] buffer = new byte[CAPACITY];

	private final OutputStream out;

	private final Closeable socket;

	private final LongSupplier nanoTime;

	private final ThreadFactory threads;

	private int length;

	/** Frames that wait in the buffer since the last write. */
	private int waiting;

	/** When a frame that may wait was last made, by the JVM's clock. */
	private long lastWish;

	/**
	 * When the first of the waiting frames was made, by the JVM's clock; 0 if none waits.
	 */
	private volatile long since;

	private volatile @Nullable Thread writer;

	private volatile boolean resting;

	private volatile boolean ended;

	/**
	 * Creates a stream.
	 * @param socket is closed when a write fails: part of a frame may have been written,
	 * and the client counts frames as sent that were not
	 */
	CoalescingOutputStream(OutputStream out, Closeable socket) {
		this(out, socket, System::nanoTime, CoalescingOutputStream::thread);
	}

	CoalescingOutputStream(OutputStream out, Closeable socket, LongSupplier nanoTime, ThreadFactory threads) {
		this.out = out;
		this.socket = socket;
		this.nanoTime = nanoTime;
		this.threads = threads;
		this.lastWish = nanoTime.getAsLong() - PATIENCE;
	}

	@Override
	public void write(int b) throws IOException {
		write(new byte[] { (byte) b }, 0, 1);
	}

	@Override
	public void write(byte[] bytes, int offset, int count) throws IOException {
		this.lock.lock();
		try {
			if (count > CAPACITY - this.length) {
				writeHeld();
			}
			if (count > CAPACITY) {
				write(bytes, offset, count, this.out);
				return;
			}
			System.arraycopy(bytes, offset, this.buffer, this.length, count);
			this.length += count;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The client calls this when it has made all frames of a command. */
	@Override
	public void flush() throws IOException {
		int together = WriteCoalescing.wish(this);
		if (together == 0) {
			return;
		}
		this.lock.lock();
		try {
			if (this.length > 0 && (together == 1 || !mayWait(together))) {
				writeHeld();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * If no frame has come within the last millisecond, the next one is not close either,
	 * and waiting would only cost the writing thread.
	 */
	private boolean mayWait(int together) {
		long now = this.nanoTime.getAsLong();
		boolean more = now - this.lastWish < PATIENCE;
		this.lastWish = now;
		if (!more || ++this.waiting >= together || this.ended) {
			return false;
		}
		if (this.since == 0) {
			this.since = (now != 0) ? now : 1;
			return wake();
		}
		return true;
	}

	/** Returns whether a thread exists that writes the waiting frames. */
	private boolean wake() {
		if (this.writer == null) {
			try {
				this.writer = start();
			}
			catch (OutOfMemoryError ex) {
				// No memory for a thread. Frames do not wait until there is one.
				logger.debug("Acks cannot be written together", ex);
				return false;
			}
		}
		else if (this.resting) {
			LockSupport.unpark(this.writer);
		}
		return true;
	}

	private Thread start() {
		Thread thread = this.threads.newThread(this::run);
		thread.start();
		return thread;
	}

	/** The thread must not inherit the thread locals of a job. */
	private static Thread thread(Runnable target) {
		Thread thread = new Thread(null, target, "ojs-acks", 0, false);
		thread.setDaemon(true);
		return thread;
	}

	private void run() {
		int idle = 0;
		while (!this.ended) {
			long waitingSince = this.since;
			long left = (waitingSince != 0) ? waitingSince + PATIENCE - this.nanoTime.getAsLong() : PATIENCE;
			if (waitingSince == 0 && ++idle > REST) {
				rest();
				idle = 0;
			}
			else if (left > 0) {
				LockSupport.parkNanos(this, left);
			}
			else {
				idle = 0;
				writeQuietly();
			}
		}
	}

	private void rest() {
		this.resting = true;
		// A frame that came before this flag was set did not wake the thread.
		if (this.since == 0 && !this.ended) {
			LockSupport.park(this);
		}
		this.resting = false;
	}

	/**
	 * Writes the held frames. If that fails, the connection is closed and reports the
	 * failure, since the threads that made the frames may no longer wait.
	 */
	void writeQuietly() {
		this.lock.lock();
		try {
			writeHeld();
		}
		catch (IOException ex) {
			logger.debug("Frames could not be written, and their connection is closed", ex);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Frames could not be written, and their connection is closed", ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void writeHeld() throws IOException {
		int count = this.length;
		this.length = 0;
		this.waiting = 0;
		this.since = 0;
		if (count > 0) {
			write(this.buffer, 0, count, this.out);
		}
	}

	private void write(byte[] bytes, int offset, int count, OutputStream to) throws IOException {
		try {
			to.write(bytes, offset, count);
		}
		catch (IOException | RuntimeException | Error ex) {
			this.socket.close();
			throw ex;
		}
	}

	/** Ends the writing thread: the socket is closed. */
	void end() {
		this.ended = true;
		LockSupport.unpark(this.writer);
	}

	@Override
	public void close() throws IOException {
		flush();
		this.socket.close();
	}

}
