package io.ojs.web.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;

/**
 * Reads bodies of requests, and bounds how many bytes are in memory at once. A byte
 * counts when it arrives, so a caller that sends slowly takes no more room than it has
 * sent.
 */
final class RequestBodies {

	private static final int CHUNK = 64 * 1024;

	private final long maxBytes;

	private final long maxTotalBytes;

	private final AtomicLong held = new AtomicLong();

	RequestBodies(long maxBytes, long maxTotalBytes) {
		this.maxBytes = maxBytes;
		this.maxTotalBytes = maxTotalBytes;
	}

	/**
	 * Reads a body and uses it.
	 * @param announced the length that the caller has announced, or -1
	 * @param use uses the bytes, which count until it returns
	 * @throws HttpFailure with 413 if the body is too large, with 429 if there are too
	 * many bytes in memory
	 */
	<T> T with(InputStream input, long announced, Function<byte[], T> use) throws IOException {
		if (announced > this.maxBytes) {
			throw HttpFailure.tooLarge(this.maxBytes);
		}
		long taken = 0;
		try {
			ByteArrayOutputStream body = new ByteArrayOutputStream();
			byte[] chunk = input.readNBytes(CHUNK);
			while (chunk.length > 0) {
				taken += chunk.length;
				if (this.held.addAndGet(chunk.length) > this.maxTotalBytes) {
					throw tooMany();
				}
				if (taken > this.maxBytes) {
					throw HttpFailure.tooLarge(this.maxBytes);
				}
				body.write(chunk);
				chunk = input.readNBytes(CHUNK);
			}
			return use.apply(body.toByteArray());
		}
		finally {
			this.held.addAndGet(-taken);
		}
	}

	private HttpFailure tooMany() {
		return new HttpFailure(HttpError
			.of(429, "rate_limited", "rate_limited",
					"The server is reading as many bodies as fit into its memory (%d bytes). Try again in a second."
						.formatted(this.maxTotalBytes))
			.retryAfter(1)
			.detail("max_total_bytes", this.maxTotalBytes));
	}

}
