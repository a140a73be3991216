package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who hears of a job that {@link StoreJobControl} cancels, and when.
 */
class StoreJobControlTests {

	private final OpenTransaction transaction = new OpenTransaction();

	private final ScriptedJobStore store = new ScriptedJobStore();

	private final List<JobEvent> told = new ArrayList<>();

	private final JobEvents events = new JobEvents(List.of(this.told::add));

	private final ScriptedWorkers workers = new ScriptedWorkers();

	private final Relay relay = new Relay(new ScriptedRelayStore(), new ScriptedPublisher(), new JobEvents(List.of()),
			Clock.systemUTC(), 1, Duration.ofHours(1));

	private final StoreJobControl control = new StoreJobControl(this.store, this.transaction,
			new CommittedJobs(null, this.relay, (queue) -> false, Duration.ZERO), this.workers,
			new Cancellations(this.workers, this.events, Runnable::run), this.events, Clock.systemUTC());

	@ParameterizedTest
	@EnumSource(names = { "AVAILABLE", "SCHEDULED", "PENDING", "RETRYABLE" })
	void listenersHearOfAJobThatWaitsOnceItIsCommitted(JobState state) {
		this.store.state = state;
		assertThat(this.control.cancel(ScriptedJobStore.ID).map(Job::state)).contains(JobState.CANCELLED);
		assertThat(this.told).isEmpty();
		this.transaction.commit();
		assertThat(this.told).singleElement()
			.isInstanceOfSatisfying(JobEvent.Cancelled.class,
					(event) -> assertThat(event.job().id()).isEqualTo(ScriptedJobStore.ID));
		assertThat(this.workers.cancelled).isEmpty();
	}

	@Test
	void theWorkerOfAJobThatRunsHearsOfItAndTellsTheListeners() {
		this.store.state = JobState.ACTIVE;
		this.control.cancel(ScriptedJobStore.ID);
		assertThat(this.workers.cancelled).isEmpty();
		this.transaction.commit();
		assertThat(this.workers.cancelled).containsExactly(ScriptedJobStore.ID);
		assertThat(this.told).isEmpty();
	}

	@Test
	void listenersHearOfAJobThatIsActivatedOnceItIsCommitted() {
		this.control.activate(ScriptedJobStore.ID);
		assertThat(this.told).isEmpty();
		this.transaction.commit();
		assertThat(this.told).singleElement()
			.isInstanceOfSatisfying(JobEvent.Enqueued.class,
					(event) -> assertThat(event.job().id()).isEqualTo(ScriptedJobStore.ID));
	}

}
