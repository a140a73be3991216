package io.ojs.store.internal.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.ojs.TestClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A relay at work, on its own thread.
 */
@Timeout(60)
class RelayLifecycleTests {

	private final ScriptedRelayStore store = new ScriptedRelayStore();

	private final ScriptedPublisher publisher = new ScriptedPublisher();

	/** Looks by itself so rarely that nobody lives to see it. */
	private final Relay relay = new Relay(this.store, this.publisher, new TestClock(), 500, Duration.ofHours(1));

	@AfterEach
	void close() {
		this.publisher.answer = CompletableFuture.completedFuture(PublishReport.NOTHING);
		this.relay.close();
	}

	@Test
	void whoeverWakesItHasJobsPublished() {
		this.relay.start();
		awaitRounds(1);
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1));
		this.relay.wake();
		await().until(() -> this.store.published.size() == 1);
	}

	@Test
	void wakingItDuringARoundIsNotForgotten() {
		this.store.before = (method) -> {
			// It has looked for jobs already.
			if (method.equals("nextAt") && this.publisher.published.isEmpty()) {
				this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1));
				this.relay.wake();
			}
		};
		this.relay.start();
		await().until(() -> this.store.published.size() == 1);
	}

	@Test
	void storeThatIsAwayIsAskedAgainLaterWhoeverWakesIt() {
		this.store.away("take");
		this.relay.start();
		await().until(() -> this.store.count("take") == 1);
		for (int i = 0; i < 10_000; i++) {
			this.relay.wake();
		}
		assertThat(this.store.count("take")).isLessThan(4);
		this.store.failures.clear();
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1));
		await().until(() -> this.store.published.size() == 1);
	}

	@Test
	void errorsDoNotEndIt() {
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1));
		this.publisher.failure = new NoClassDefFoundError("something is missing");
		this.relay.start();
		await().until(() -> !this.publisher.published.isEmpty());
		this.publisher.failure = null;
		this.store.waiting.addAll(ScriptedPublisher.jobs(1, 2));
		await().until(() -> this.store.published.contains(ScriptedPublisher.ids(1, 2)));
	}

	@Test
	void interruptsDoNotEndIt() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		this.store.before = (method) -> thread.set(Thread.currentThread());
		this.relay.start();
		awaitRounds(1);
		thread.get().interrupt();
		awaitRounds(2);
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1));
		this.relay.wake();
		await().until(() -> this.store.published.size() == 1);
	}

	@Test
	void closingWaitsForWhatIsBeingPublishedAndTakesNothingMore() throws Exception {
		CompletableFuture<PublishReport> answer = new CompletableFuture<>();
		this.publisher.answer = answer;
		List<RelayedJob> first = ScriptedPublisher.jobs(0, 500);
		this.store.ordered.addAll(first);
		this.store.waiting.addAll(ScriptedPublisher.jobs(500, 501));
		this.relay.start();
		await().until(() -> !this.publisher.published.isEmpty());
		Thread closer = new Thread(this.relay::close);
		closer.start();
		await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
		answer.complete(this.publisher.report(first));
		closer.join();
		assertThat(this.store.published).singleElement().satisfies((ids) -> assertThat(ids).hasSize(500));
		assertThat(this.store.waiting).hasSize(1);
	}

	@Test
	void itMayBeClosedBeforeItStartsAndStartedAgainAfterwards() {
		this.relay.close();
		for (int round = 0; round < 2; round++) {
			this.relay.start();
			this.store.waiting.addAll(ScriptedPublisher.jobs(round, round + 1));
			this.relay.wake();
			int published = round + 1;
			await().until(() -> this.store.published.size() == published);
			this.relay.close();
		}
	}

	@Test
	void brokerThatHangsHoldsUpNoOtherInstance() {
		this.publisher.answer = new CompletableFuture<>();
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 500));
		this.relay.start();
		await().until(() -> !this.publisher.published.isEmpty());
		this.store.waiting.addAll(ScriptedPublisher.jobs(500, 501));
		ScriptedPublisher broker = new ScriptedPublisher();
		try (Relay other = new Relay(this.store, broker, new TestClock(), 500, Duration.ofHours(1))) {
			other.start();
			await().until(() -> broker.published.size() == 1);
		}
		assertThat(broker.published).containsExactly(ScriptedPublisher.ids(500, 501));
		CompletableFuture<PublishReport> answer = this.publisher.answer;
		assertThat(answer).isNotNull();
		answer.complete(PublishReport.NOTHING);
	}

	private void awaitRounds(int rounds) {
		await().until(() -> this.store.count("nextAt") >= rounds);
	}

}
