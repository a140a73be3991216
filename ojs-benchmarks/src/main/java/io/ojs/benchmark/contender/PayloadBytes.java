package io.ojs.benchmark.contender;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Payloads as what is written by hand would send them: cheaper than any JSON. */
final class PayloadBytes {

	/** As long as the envelope of a job of the others. */
	private static final int SIZE = 200;

	private PayloadBytes() {
	}

	static byte[] of(Payload payload) {
		ByteBuffer buffer = ByteBuffer.allocate(SIZE);
		buffer.putLong(payload.sentAt());
		buffer.put(payload.text().getBytes(StandardCharsets.ISO_8859_1));
		return buffer.array();
	}

	static long sentAt(byte[] bytes) {
		return ByteBuffer.wrap(bytes).getLong();
	}

}
