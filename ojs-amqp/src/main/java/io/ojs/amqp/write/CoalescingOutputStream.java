package io.ojs.amqp.write;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes to a socket what several threads made, in its order, and leaves it to
 * {@link WriteCoalescing} when.
 */
final class CoalescingOutputStream extends OutputStream {

	private static final Logger logger = SafeLogger.of(CoalescingOutputStream.class);

	private static final int CAPACITY = 64 * 1024;

	private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(1);

	/** So many milliseconds without anything, and the thread sleeps until it is woken. */
	private static final int REST = 20;

	private final ReentrantLock lock = new ReentrantLock();

	private final byte[] buffer = new byte[CAPACITY];

	private final OutputStream out;

	private final Closeable socket;

	private final LongSupplier nanoTime;

	private final ThreadFactory threads;

	private int length;

	/** How many wait for more of the same. */
	private int waiting;

	/** When somebody last would have waited, by the JVM's clock. */
	private long lastWish;

	/** Since when somebody waits, by the JVM's clock; 0 is nobody. */
	private volatile long since;

	private volatile @Nullable Thread writer;

	private volatile boolean resting;

	private volatile boolean ended;

	/**
	 * Creates a stream.
	 * @param out the socket's own
	 * @param socket closed when a write fails, for whatever reason: part of a frame may
	 * have been written, and what the client counts as sent was not
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

	/** A frame is complete. */
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
	 * One that came alone is not followed by another one soon, and to wait for it would
	 * only cost the thread that writes in the end.
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

	/** Returns whether there is a thread that writes what waits. */
	private boolean wake() {
		if (this.writer == null) {
			try {
				this.writer = start();
			}
			catch (OutOfMemoryError ex) {
				// No thread to be had. Nothing waits until there is one.
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

	/** What a job has set for its thread is no affair of a connection. */
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
		// Whoever came in between saw no reason to wake anybody.
		if (this.since == 0 && !this.ended) {
			LockSupport.park(this);
		}
		this.resting = false;
	}

	/** Writes what is held. Who made it may have gone, and is told by the connection. */
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

	/** The socket is closed. */
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
