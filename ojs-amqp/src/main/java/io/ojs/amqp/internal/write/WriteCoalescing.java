package io.ojs.amqp.internal.write;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Combines frames of a connection into fewer writes to its socket. For a short frame,
 * such as an ack, the write costs the process and the broker more than the frame. Only
 * connections with sockets of {@link CoalescingSocketFactory} combine frames, and only
 * for threads that ask for it here. All other frames are written when they are made.
 * <p>
 * Frames keep their order, whichever thread made them: held frames are written before the
 * next frame that may not wait.
 */
public final class WriteCoalescing {

	private static final ThreadLocal<WriteCoalescing> CURRENT = new ThreadLocal<>();

	/**
	 * Most frames of one write; 0 for all until the thread releases them.
	 */
	private final int atMost;

	private @Nullable CoalescingOutputStream held;

	private WriteCoalescing(int atMost) {
		this.atMost = atMost;
	}

	/**
	 * Runs an action and writes the frames that it publishes together, at its end or when
	 * the buffer is full. The action must {@linkplain #release() release} held frames
	 * before it waits for an answer of the broker. If the last write fails, the caller
	 * gets no exception; listeners of the connection learn of it.
	 */
	public static void together(Runnable action) {
		if (CURRENT.get() != null) {
			action.run();
			return;
		}
		CURRENT.set(new WriteCoalescing(0));
		try {
			action.run();
		}
		finally {
			release();
		}
	}

	/**
	 * Writes the held frames of this thread, which is about to wait for an answer. Later
	 * frames of the thread are written when they are made.
	 */
	public static void release() {
		WriteCoalescing current = CURRENT.get();
		CURRENT.remove();
		if (current != null && current.held != null) {
			current.held.writeQuietly();
		}
	}

	/**
	 * Runs an action whose frames may wait up to a millisecond for further such frames. A
	 * frame does not wait if the last one on its connection was made more than a
	 * millisecond before.
	 * @param atMost most frames of one write; with 1 or less, no frame waits
	 * @throws IOException if the action throws it
	 */
	public static void soon(int atMost, Writing writing) throws IOException {
		if (atMost <= 1 || CURRENT.get() != null) {
			writing.write();
			return;
		}
		CURRENT.set(new WriteCoalescing(atMost));
		try {
			writing.write();
		}
		finally {
			CURRENT.remove();
		}
	}

	/**
	 * How long the frame that this thread has just made may wait.
	 * @return most frames of one write; 0 if the frame is held until the thread releases
	 * it, 1 if it may not wait
	 */
	static int wish(CoalescingOutputStream stream) {
		WriteCoalescing current = CURRENT.get();
		if (current == null) {
			return 1;
		}
		if (current.atMost > 0) {
			return current.atMost;
		}
		if (current.held != null && current.held != stream) {
			return 1;
		}
		current.held = stream;
		return 0;
	}

	/** An action that writes to a connection. */
	@FunctionalInterface
	public interface Writing {

		/**
		 * Writes.
		 * @throws IOException if the connection is broken
		 */
		void write() throws IOException;

	}

}
