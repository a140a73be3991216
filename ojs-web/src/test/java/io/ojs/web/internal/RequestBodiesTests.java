package io.ojs.web.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import io.ojs.web.HttpFailure;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The limits on one body, and on all bodies in memory.
 */
class RequestBodiesTests {

	private static final int MAX = 200_000;

	private static final int MAX_TOTAL = 300_000;

	private final RequestBodies bodies = new RequestBodies(MAX, MAX_TOTAL);

	@Test
	void bodyIsReadToItsEnd() throws IOException {
		assertThat(read(0)).isZero();
		assertThat(read(MAX)).isEqualTo(MAX);
	}

	@ParameterizedTest
	@ValueSource(longs = { -1, 0, MAX })
	void bodyAboveTheLimitIsRefusedWhateverContentLengthSays(long announced) {
		refused(() -> this.bodies.with(body(MAX + 1), announced, (bytes) -> bytes.length), 413, "200000");
	}

	@Test
	void bodyAnnouncedAboveTheLimitIsNotRead() {
		refused(() -> this.bodies.with(broken(), MAX + 1, (bytes) -> bytes.length), 413, "200000");
	}

	@Test
	void memoryIsReleasedAfterEachOutcome() throws IOException {
		refused(() -> this.bodies.with(body(MAX + 1), -1, (bytes) -> bytes.length), 413, "200000");
		assertThatIOException().isThrownBy(() -> this.bodies.with(broken(), -1, (bytes) -> bytes.length));
		assertThatIllegalStateException().isThrownBy(() -> this.bodies.with(body(MAX), MAX, (bytes) -> {
			throw new IllegalStateException("The endpoint failed");
		}));
		refused(() -> this.bodies.with(body(MAX), MAX, (bytes) -> readNow(MAX)), 429, "300000");
		int all = this.bodies.with(body(MAX), MAX, (bytes) -> bytes.length + readNow(MAX_TOTAL - MAX));
		assertThat(all).isEqualTo(MAX_TOTAL);
	}

	/** Otherwise a slow sender could block others by its Content-Length alone. */
	@Test
	void onlyReceivedBytesCount() throws IOException {
		int arrived = 64 * 1024;
		InputStream slow = new InputStream() {

			private int at;

			@Override
			public int read() {
				if (this.at == arrived) {
					assertThat(readNow(MAX)).isEqualTo(MAX);
					refused(() -> RequestBodiesTests.this.bodies.with(body(MAX), MAX, (bytes) -> readNow(MAX)), 429,
							"300000");
				}
				return (this.at++ < 2 * arrived) ? 'x' : -1;
			}

		};
		int length = this.bodies.with(slow, MAX, (bytes) -> {
			refused(() -> read(MAX), 429, "300000");
			return bytes.length;
		});
		assertThat(length).isEqualTo(2 * arrived);
	}

	private int read(int length) throws IOException {
		return this.bodies.with(body(length), length, (bytes) -> bytes.length);
	}

	private int readNow(int length) {
		try {
			return read(length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static InputStream body(int length) {
		return new ByteArrayInputStream(new byte[length]);
	}

	/** The connection is lost after some bytes. */
	private static InputStream broken() {
		return new InputStream() {

			private int left = 100_000;

			@Override
			public int read() throws IOException {
				if (this.left == 0) {
					throw new IOException("Connection reset");
				}
				this.left--;
				return 'x';
			}

		};
	}

	private static void refused(ThrowingCallable call, int status, String shown) {
		assertThatExceptionOfType(HttpFailure.class).isThrownBy(call)
			.withMessageContaining(shown)
			.matches((ex) -> ex.error().status() == status)
			.matches((ex) -> ex.error().retryable() == (status == 429));
	}

}
