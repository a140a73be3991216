package io.ojs.amqp.write;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Has frames of a connection written to its socket together. A write costs the process
 * and the broker more than the frame in it, if the frame is an ack. It has an effect on
 * connections whose sockets {@link CoalescingSocketFactory} made; on all others, and for
 * all other threads, frames are written when they are made.
 * <p>
 * Frames keep their order, whichever thread made them: what is held is written before the
 * next frame that may not wait.
 */
public final class WriteCoalescing {

	private static final ThreadLocal<WriteCoalescing> CURRENT = new ThreadLocal<>();

	/**
	 * How many may go together; 0 is all that its thread writes until it releases them.
	 */
	private final int atMost;

	private @Nullable CoalescingOutputStream held;

	private WriteCoalescing(int atMost) {
		this.atMost = atMost;
	}

	/**
	 * Has what an action publishes written together, at its end or when it has become
	 * long. Before it waits for an answer of the broker it must {@linkplain #release()
	 * release} what is held. If the connection breaks in the end, its listeners hear of
	 * it, and the caller does not.
	 * @param action publishes
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
	 * Writes what is held for this thread: it is about to wait for an answer. What it
	 * makes from here on is written when it is made.
	 */
	public static void release() {
		WriteCoalescing current = CURRENT.get();
		CURRENT.remove();
		if (current != null && current.held != null) {
			current.held.writeQuietly();
		}
	}

	/**
	 * Has what an action writes wait for more of the same, while more of the same is
	 * coming: no longer than a millisecond, and none if the last one on its connection
	 * was longer ago.
	 * @param atMost how many such writes make one, at most; one and less do not wait
	 * @param writing what writes
	 * @throws IOException if it is thrown by the action
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
	 * What the thread at hand thinks of a frame that it has just made.
	 * @param stream where to
	 * @return how many may go together: 0 if it is held until its thread releases it, and
	 * 1 if it may not wait
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

	/** Writes to a connection. */
	@FunctionalInterface
	public interface Writing {

		/**
		 * Writes.
		 * @throws IOException if the connection is broken
		 */
		void write() throws IOException;

	}

}
