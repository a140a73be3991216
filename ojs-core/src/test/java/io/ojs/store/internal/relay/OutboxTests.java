package io.ojs.store.internal.relay;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.client.EnqueueException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.Admission;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@link Outbox} tells of jobs that it could not keep.
 */
class OutboxTests {

	private static final String FIRST = "019539a4-b68c-7def-8000-1a2b3c4d5e60";

	private final OpenTransaction transaction = new OpenTransaction();

	private final ScriptedJobStore store = new ScriptedJobStore();

	private final List<JobEvent> told = new ArrayList<>();

	private final JobEvents events = new JobEvents(List.of(this.told::add));

	private final Outbox outbox = new Outbox(this.store, this.transaction, Admission.OPEN,
			new CommittedJobs(null, null, (queue) -> false, Duration.ZERO),
			new Cancellations(new ScriptedWorkers(), Runnable::run), this.events, Clock.systemUTC());

	@Test
	void anIdThatIsTakenIsAnEnqueueExceptionOfThatJob() {
		this.store.refusal = new DuplicateIdException(ScriptedJobStore.ID, null);
		assertThatExceptionOfType(EnqueueException.class).isThrownBy(this::enqueue)
			.isInstanceOf(JobNotStoredException.class)
			.withCause(this.store.refusal)
			.withMessageContaining("leave the id out to have one made. It was not enqueued")
			.satisfies((ex) -> assertThat(ex.job().id()).isEqualTo(ScriptedJobStore.ID))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse());
		assertThat(this.told).isEmpty();
	}

	@Test
	void aDatabaseThatIsAwayIsAnEnqueueExceptionOfTheFirstJob() {
		this.store.refusal = new StoreUnavailableException("Could not keep jobs: nobody is there", null);
		assertThatExceptionOfType(JobNotStoredException.class).isThrownBy(this::enqueue)
			.withMessageContaining("nobody is there. It was not enqueued")
			.satisfies((ex) -> assertThat(ex.job().id()).isEqualTo(FIRST));
	}

	private void enqueue() {
		this.outbox.enqueue(List.of(job(FIRST), job(ScriptedJobStore.ID)), List.of(Map.of(), Map.of()));
	}

	private static EncodedJob job(String id) {
		return new EncodedJob(Job.builder(id, "test.it", "default").state(JobState.PENDING).build(), new byte[0], 3);
	}

}
