package io.ojs.store.internal.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.ojs.TestClock;
import io.ojs.client.DuplicateJobException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.StoreTransactions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class OutboxCommitTests {

	private static final Map<String, String> NO_HEADERS = Map.of();

	private final List<String> woken = new ArrayList<>();

	/** Whether the store delivers jobs. */
	private boolean fetched;

	private final TestClock clock = new TestClock();

	private final ScriptedRelayStore relayStore = new ScriptedRelayStore();

	private final ScriptedPublisher publisher = new ScriptedPublisher();

	private final Relay relay = new Relay(this.relayStore, new ScriptedPublisher(), this.clock, 500,
			Duration.ofHours(1));

	private final DirectPublisher direct = new DirectPublisher(this.publisher,
			new PublishedJobs(this.relayStore, this.clock), this.clock);

	private final ScriptedJobStore store = new ScriptedJobStore();

	private final ScriptedTransactions transactions = new ScriptedTransactions();

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	private final ScriptedWorkers workers = new ScriptedWorkers();

	private Admission admission = Admission.OPEN;

	@AfterEach
	void close() {
		this.direct.close();
		this.relay.close();
	}

	@Test
	void whatIsCommittedIsToldOfAndPublishedAtOnce() {
		assertThat(enqueue(job(0, JobState.AVAILABLE), job(1, JobState.AVAILABLE))).extracting(Job::id)
			.containsExactlyElementsOf(ScriptedPublisher.ids(0, 2));
		assertThat(this.store.inserted).extracting(NewJob::relayAt)
			.containsExactly(TestClock.START.plusSeconds(10), TestClock.START.plusSeconds(10));
		assertThat(this.events).extracting(JobEvent::name).containsExactly("job.enqueued", "job.enqueued");
		assertThat(published()).containsExactlyElementsOf(ScriptedPublisher.ids(0, 2));
	}

	@Test
	void nothingIsToldOrPublishedBeforeTheCallersCommitNorAfterItsRollback() {
		this.transactions.active = true;
		enqueue(job(0, JobState.AVAILABLE));
		this.transactions.afterCommit.clear();
		enqueue(job(1, JobState.AVAILABLE));
		assertThat(this.events).isEmpty();
		this.transactions.afterCommit.forEach(Runnable::run);
		assertThat(this.events).extracting((event) -> event.job().id()).containsExactly(ScriptedPublisher.id(1));
		assertThat(published()).containsExactly(ScriptedPublisher.id(1));
	}

	@Test
	void whatWaitsOrHasToStayInOrderIsLeftToTheRelay() {
		EncodedJob scheduled = encoded(Job.builder(ScriptedPublisher.id(0), "test.it", "default")
			.state(JobState.SCHEDULED)
			.scheduledAt(Rfc3339.utc(TestClock.START.plusSeconds(60)))
			.build());
		EncodedJob inOrder = encoded(
				Job.builder(ScriptedPublisher.id(1), "test.it", "ordered").state(JobState.AVAILABLE).build());
		this.relay.start();
		for (EncodedJob job : List.of(scheduled, inOrder)) {
			long rounds = awaitRound(1);
			enqueue(job);
			awaitRound(rounds + 1);
		}
		long rounds = awaitRound(1);
		enqueue(job(2, JobState.PENDING));
		assertThat(this.store.inserted).extracting(NewJob::relayAt)
			.containsExactly(TestClock.START.plusSeconds(60), TestClock.START, null);
		assertThat(this.store.inserted).extracting(NewJob::ordered).containsExactly(false, true, false);
		assertThat(published()).isEmpty();
		assertThat(awaitRound(1)).as("nobody is woken for a pending job").isEqualTo(rounds);
	}

	@Test
	void listenersHearWhatTheFeedSays() {
		enqueue(job(0, JobState.AVAILABLE), job(1, JobState.SCHEDULED), job(2, JobState.PENDING));
		assertThat(this.events).extracting(JobEvent::name, (event) -> event.job().id())
			.containsExactly(tuple("job.enqueued", ScriptedPublisher.id(0)),
					tuple("job.scheduled", ScriptedPublisher.id(1)));
	}

	@Test
	void failureBeforeTheCommitMeansThatNothingWasEnqueued() {
		this.store.refusal = new StoreUnavailableException("The database is away.", null);
		assertThatExceptionOfType(JobNotStoredException.class)
			.isThrownBy(() -> enqueue(job(0, JobState.AVAILABLE), job(1, JobState.AVAILABLE)))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse())
			.withMessageContaining(ScriptedPublisher.id(0))
			.withCause(this.store.refusal);
		assertThat(this.events).isEmpty();
	}

	@Test
	void failureOfTheCommitMeansThatNobodyKnows() {
		this.transactions.commitFailure = new StoreUnavailableException("The connection broke.", null, true);
		assertThatExceptionOfType(JobNotStoredException.class).isThrownBy(() -> enqueue(job(0, JobState.AVAILABLE)))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isTrue());
		assertThat(this.events).isEmpty();
		assertThat(published()).isEmpty();
	}

	@Test
	void whatMeetsAnExistingJobIsNeitherToldOfNorPublished() {
		StoredJob existing = new StoredJob(job(9, JobState.ACTIVE).job(), 3, Map.of(), null, null, null, 0);
		this.store.answers
			.addAll(List.of(new Insertion.Ignored(existing), new Insertion.Merged(existing), Insertion.Inserted.NEW));
		assertThat(enqueue(job(0, JobState.AVAILABLE), job(1, JobState.AVAILABLE), job(2, JobState.AVAILABLE)))
			.extracting(Job::id)
			.containsExactly(ScriptedPublisher.id(9), ScriptedPublisher.id(9), ScriptedPublisher.id(2));
		assertThat(this.events).extracting((event) -> event.job().id()).containsExactly(ScriptedPublisher.id(2));
		assertThat(published()).containsExactly(ScriptedPublisher.id(2));
	}

	@Test
	void workersOfReplacedJobsHearOfItOnceItIsCommitted() {
		this.store.answers
			.add(new Insertion.Inserted(List.of(stored(8, JobState.RETRYABLE), stored(9, JobState.ACTIVE))));
		this.transactions.active = true;
		enqueue(job(0, JobState.AVAILABLE));
		assertThat(this.events).isEmpty();
		assertThat(this.workers.cancelled).isEmpty();
		this.transactions.afterCommit.forEach(Runnable::run);
		assertThat(this.events).as("the store tells of the jobs that it has cancelled")
			.extracting(JobEvent::name, (event) -> event.job().id())
			.containsExactly(tuple("job.enqueued", ScriptedPublisher.id(0)));
		assertThat(this.workers.cancelled).containsExactly(ScriptedPublisher.id(9));
	}

	private static StoredJob stored(int number, JobState state) {
		return new StoredJob(job(number, state).job(), 3, Map.of(), null, null, null, 0);
	}

	@Test
	void rejectedJobTakesTheOthersAlong() {
		StoredJob existing = new StoredJob(job(9, JobState.ACTIVE).job(), 3, Map.of(), null, null, null, 0);
		this.store.answers.addAll(List.of(Insertion.Inserted.NEW, new Insertion.Rejected(existing)));
		assertThatExceptionOfType(DuplicateJobException.class)
			.isThrownBy(() -> enqueue(job(0, JobState.AVAILABLE), job(1, JobState.AVAILABLE)))
			.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(ScriptedPublisher.id(9)));
		assertThat(this.transactions.rolledBack).isEqualTo(1);
		assertThat(this.events).isEmpty();
		assertThat(published()).isEmpty();
	}

	@Test
	void nothingIsKeptThatIsNotAdmitted() {
		IllegalStateException refusal = new IllegalStateException("the queue is full");
		this.admission = (jobs) -> {
			assertThat(jobs).hasSize(2);
			throw refusal;
		};
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> enqueue(job(0, JobState.AVAILABLE), job(1, JobState.AVAILABLE)))
			.isSameAs(refusal);
		assertThat(this.store.inserted).isEmpty();
		assertThat(this.transactions.rolledBack).isEqualTo(1);
	}

	@Test
	void admissionThatWaitsIsToldWhetherItMayAndTriesInANewTransaction() {
		List<Boolean> inTransaction = new ArrayList<>();
		this.admission = new Admission() {

			@Override
			public Decision lock(List<EncodedJob> jobs) {
				if (OutboxCommitTests.this.transactions.rolledBack == 0) {
					throw new IllegalStateException("the queue is full");
				}
				return Decision.ALL;
			}

			@Override
			public <T> T patiently(boolean active, Supplier<T> enqueue) {
				inTransaction.add(active);
				try {
					return enqueue.get();
				}
				catch (IllegalStateException ex) {
					return enqueue.get();
				}
			}

		};
		enqueue(job(0, JobState.AVAILABLE));
		assertThat(inTransaction).containsExactly(false);
		assertThat(this.store.inserted).hasSize(1);
		this.transactions.active = true;
		enqueue(job(1, JobState.AVAILABLE));
		assertThat(inTransaction).containsExactly(false, true);
	}

	@Test
	void jobThatWaitsForTheTurnOfItsTenantWakesAWorkerWhereTheStoreDelivers() {
		this.store.answers.add(new Insertion.Inserted(List.of(), true));
		enqueue(job(0, JobState.AVAILABLE));
		assertThat(this.woken).isEmpty();
		this.fetched = true;
		this.store.answers.add(new Insertion.Inserted(List.of(), true));
		enqueue(job(1, JobState.AVAILABLE));
		assertThat(this.woken).containsExactly("default");
		assertThat(published()).isEmpty();
	}

	private List<Job> enqueue(EncodedJob... jobs) {
		StoreDelivery delivery = new StoreDelivery() {

			@Override
			public boolean delivers(String queue) {
				return OutboxCommitTests.this.fetched;
			}

			@Override
			public void available(String queue) {
				OutboxCommitTests.this.woken.add(queue);
			}

		};
		CommittedJobs committed = new CommittedJobs(this.direct, this.relay, "ordered"::equals, delivery,
				Duration.ofSeconds(10));
		JobEvents listeners = new JobEvents(List.of(this.events::add));
		Outbox outbox = new Outbox(this.store, this.transactions, this.admission, committed,
				new Cancellations(this.workers, Runnable::run), listeners, this.clock);
		return outbox.enqueue(List.of(jobs), IntStream.range(0, jobs.length).mapToObj((i) -> NO_HEADERS).toList());
	}

	private List<String> published() {
		// Ends after all that was committed.
		this.direct.start();
		this.direct.close();
		return this.publisher.published.stream().flatMap(List::stream).toList();
	}

	private long awaitRound(long rounds) {
		await().until(() -> this.relayStore.count("nextAt") >= rounds);
		return this.relayStore.count("nextAt");
	}

	private static EncodedJob job(int number, JobState state) {
		return encoded(Job.builder(ScriptedPublisher.id(number), "test.it", "default").state(state).build());
	}

	private static EncodedJob encoded(Job job) {
		return new EncodedJob(job, new byte[0], 3);
	}

	/** One transaction at a time, whose commit may fail. */
	private static final class ScriptedTransactions implements StoreTransactions {

		private boolean active;

		private @Nullable RuntimeException commitFailure;

		private int rolledBack;

		/** What is to be done after the caller's commit. */
		private final List<Runnable> afterCommit = new ArrayList<>();

		@Override
		public <T> T inTransaction(Supplier<T> work) {
			if (this.active) {
				return work.get();
			}
			try {
				T result = work.get();
				if (this.commitFailure != null) {
					throw this.commitFailure;
				}
				List.copyOf(this.afterCommit).forEach(Runnable::run);
				return result;
			}
			catch (RuntimeException ex) {
				this.rolledBack++;
				throw ex;
			}
			finally {
				this.afterCommit.clear();
			}
		}

		@Override
		public void afterCommit(Runnable action) {
			this.afterCommit.add(action);
		}

		@Override
		public boolean isActive() {
			return this.active;
		}

	}

}
