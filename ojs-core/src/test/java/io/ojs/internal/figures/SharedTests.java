package io.ojs.internal.figures;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.ControlException;
import io.ojs.internal.thread.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Many callers cost what one does.
 */
class SharedTests {

	private final ExecutorService sources = Executors.newFixedThreadPool(2,
			(task) -> Threads.daemon(task, "test-source"));

	private final ExecutorService callers = Executors.newFixedThreadPool(20,
			(task) -> Threads.daemon(task, "test-caller"));

	private final AtomicInteger made = new AtomicInteger();

	@AfterEach
	void close() {
		this.sources.shutdownNow();
		this.callers.shutdownNow();
	}

	@Test
	void callersAtTheSameTimeShareAnAnswer() throws Exception {
		CountDownLatch all = new CountDownLatch(1);
		Shared<Integer> shared = new Shared<>(() -> {
			try {
				all.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return this.made.incrementAndGet();
		}, this.sources, Shared.PATIENCE);
		List<Future<Integer>> answers = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			answers.add(this.callers.submit(shared::get));
		}
		all.countDown();
		for (Future<Integer> answer : answers) {
			assertThat(answer.get()).isEqualTo(1);
		}
		assertThat(shared.get()).isEqualTo(1);
		assertThat(this.made).hasValue(1);
	}

	@Test
	void failureIsThrownAndNotKept() {
		Shared<Integer> shared = new Shared<>(() -> {
			if (this.made.incrementAndGet() == 1) {
				throw new IllegalStateException("away");
			}
			return this.made.get();
		}, this.sources, Shared.PATIENCE);
		assertThatIllegalStateException().isThrownBy(shared::get).withMessage("away");
		assertThat(shared.get()).isEqualTo(2);
	}

	/** Such as a database whose connection was lost silently. */
	@Test
	void sourceThatIsSilentIsAskedAgainAndNotWaitedFor() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		CountDownLatch second = new CountDownLatch(1);
		Shared<Integer> shared = new Shared<>(() -> {
			try {
				(this.made.incrementAndGet() == 1 ? never : second).await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return this.made.get();
		}, this.sources, Duration.ofSeconds(2));
		assertThatExceptionOfType(ControlException.class).isThrownBy(shared::get).withMessageContaining("2000 ms");
		long began = System.nanoTime();
		assertThatExceptionOfType(ControlException.class).isThrownBy(shared::get);
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
		second.countDown();
		await().ignoreException(ControlException.class).until(shared::get, (value) -> value == 2);
	}

}
