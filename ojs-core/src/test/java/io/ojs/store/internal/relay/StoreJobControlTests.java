package io.ojs.store.internal.relay;

import java.time.Clock;
import java.time.Duration;

import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who hears of a job that {@link StoreJobControl} cancels, and when.
 */
class StoreJobControlTests {

	private final OpenTransaction transaction = new OpenTransaction();

	private final ScriptedJobStore store = new ScriptedJobStore();

	private final ScriptedWorkers workers = new ScriptedWorkers();

	private final Relay relay = new Relay(new ScriptedRelayStore(), new ScriptedPublisher(), Clock.systemUTC(), 1,
			Duration.ofHours(1));

	private final StoreJobControl control = new StoreJobControl(this.store, this.transaction,
			new CommittedJobs(null, this.relay, (queue) -> false, Duration.ZERO), this.workers,
			new Cancellations(this.workers, Runnable::run), Clock.systemUTC());

	@Test
	void theWorkerOfAJobThatRunsHearsOfItOnceItIsCommitted() {
		this.store.state = JobState.ACTIVE;
		this.control.cancel(ScriptedJobStore.ID);
		assertThat(this.workers.cancelled).isEmpty();
		this.transaction.commit();
		assertThat(this.workers.cancelled).containsExactly(ScriptedJobStore.ID);
	}

}
