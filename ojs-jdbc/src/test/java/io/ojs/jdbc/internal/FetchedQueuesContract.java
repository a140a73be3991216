package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.TakenMessage;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.WorkerState;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.jdbc.internal.worker.JdbcWorkerStore;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

abstract class FetchedQueuesContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Instant HELD = NOW.plusSeconds(300);

	private JdbcFetchedQueueStore queues() {
		return new JdbcFetchedQueueStore(this.stores.database);
	}

	private void keep(EncodedJob job, int attempt) {
		keep(job, attempt, QueueConfig.NONE);
	}

	private void keep(EncodedJob job, int attempt, QueueConfig config) {
		queues().keep(new LiveQueue("mail", QueueState.ACTIVE, config),
				List.of(new TakenMessage(job, attempt, "theirs", Map.of("x-ojs-trace-id", "xyz"), null)), NOW, HELD);
	}

	private List<String> relayed(Instant at) {
		return this.stores.relay.take(at, at.plusSeconds(30), 10).jobs().stream().map(RelayedJob::id).toList();
	}

	@Test
	void knowsWhatIsFetchedFrom() {
		queues().fetched(List.of("b", "a"), NOW);
		queues().fetched(List.of("a"), NOW.plusSeconds(60));
		queues().fetched(List.of("a"), NOW.plusSeconds(50));
		assertThat(queues().fetchedSince(NOW)).containsEntry("a", NOW.plusSeconds(60)).containsEntry("b", NOW);
		assertThat(queues().fetchedSince(NOW.plusSeconds(1))).containsOnlyKeys("a");
	}

	@Test
	void jobsOfOtherProducersAreAdopted() {
		EncodedJob foreign = this.stores.encoded((job) -> job.state(null).enqueuedAt(null));
		keep(foreign, 2);
		keep(foreign, 2);
		assertThat(this.stores.state(foreign)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.find(foreign).job().attempt()).isOne();
		assertThat(this.stores.find(foreign).headers()).containsEntry("x-ojs-trace-id", "xyz");
		assertThat(this.stores.events(foreign)).containsExactly("job.enqueued");
		assertThat(this.stores.relay.nextAt()).contains(HELD);
	}

	@Test
	void jobOfThisStoreIsNotAdoptedWhenItsRowIsGone() {
		EncodedJob gone = this.stores.encoded((job) -> job);
		queues().keep(new LiveQueue("mail", QueueState.ACTIVE, QueueConfig.NONE),
				List.of(new TakenMessage(gone, 1, "theirs", Map.of(), this.stores.jobs.id())), NOW, HELD);
		assertThat(this.stores.jobs.find(gone.job().id())).isEmpty();
	}

	@Test
	void deliveriesOfWebhooksThatTheStoreHasNotMadeAreNotAdopted() {
		EncodedJob forged = this.stores.encoded((job) -> job.type("ojs.webhook.deliver").state(null).enqueuedAt(null));
		EncodedJob foreign = this.stores.encoded((job) -> job.state(null).enqueuedAt(null));
		queues().keep(new LiveQueue("mail", QueueState.ACTIVE, QueueConfig.NONE),
				List.of(new TakenMessage(forged, 1, "theirs", Map.of(), null),
						new TakenMessage(foreign, 1, "theirs", Map.of(), null)),
				NOW, HELD);
		assertThat(this.stores.jobs.find(forged.job().id())).isEmpty();
		assertThat(this.stores.events(forged)).isEmpty();
		assertThat(this.stores.state(foreign)).as("came with it").isEqualTo(JobState.AVAILABLE);
	}

	@Test
	@Tag("QC-6.5-1")
	void jobsOfOtherProducersThatTheQueueDoesNotTakeAreDeadLetters() {
		EncodedJob wrong = this.stores.encoded((job) -> job.state(null).enqueuedAt(null));
		keep(wrong, 1, QueueConfig.builder().allowedJobTypes(List.of("billing.*")).build());
		EncodedJob stranger = this.stores.encoded((job) -> job.state(null).enqueuedAt(null));
		keep(stranger, 1, QueueConfig.builder().producers(List.of("ours")).build());
		EncodedJob welcome = this.stores.encoded((job) -> job.state(null).enqueuedAt(null));
		keep(welcome, 1, QueueConfig.builder().producers(List.of("theirs")).build());
		assertThat(this.stores.find(wrong).deadLetteredAt()).isNotNull();
		assertThat(this.stores.find(wrong).job().errors()).extracting(JobError::code)
			.containsExactly("JOB_TYPE_NOT_ALLOWED");
		assertThat(this.stores.find(stranger).job().errors()).extracting(JobError::code)
			.containsExactly("PERMISSION_DENIED");
		assertThat(this.stores.state(welcome)).isEqualTo(JobState.AVAILABLE);
		EncodedJob own = this.stores.available();
		keep(own, 1, QueueConfig.builder().producers(List.of("ours")).build());
		assertThat(this.stores.state(own)).as("was let in before").isEqualTo(JobState.AVAILABLE);
	}

	@Test
	void jobsThatWerePublishedArePublishedAgainLater() {
		EncodedJob job = this.stores.available();
		this.stores.relay.published("mail", Map.of(job.job().id(), TestStores.LATER), NOW);
		assertThat(this.stores.relay.nextAt()).isEmpty();
		keep(job, 1);
		assertThat(this.stores.relay.nextAt()).contains(HELD);
		assertThat(this.stores.relay.atBroker(NOW.plusSeconds(1000))).isEmpty();
		assertThat(queues().release("mail", NOW, NOW.plusSeconds(30))).as("counts as kept").isOne();
	}

	@Test
	void jobsThatAreInAnotherQueueByNowAreLeftAlone() {
		EncodedJob job = this.stores.available();
		this.stores.jdbc().update("update ojs_job set queue = 'other' where id = ?", UUID.fromString(job.job().id()));
		keep(job, 1);
		assertThat(this.stores.relay.nextAt()).contains(TestStores.LATER);
	}

	@Test
	void jobsThatRunAreLeftAlone() {
		EncodedJob job = this.stores.available();
		Claim.Taken taken = this.stores.taken(job, NOW);
		keep(job, 1);
		assertThat(this.stores.find(job)).isEqualTo(taken.job());
		assertThat(this.stores.relay.nextAt()).isEmpty();
	}

	@Test
	void whatWasKeptIsReleasedAndNothingElse() {
		EncodedJob kept = this.stores.keep(this.stores.encoded((job) -> job), HELD);
		EncodedJob fresh = this.stores.available();
		EncodedJob elsewhere = this.stores.keep(this.stores.encoded((job) -> job), HELD);
		this.stores.jdbc()
			.update("update ojs_job set queue = 'other' where id = ?", UUID.fromString(elsewhere.job().id()));
		EncodedJob scheduled = this.stores.scheduled(HELD);
		assertThat(queues().release("mail", NOW, NOW.plus(Duration.ofSeconds(30)))).isOne();
		assertThat(relayed(NOW)).containsExactly(kept.job().id());
		assertThat(relayed(TestStores.LATER)).containsExactly(fresh.job().id());
		assertThat(this.stores.state(scheduled)).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void jobsThatTheBrokerOnceHadAreReleasedToo() {
		EncodedJob job = this.stores.keep(this.stores.encoded((each) -> each), HELD);
		this.stores.jdbc().update("update ojs_job set published_at = created_at");
		assertThat(queues().release("mail", NOW, NOW.plusSeconds(30))).isOne();
		assertThat(relayed(NOW)).containsExactly(job.job().id());
	}

	@Test
	void queuesAreForgottenUnlessTheyWereFetchedFromSince() {
		queues().fetched(List.of("mail"), NOW);
		queues().forget("mail", NOW.minusSeconds(1));
		assertThat(queues().fetchedSince(Instant.EPOCH)).containsOnlyKeys("mail");
		queues().forget("mail", NOW);
		assertThat(queues().fetchedSince(Instant.EPOCH)).isEmpty();
	}

	@Test
	void attemptThatIsBeyondTheLastOneIsTheLastOne() {
		keep(this.stores.encoded((each) -> each), 1000);
		assertThat(this.stores.jdbc().queryForObject("select max_attempts - attempt from ojs_job", Integer.class))
			.isOne();
	}

	@Test
	void workersAreKnownUntilTheyAreSilent() {
		JdbcWorkerStore workers = new JdbcWorkerStore(this.stores.database);
		KnownWorker one = new KnownWorker("w-1", WorkerState.RUNNING, WorkerState.RUNNING, NOW, NOW, 2,
				List.of("b", "a"), Map.of("hostname", "ä", "pid", 7));
		workers.seen(one);
		assertThat(workers.find("w-1")).contains(one);
		assertThat(workers.direct("w-1", WorkerState.QUIET)).isTrue();
		assertThat(workers.direct("w-2", WorkerState.QUIET)).isFalse();
		KnownWorker later = new KnownWorker("w-1", WorkerState.TERMINATE, WorkerState.RUNNING, NOW.plusSeconds(9),
				NOW.plusSeconds(9), 0, List.of(), Map.of());
		workers.seen(later);
		assertThat(workers.list()).containsExactly(new KnownWorker("w-1", WorkerState.TERMINATE, WorkerState.QUIET, NOW,
				NOW.plusSeconds(9), 0, List.of(), Map.of()));
		assertThat(workers.forget(NOW.plusSeconds(9))).isZero();
		assertThat(workers.forget(NOW.plusSeconds(10))).isOne();
		assertThat(workers.find("w-1")).isEmpty();
	}

}
