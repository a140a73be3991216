package io.ojs.amqp.internal.listen;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class PendingOutcomesTests {

	private final AtomicBoolean open = new AtomicBoolean(true);

	private final PendingOutcomes outcomes = new PendingOutcomes(2, this.open::get);

	@Test
	void whoStopsWaitsForWhatIsLeft() throws InterruptedException {
		assertThat(this.outcomes.enter()).isTrue();
		this.open.set(false);
		AtomicBoolean closed = new AtomicBoolean();
		Thread stopping = new Thread(() -> {
			this.outcomes.await();
			closed.set(true);
		});
		stopping.start();
		while (stopping.isAlive() && stopping.getState() != Thread.State.TIMED_WAITING) {
			Thread.onSpinWait();
		}
		assertThat(closed).isFalse();
		this.outcomes.left();
		stopping.join();
		assertThat(closed).isTrue();
	}

	/** A kill has as many jobs run again beside those that are running. */
	@Test
	void noMoreAreLeftThanMayRunAgain() {
		assertThat(this.outcomes.enter()).isTrue();
		assertThat(this.outcomes.enter()).isTrue();
		assertThat(this.outcomes.enter()).isFalse();
		assertThat(this.outcomes.enter()).as("asked in vain, which counts for nothing").isFalse();
		this.outcomes.left();
		assertThat(this.outcomes.enter()).isTrue();
		assertThat(this.outcomes.enter()).isFalse();
	}

	@Test
	void nothingIsLeftToOthersWhenItStops() {
		this.open.set(false);
		assertThat(this.outcomes.enter()).isFalse();
		CompletableFuture<Void> stopping = CompletableFuture.runAsync(this.outcomes::await);
		stopping.join();
	}

}
