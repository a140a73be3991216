package io.ojs.test.internal.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.LongAdder;

/**
 * One direction of a connection.
 *
 * @param direction the direction
 * @param bytes counts the forwarded bytes
 * @param copy receives a copy of the bytes
 */
record Way(Direction direction, LongAdder bytes, OutputStream copy) {

	void pass(byte[] buffer, int length, OutputStream to) throws IOException {
		this.copy.write(buffer, 0, length);
		to.write(buffer, 0, length);
		this.bytes.add(length);
	}

}
