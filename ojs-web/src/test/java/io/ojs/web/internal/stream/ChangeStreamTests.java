package io.ojs.web.internal.stream;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.ojs.event.internal.EventTail;
import io.ojs.web.internal.Doubles;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writing to a client, at its own pace.
 */
class ChangeStreamTests {

	private final Output out = new Output();

	private final List<String> calls = new ArrayList<>();

	private final AsyncContext async = Doubles.of(AsyncContext.class, (method, arguments) -> this.calls.add(method));

	private final List<ChangeStream> ended = new ArrayList<>();

	private final ChangeStream stream = new ChangeStream(null, this.async, this.out, Clock.systemUTC(),
			this.ended::add);

	@Test
	void nothingIsWrittenBeforeTheContainerAllowsIt() {
		this.stream.offer(changes("j1"));
		assertThat(this.out.written).isEmpty();
		this.stream.onWritePossible();
		assertThat(this.out.written).singleElement().asString().contains("\"job_ids\":[\"j1\"]");
		assertThat(this.out.flushed).isEqualTo(1);
	}

	@Test
	void headersAreSentAtOnce() {
		this.stream.onWritePossible();
		assertThat(this.out.written).containsExactly(": ping\n\n");
	}

	@Test
	void changesAreAddedUpWhileTheClientTakesNothing() {
		this.stream.onWritePossible();
		this.out.ready = false;
		Changes shared = changes("j1");
		this.stream.offer(shared);
		this.stream.offer(changes("j2"));
		this.stream.offer(changes("j3"));
		this.stream.ping();
		assertThat(this.out.written).hasSize(1);
		assertThat(this.stream.isStuck(Duration.ZERO)).isTrue();
		assertThat(this.stream.isStuck(Duration.ofMinutes(1))).isFalse();
		this.out.ready = true;
		this.stream.onWritePossible();
		assertThat(this.out.written).hasSize(2).last().asString().contains("\"enqueued\":3", "[\"j1\",\"j2\",\"j3\"]");
		assertThat(new String(shared.message(Clock.systemUTC().instant()), StandardCharsets.UTF_8))
			.as("other streams have it too")
			.contains("\"job_ids\":[\"j1\"]");
		assertThat(this.stream.isStuck(Duration.ZERO)).isFalse();
	}

	static Stream<Exception> failures() {
		return Stream.of(new IOException("Broken pipe"), new NullPointerException("the response is recycled"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void clientThatIsGoneEndsTheStreamOnce(Exception failure) {
		this.stream.onWritePossible();
		this.out.failure = failure;
		this.stream.offer(changes("j1"));
		this.stream.offer(changes("j2"));
		this.stream.end();
		assertThat(this.ended).containsExactly(this.stream);
		assertThat(this.calls).containsExactly("complete");
	}

	private static Changes changes(String job) {
		Changes changes = new Changes();
		changes.add(new EventTail.Event("job.enqueued", job, "mail"));
		return changes;
	}

	/**
	 * Takes bytes, or does not.
	 */
	private static final class Output extends ServletOutputStream {

		private final List<String> written = new ArrayList<>();

		private boolean ready = true;

		private @Nullable Exception failure;

		private int flushed;

		@Override
		public boolean isReady() {
			return this.ready;
		}

		@Override
		public void setWriteListener(WriteListener listener) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void write(int b) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void write(byte[] text, int from, int length) throws IOException {
			if (this.failure instanceof IOException ex) {
				throw ex;
			}
			if (this.failure instanceof RuntimeException ex) {
				throw ex;
			}
			this.written.add(new String(text, from, length, StandardCharsets.UTF_8));
		}

		@Override
		public void flush() {
			this.flushed++;
		}

	}

}
