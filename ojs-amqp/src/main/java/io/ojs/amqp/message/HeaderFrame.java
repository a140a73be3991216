package io.ojs.amqp.message;

import java.io.IOException;
import java.io.UncheckedIOException;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * The frame that carries a message's properties and headers. Unlike a body it cannot be
 * split, so what does not fit into one cannot be sent.
 */
public final class HeaderFrame {

	/** What AMQP calls a connection without a limit. */
	private static final int NO_LIMIT = 0;

	private HeaderFrame() {
	}

	/**
	 * Tells how long the frame is.
	 * @param properties properties and headers
	 * @return its length in bytes
	 * @throws IllegalArgumentException if AMQP has no form for one of them
	 */
	public static int size(BasicProperties properties) {
		try {
			return properties.toFrame(0, 0).size();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Checks that the frame can be sent.
	 * @param properties properties and headers
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit
	 * @throws IllegalArgumentException if it is longer, or if AMQP has no form for one of
	 * them
	 */
	public static void check(BasicProperties properties, int frameMax) {
		int size = size(properties);
		if (!fits(size, frameMax)) {
			throw new IllegalArgumentException(
					"The properties and headers take %d bytes, but a frame of this connection has %d".formatted(size,
							frameMax));
		}
	}

	static boolean fits(int size, int frameMax) {
		return frameMax == NO_LIMIT || size <= frameMax;
	}

}
