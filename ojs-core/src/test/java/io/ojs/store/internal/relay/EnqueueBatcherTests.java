package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.ojs.TestClock;
import io.ojs.client.internal.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.StoreTransactions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class EnqueueBatcherTests {

	/** To the nanosecond, as the JVM's clock may have it. */
	private static final OffsetDateTime CREATED = TestClock.START.plusNanos(123_456_789).atOffset(ZoneOffset.UTC);

	private static final StoreUnavailableException UNANSWERED = new StoreUnavailableException("cut off", null, true);

	private final TestClock clock = new TestClock();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	/** How many jobs were let in together, call by call. */
	private final List<Integer> admitted = new CopyOnWriteArrayList<>();

	private final CountDownLatch inside = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger asking = new AtomicInteger();

	private final Transactions transactions = new Transactions();

	private final ScriptedJobStore store = new ScriptedJobStore();

	private final EnqueueBatcher jobs = new EnqueueBatcher(this.store, this.transactions, new Gatekeeper(true),
			committed(), this.clock);

	/** Of queues without limits, so that no transaction is needed. */
	private final EnqueueBatcher free = new EnqueueBatcher(this.store, this.transactions, Admission.OPEN, committed(),
			this.clock);

	/** The same, with a gate. */
	private final EnqueueBatcher freeTogether = new EnqueueBatcher(this.store, this.transactions, new Gatekeeper(false),
			committed(), this.clock);

	private CommittedJobs committed() {
		ScriptedRelayStore store = new ScriptedRelayStore();
		Relay relay = new Relay(store, new ScriptedPublisher(), this.clock, 500, Duration.ofHours(1));
		DirectPublisher direct = new DirectPublisher(new ScriptedPublisher(), new PublishedJobs(store, this.clock),
				this.clock);
		return new CommittedJobs(direct, relay, "ordered"::equals, "fetched"::equals, Duration.ofSeconds(10));
	}

	@AfterEach
	void end() {
		this.gate.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void whoComesWhileAnotherCommitsSharesTheNextTransaction() throws Exception {
		List<Future<EnqueueBatcher.Single>> all = behindTheFirst(1, 2, 3);
		for (Future<EnqueueBatcher.Single> each : all) {
			assertThat(each.get().insertion()).isEqualTo(Insertion.Inserted.NEW);
			assertThat(each.get().created().relayAt()).isEqualTo(TestClock.START.plusSeconds(10));
		}
		assertThat(this.admitted).containsExactly(1, 3);
		assertThat(this.transactions.committed).hasValue(2);
	}

	@Test
	void onlyTheJobThatIsRefusedIsNotKept() throws Exception {
		List<Future<EnqueueBatcher.Single>> all = behindTheFirst(1, Gatekeeper.REFUSED, 3);
		all.get(1).get();
		all.get(3).get();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(all.get(2)::get)
			.withCauseInstanceOf(IllegalArgumentException.class);
		assertThat(this.admitted).as("together, and then each by itself").containsExactly(1, 3, 1, 1, 1);
		assertThat(this.transactions.committed).hasValue(3);
	}

	@Test
	void nobodyKnowsWhatBecameOfACommitThatWasNotAnswered() {
		this.gate.countDown();
		this.transactions.failure = new StoreUnavailableException("away", null, true);
		assertThatExceptionOfType(JobNotStoredException.class)
			.isThrownBy(() -> this.jobs.keep(job(1, "default"), Map.of()))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isTrue());
	}

	@Test
	void whereNothingIsLockedTheStoreIsAskedWithoutATransaction() {
		assertThat(this.free.keep(job(1, "default"), Map.of()).insertion()).isEqualTo(Insertion.Inserted.NEW);
		assertThat(this.store.inserted).extracting(NewJob::relayAt).containsExactly(TestClock.START.plusSeconds(10));
		assertThat(this.transactions.begun).hasValue(0);
	}

	@Test
	void aStoreThatDoesNotAnswerIsAskedOnceMore() {
		this.store.failures.add(() -> UNANSWERED);
		EnqueueBatcher.Single kept = this.free.keep(job(1, "default"), Map.of());
		assertThat(kept.insertion()).isEqualTo(Insertion.Inserted.NEW);
		assertThat(this.store.inserted).containsExactly(kept.created());
		assertThat(this.store.asked).isEqualTo(2);
	}

	@Test
	void aJobThatTheStoreHasAlreadyIsKept() {
		this.store.failures.add(() -> UNANSWERED);
		this.store.failures.add(() -> new DuplicateIdException(ScriptedPublisher.id(1), null));
		this.store.found = Job.builder(ScriptedPublisher.id(1), "test.it", "default")
			.state(JobState.AVAILABLE)
			.createdAt(CREATED.truncatedTo(ChronoUnit.MICROS))
			.build();
		assertThat(this.free.keep(job(1, "default"), Map.of()).insertion()).isEqualTo(Insertion.Inserted.NEW);
		assertThat(this.store.asked).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "other.type, 0", "test.it, 1" })
	void anIdThatAnotherJobHasIsRefused(String type, int microsLater) {
		this.store.failures.add(() -> UNANSWERED);
		this.store.failures.add(() -> new DuplicateIdException(ScriptedPublisher.id(1), null));
		this.store.found = Job.builder(ScriptedPublisher.id(1), type, "default")
			.createdAt(CREATED.plus(microsLater, ChronoUnit.MICROS))
			.build();
		assertThatExceptionOfType(JobNotStoredException.class)
			.isThrownBy(() -> this.free.keep(job(1, "default"), Map.of()))
			.withCauseInstanceOf(DuplicateIdException.class)
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse());
	}

	@Test
	void nobodyKnowsIfTheJobCannotBeLookedAt() {
		this.store.failures.add(() -> UNANSWERED);
		this.store.failures.add(() -> new DuplicateIdException(ScriptedPublisher.id(1), null));
		this.store.lost = new StoreUnavailableException("away", null);
		unknown("default");
	}

	@Test
	void nobodyKnowsIfTheJobIsNotThere() {
		this.store.failures.add(() -> UNANSWERED);
		this.store.failures.add(() -> new DuplicateIdException(ScriptedPublisher.id(1), null));
		this.store.empty = true;
		unknown("default");
	}

	@Test
	void thoseThatWereSentTogetherAreAllKeptIfOneOfThemIs() throws Exception {
		this.store.failures.add(() -> {
			throw new IllegalArgumentException("the first, behind which the others come");
		});
		this.store.failures.add(() -> UNANSWERED);
		this.store.failures.add(() -> new DuplicateIdException(ScriptedPublisher.id(2), null));
		this.store.found = job(2, "default").job();
		List<Future<EnqueueBatcher.Single>> all = behindTheFirst(this.freeTogether, "default", 1, 2, 3);
		for (Future<EnqueueBatcher.Single> each : all.subList(1, 4)) {
			assertThat(each.get().insertion()).isEqualTo(Insertion.Inserted.NEW);
		}
		assertThat(this.store.asked).isEqualTo(3);
		assertThat(this.admitted).containsExactly(1, 3);
	}

	@Test
	void noneOfThoseThatWereSentTogetherIsSentOnceMoreIfAWorkerMayHaveOne() throws Exception {
		this.store.failures.add(() -> {
			throw new IllegalArgumentException("the first, behind which the others come");
		});
		this.store.failures.add(() -> UNANSWERED);
		List<Future<EnqueueBatcher.Single>> all = behindTheFirst(this.freeTogether, "fetched", 1, 2);
		for (Future<EnqueueBatcher.Single> each : all.subList(1, 3)) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(each::get)
				.withCauseInstanceOf(JobNotStoredException.class);
		}
		assertThat(this.store.asked).isEqualTo(2);
	}

	@Test
	void aQueueThatGetsALimitMeanwhileHasATransaction() {
		AtomicInteger asked = new AtomicInteger();
		Admission late = new Admission() {

			@Override
			public boolean locks(List<EncodedJob> jobs) {
				return asked.getAndIncrement() > 0;
			}

			@Override
			public Decision lock(List<EncodedJob> jobs) {
				return Decision.ALL;
			}

		};
		new EnqueueBatcher(this.store, this.transactions, late, committed(), this.clock).keep(job(1, "default"),
				Map.of());
		assertThat(this.transactions.committed).hasValue(1);
	}

	@Test
	void nobodyKnowsWhatAStoreDidThatIsAwayWhenItIsAskedOnceMore() {
		this.store.failures.add(() -> UNANSWERED);
		this.store.failures.add(() -> new StoreUnavailableException("away", null));
		unknown("default");
		assertThat(this.store.asked).isEqualTo(2);
	}

	@Test
	void aStoreIsNotAskedOnceMoreWhenAWorkerMayHaveTheJob() {
		this.store.failures.add(() -> {
			this.clock.advance(Duration.ofSeconds(10));
			return UNANSWERED;
		});
		unknown("default");
		this.store.failures.add(() -> UNANSWERED);
		unknown("fetched");
		assertThat(this.store.asked).isEqualTo(2);
	}

	@Test
	void aStoreThatSaysThatItDidNothingIsNotAskedOnceMore() {
		this.store.failures.add(() -> new StoreUnavailableException("away", null));
		assertThatExceptionOfType(JobNotStoredException.class)
			.isThrownBy(() -> this.free.keep(job(1, "default"), Map.of()))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isFalse());
		assertThat(this.store.asked).isOne();
	}

	private void unknown(String queue) {
		assertThatExceptionOfType(JobNotStoredException.class).isThrownBy(() -> this.free.keep(job(1, queue), Map.of()))
			.satisfies((ex) -> assertThat(ex.isOutcomeUnknown()).isTrue());
	}

	@Test
	void onlyPlainJobsOfCallersWithoutATransactionAreTaken() {
		assertThat(this.jobs.take(job(1, "default"))).isTrue();
		EncodedJob plain = job(2, "default");
		assertThat(this.jobs.take(new EncodedJob(plain.job(), new byte[0], 3, "key"))).as("unique").isFalse();
		this.transactions.alone = false;
		assertThat(this.jobs.take(job(3, "default"))).as("in a transaction").isFalse();
	}

	private List<Future<EnqueueBatcher.Single>> behindTheFirst(int... numbers) throws InterruptedException {
		return behindTheFirst(this.jobs, "default", numbers);
	}

	/** The last of them goes to a queue. */
	private List<Future<EnqueueBatcher.Single>> behindTheFirst(EnqueueBatcher batcher, String queue, int... numbers)
			throws InterruptedException {
		List<Future<EnqueueBatcher.Single>> all = new CopyOnWriteArrayList<>();
		all.add(this.threads.submit(() -> batcher.keep(job(0, "default"), Map.of())));
		this.inside.await();
		for (int number : numbers) {
			String of = (number == numbers[numbers.length - 1]) ? queue : "default";
			all.add(this.threads.submit(() -> batcher.keep(job(number, of), Map.of())));
			await().until(() -> this.asking.get() == all.size());
			await().until(() -> batcher.waiting() == all.size() - 1);
		}
		this.gate.countDown();
		return all;
	}

	private static EncodedJob job(int number, String queue) {
		return new EncodedJob(Job.builder(ScriptedPublisher.id(number), "test.it", queue)
			.state(JobState.AVAILABLE)
			.createdAt(CREATED)
			.build(), new byte[0], 3);
	}

	/** Holds up the first, and refuses one. */
	private final class Gatekeeper implements Admission {

		static final int REFUSED = 99;

		private final boolean locks;

		Gatekeeper(boolean locks) {
			this.locks = locks;
		}

		@Override
		public boolean locks(List<EncodedJob> jobs) {
			return this.locks;
		}

		@Override
		public Decision lock(List<EncodedJob> jobs) {
			EnqueueBatcherTests.this.admitted.add(jobs.size());
			EnqueueBatcherTests.this.inside.countDown();
			try {
				EnqueueBatcherTests.this.gate.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			if (jobs.stream().anyMatch((each) -> each.job().id().equals(ScriptedPublisher.id(REFUSED)))) {
				throw new IllegalArgumentException("refused");
			}
			return Decision.ALL;
		}

		@Override
		public <T> T patiently(boolean inTransaction, Supplier<T> enqueue) {
			EnqueueBatcherTests.this.asking.incrementAndGet();
			return enqueue.get();
		}

	}

	private static final class Transactions implements StoreTransactions {

		private final AtomicInteger begun = new AtomicInteger();

		private final AtomicInteger committed = new AtomicInteger();

		private volatile @Nullable RuntimeException failure;

		private volatile boolean alone = true;

		@Override
		public <T> T inTransaction(Supplier<T> work) {
			this.begun.incrementAndGet();
			T result = work.get();
			RuntimeException failing = this.failure;
			if (failing != null) {
				throw failing;
			}
			this.committed.incrementAndGet();
			return result;
		}

		@Override
		public void afterCommit(Runnable action) {
			action.run();
		}

		@Override
		public boolean isActive() {
			return false;
		}

		@Override
		public boolean isAlone() {
			return this.alone;
		}

	}

}
