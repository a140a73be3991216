package io.ojs.store.internal.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.ojs.TestClock;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.relay.Relay;
import io.ojs.store.internal.relay.ScriptedPublisher;
import io.ojs.store.internal.relay.ScriptedRelayStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class ReaperTests {

	private final ScriptedRelayStore relayStore = new ScriptedRelayStore();

	private final Relay relay = new Relay(this.relayStore, new ScriptedPublisher(), new TestClock(), 500,
			Duration.ofHours(1));

	private final LostRuns store = new LostRuns();

	private final Reaper reaper = new Reaper(this.store, this.relay,
			new LeaseGrace(Duration.ofSeconds(30), new TestClock()));

	@AfterEach
	void close() {
		this.relay.close();
	}

	@Test
	void itGoesOnUntilThereIsNothingMoreToTakeBack() {
		this.store.lost.add(lost(100, JobState.AVAILABLE));
		this.store.lost.add(lost(100, JobState.AVAILABLE));
		this.store.lost.add(lost(99, JobState.AVAILABLE));
		this.store.lost.add(lost(1, JobState.AVAILABLE));
		this.reaper.reap();
		assertThat(this.store.lost).hasSize(1);
		assertThat(this.store.limits).containsExactly(100, 100, 100);
	}

	@Test
	void relayIsWokenForWhatIsAvailableAgainAlsoIfTheStoreGoesAwayThen() {
		startRelay();
		this.store.lost.add(lost(100, JobState.AVAILABLE));
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this.reaper::reap);
		await().until(() -> this.relayStore.count("nextAt") == 2);
	}

	@Test
	void whatHasNoAttemptLeftIsNotPublished() {
		startRelay();
		this.store.lost.add(lost(2, JobState.DISCARDED));
		this.reaper.reap();
		await().during(Duration.ofMillis(100)).until(() -> this.relayStore.count("nextAt") == 1);
	}

	/** A slow listener is no slow store. */
	@Test
	void listenersAreToldWhenTheStoreHasAnswered() {
		this.store.lost.add(lost(1, JobState.AVAILABLE));
		this.reaper.reap();
		assertThat(this.store.calls).containsExactly("telling", "reap", "told");
	}

	private void startRelay() {
		this.relay.start();
		await().until(() -> this.relayStore.count("nextAt") == 1);
	}

	private static List<StoredJob> lost(int count, JobState state) {
		return IntStream.range(0, count).mapToObj((number) -> {
			Job job = Job.builder(ScriptedPublisher.id(number), "test.it", "default")
				.state(state)
				.attempt(2)
				.errors(List.of(error("the first"), error("the second")))
				.build();
			Instant deadLetteredAt = (state == JobState.DISCARDED) ? TestClock.START : null;
			return new StoredJob(job, 2, Map.of(), null, deadLetteredAt, null, 0);
		}).toList();
	}

	private static JobError error(String message) {
		return new JobError("lease_lost", "WORKER_LOST", message, 1, Rfc3339.utc(TestClock.START), List.of(), Map.of());
	}

	/** Batches of lost runs; then the database is away. */
	private static final class LostRuns implements AttemptStore {

		private final Deque<List<StoredJob>> lost = new ArrayDeque<>();

		private final List<Integer> limits = new CopyOnWriteArrayList<>();

		private final List<String> calls = new CopyOnWriteArrayList<>();

		@Override
		public <T> T telling(Supplier<T> work) {
			this.calls.add("telling");
			try {
				return work.get();
			}
			finally {
				this.calls.add("told");
			}
		}

		@Override
		public List<StoredJob> reap(Instant now, int limit) {
			this.calls.add("reap");
			this.limits.add(limit);
			if (this.lost.isEmpty()) {
				throw new StoreUnavailableException("The database is away.", null);
			}
			return this.lost.remove();
		}

		@Override
		public List<Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean settle(Outcome outcome, Instant now) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<Boolean> settle(List<? extends Outcome> outcomes, Instant now) {
			throw new UnsupportedOperationException();
		}

	}

}
