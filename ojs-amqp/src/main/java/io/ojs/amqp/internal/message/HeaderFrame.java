package io.ojs.amqp.internal.message;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import org.jspecify.annotations.Nullable;

/**
 * The frame that carries a message's properties and headers. AMQP splits a body into
 * frames, but not this frame, so properties and headers that exceed one frame cannot be
 * sent.
 */
public final class HeaderFrame {

	/** The value that AMQP uses for no limit. */
	private static final int NO_LIMIT = 0;

	/** The smallest limit that AMQP allows (AMQP 0-9-1 §4.2.3). */
	private static final int SMALLEST_LIMIT = 4096;

	/** In bytes, of a property or a header's name. */
	private static final int LONGEST_SHORT_STRING = 255;

	private static final int MOST_BYTES_OF_A_CHAR = 3;

	/** Covers all parts of the frame that have a fixed length. */
	private static final int FIXED = 128;

	/** Covers a header's type and length, or a number. */
	private static final int VALUE = 16;

	private static final int UNKNOWN = SMALLEST_LIMIT;

	private HeaderFrame() {
	}

	/**
	 * Computes the length of the frame.
	 * @throws IllegalArgumentException if AMQP cannot encode one of them
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
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit
	 * @throws IllegalArgumentException if the frame is longer, or if AMQP cannot encode a
	 * property or header
	 */
	public static void check(BasicProperties properties, int frameMax) {
		if (atMost(properties) < SMALLEST_LIMIT) {
			// The case of nearly all messages. An exact check costs as much as encoding
			// the frame.
			return;
		}
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

	/**
	 * An upper bound of the frame's length, computed without encoding it. It is
	 * {@link #UNKNOWN} or more if it does not show whether AMQP can encode all values.
	 */
	private static int atMost(BasicProperties properties) {
		int size = FIXED + text(properties.getContentType()) + text(properties.getContentEncoding())
				+ text(properties.getCorrelationId()) + text(properties.getReplyTo()) + text(properties.getExpiration())
				+ text(properties.getMessageId()) + text(properties.getType()) + text(properties.getUserId())
				+ text(properties.getAppId()) + text(properties.getClusterId());
		if (properties.getHeaders() != null) {
			for (Map.Entry<String, Object> header : properties.getHeaders().entrySet()) {
				size += (header.getKey() != null) ? text(header.getKey()) + value(header.getValue()) : UNKNOWN;
				if (size >= SMALLEST_LIMIT) {
					return size;
				}
			}
		}
		return size;
	}

	private static int text(@Nullable String text) {
		int length = (text != null) ? text.length() : 0;
		return (length <= LONGEST_SHORT_STRING / MOST_BYTES_OF_A_CHAR) ? length * MOST_BYTES_OF_A_CHAR : UNKNOWN;
	}

	private static int value(@Nullable Object value) {
		if (value instanceof String text) {
			return VALUE + Math.min(text.length(), SMALLEST_LIMIT) * MOST_BYTES_OF_A_CHAR;
		}
		return (value instanceof Integer || value instanceof Long || value instanceof Boolean) ? VALUE : UNKNOWN;
	}

}
