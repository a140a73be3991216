package io.ojs.amqp.internal.write;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * When frames get to the socket, and in which order.
 */
class CoalescingOutputStreamTests {

	private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

	private final List<String> written = new CopyOnWriteArrayList<>();

	private final AtomicBoolean closed = new AtomicBoolean();

	private final AtomicReference<Throwable> broken = new AtomicReference<>();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final AtomicInteger threadsToFail = new AtomicInteger();

	private final AtomicLong nanoTime = new AtomicLong(-5);

	private final CoalescingOutputStream stream = new CoalescingOutputStream(socket(), this::close, this.nanoTime::get,
			this::thread);

	@AfterEach
	void end() {
		this.stream.end();
	}

	@Test
	void aFrameIsWrittenWhenItIsComplete() throws IOException {
		this.stream.write("a".getBytes(StandardCharsets.US_ASCII));
		assertThat(this.written).isEmpty();
		this.stream.flush();
		assertThat(this.written).containsExactly("a");
		frame("b");
		assertThat(this.written).containsExactly("a", "b");
	}

	@Test
	void framesOfABatchAreWrittenTogetherAtItsEnd() throws IOException {
		WriteCoalescing.together(() -> {
			frameOf("a");
			WriteCoalescing.together(() -> frameOf("b"));
			frameOf("c");
			assertThat(this.written).isEmpty();
		});
		assertThat(this.written).containsExactly("abc");
		frame("d");
		assertThat(this.written).containsExactly("abc", "d");
	}

	@Test
	void whatAnotherThreadWritesTakesWhatIsHeldWithItInOrder() {
		WriteCoalescing.together(() -> {
			frameOf("a");
			CompletableFuture.runAsync(() -> frameOf("b")).join();
			assertThat(this.written).containsExactly("ab");
			frameOf("c");
		});
		assertThat(this.written).containsExactly("ab", "c");
	}

	@Test
	void whoeverWaitsForAnAnswerHasTheQuestionWritten() {
		WriteCoalescing.together(() -> {
			frameOf("a");
			WriteCoalescing.release();
			assertThat(this.written).containsExactly("a");
			frameOf("b");
			assertThat(this.written).containsExactly("a", "b");
		});
	}

	@Test
	void aBatchThatFailsIsWrittenAsFarAsItCame() {
		assertThatIllegalStateException().isThrownBy(() -> WriteCoalescing.together(() -> {
			frameOf("a");
			throw new IllegalStateException("enough");
		}));
		assertThat(this.written).containsExactly("a");
		frameOf("b");
		assertThat(this.written).containsExactly("a", "b");
	}

	@Test
	void twoConnectionsInOneBatchBothGetTheirFrames() throws IOException {
		List<String> ofTheOther = new CopyOnWriteArrayList<>();
		try (CoalescingOutputStream other = new CoalescingOutputStream(socket(ofTheOther), () -> {
		})) {
			WriteCoalescing.together(() -> {
				frameOf("a");
				frame(other, "b");
				frameOf("c");
				frame(other, "d");
			});
			assertThat(this.written).containsExactly("ac");
			assertThat(String.join("", ofTheOther)).isEqualTo("bd");
		}
	}

	@Test
	void whatDoesNotFitIsWrittenBeforeAndInOrder() {
		String long1 = "x".repeat(40_000);
		String long2 = "y".repeat(40_000);
		String longer = "z".repeat(70_000);
		WriteCoalescing.together(() -> {
			frameOf(long1);
			frameOf(long2);
			assertThat(this.written).containsExactly(long1);
			frameOf(longer);
			frameOf("a");
			assertThat(this.written).containsExactly(long1, long2, longer);
		});
		assertThat(this.written).containsExactly(long1, long2, longer, "a");
	}

	@Test
	void anAckAloneDoesNotWait() throws IOException {
		ack("a", 10);
		assertThat(this.written).containsExactly("a");
		this.nanoTime.addAndGet(MILLISECOND);
		ack("b", 10);
		assertThat(this.written).containsExactly("a", "b");
	}

	@Test
	void acksThatFollowEachOtherAreWrittenTogetherAndNoMoreThanMay() throws IOException {
		ack("a", 3);
		ack("b", 3);
		ack("c", 3);
		assertThat(this.written).containsExactly("a");
		ack("d", 3);
		assertThat(this.written).containsExactly("a", "bcd");
		ack("e", 3);
		assertThat(this.written).containsExactly("a", "bcd");
		frame("f");
		assertThat(this.written).containsExactly("a", "bcd", "ef");
	}

	@Test
	void theFirstThatWaitsSaysWhenTheyAreWrittenHoweverManyFollow() throws IOException {
		ack("a", 10);
		ack("b", 10);
		this.nanoTime.addAndGet(MILLISECOND * 9 / 10);
		ack("c", 10);
		assertThat(this.written).containsExactly("a");
		this.nanoTime.addAndGet(MILLISECOND * 2 / 10);
		await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(this.written).containsExactly("a", "bc"));
	}

	@Test
	void whereOneMayBeHeldNoneIs() throws IOException {
		for (String name : List.of("a", "b", "c")) {
			ack(name, 1);
		}
		ack("d", 0);
		assertThat(this.written).containsExactly("a", "b", "c", "d");
	}

	@Test
	void anAckThatNoneFollowsIsWrittenByItself() throws IOException {
		CoalescingOutputStream real = new CoalescingOutputStream(socket(), () -> {
		}, System::nanoTime, this::thread);
		try {
			for (int round = 1; round <= 3; round++) {
				// More than one: the first one does not wait.
				for (int i = 0; i < 20; i++) {
					WriteCoalescing.soon(100, () -> frame(real, "a"));
				}
				int soFar = 20 * round;
				await().atMost(Duration.ofSeconds(10))
					.untilAsserted(() -> assertThat(String.join("", this.written)).hasSize(soFar));
				// Its thread rests, and has to be woken.
				await().atMost(Duration.ofSeconds(10))
					.until(() -> this.threads.stream().allMatch((each) -> each.getState() == Thread.State.WAITING));
			}
		}
		finally {
			real.end();
		}
	}

	@Test
	void itsThreadEndsWithTheConnectionEvenIfItRests() throws IOException {
		ack("a", 3);
		ack("b", 3);
		frame("c");
		Thread writer = this.threads.get(0);
		await().atMost(Duration.ofSeconds(10)).until(() -> writer.getState() == Thread.State.WAITING);
		this.stream.end();
		await().atMost(Duration.ofSeconds(10)).until(() -> !writer.isAlive());
	}

	@Test
	void aWriteThatFailsClosesTheConnection() {
		this.broken.set(new IOException("broken pipe"));
		assertThatIOException().isThrownBy(() -> frame("a"));
		assertThat(this.closed).isTrue();
	}

	@Test
	void aLateWriteThatFailsClosesTheConnectionAndNobodyElseHearsOfIt() {
		this.broken.set(new IOException("broken pipe"));
		WriteCoalescing.together(() -> frameOf("a"));
		assertThat(this.closed).isTrue();
		assertThatIOException().isThrownBy(() -> frame("b"));
	}

	@Test
	void whateverAWriteFailsOfTheConnectionIsClosed() {
		this.broken.set(new OutOfMemoryError("Cannot reserve direct buffer memory"));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> frame("a"));
		assertThat(this.closed).isTrue();
		this.closed.set(false);
		WriteCoalescing.together(() -> frameOf("b"));
		assertThat(this.closed).isTrue();
	}

	@Test
	void withoutAThreadNothingWaits() throws IOException {
		this.threadsToFail.set(1);
		ack("a", 3);
		ack("b", 3);
		assertThat(this.written).containsExactly("a", "b");
		ack("c", 3);
		assertThat(this.written).containsExactly("a", "b");
		frame("d");
		assertThat(this.written).containsExactly("a", "b", "cd");
	}

	@Test
	void itsThreadKnowsNothingOfTheJobThatStartedIt() throws IOException {
		InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
		tenant.set("acme");
		AtomicReference<String> seen = new AtomicReference<>("nothing was written");
		CoalescingOutputStream real = new CoalescingOutputStream(new OutputStream() {

			@Override
			public void write(int b) {
				throw new UnsupportedOperationException();
			}

			@Override
			public void write(byte[] bytes, int offset, int count) {
				if (Thread.currentThread().getName().equals("ojs-acks")) {
					seen.set(tenant.get());
				}
			}

		}, () -> {
		});
		try {
			await().atMost(Duration.ofSeconds(10)).until(() -> {
				WriteCoalescing.soon(100, () -> frame(real, "a"));
				WriteCoalescing.soon(100, () -> frame(real, "b"));
				return !"nothing was written".equals(seen.get());
			});
			assertThat(seen).hasValue(null);
		}
		finally {
			real.end();
			tenant.remove();
		}
	}

	private Thread thread(Runnable target) {
		Thread thread = new Thread(target, "ojs-acks") {

			@Override
			public void start() {
				if (CoalescingOutputStreamTests.this.threadsToFail.getAndDecrement() > 0) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				super.start();
			}

		};
		thread.setDaemon(true);
		this.threads.add(thread);
		return thread;
	}

	private void ack(String name, int together) throws IOException {
		WriteCoalescing.soon(together, () -> frame(name));
	}

	private void frame(String name) throws IOException {
		this.stream.write(name.getBytes(StandardCharsets.US_ASCII));
		this.stream.flush();
	}

	private void frameOf(String name) {
		frame(this.stream, name);
	}

	private static void frame(OutputStream stream, String name) {
		try {
			stream.write(name.getBytes(StandardCharsets.US_ASCII));
			stream.flush();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void close() {
		this.closed.set(true);
	}

	private OutputStream socket() {
		return socket(this.written);
	}

	private OutputStream socket(List<String> written) {
		return new OutputStream() {

			@Override
			public void write(int b) {
				throw new UnsupportedOperationException();
			}

			@Override
			public void write(byte[] bytes, int offset, int count) throws IOException {
				Throwable broken = CoalescingOutputStreamTests.this.broken.get();
				if (broken instanceof Error error) {
					throw error;
				}
				if (broken != null) {
					throw (IOException) broken;
				}
				written.add(new String(bytes, offset, count, StandardCharsets.US_ASCII));
			}

		};
	}

}
