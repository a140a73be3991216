package io.ojs.store;

import java.time.Duration;
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
import io.ojs.client.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class LoneJobsTests {

	private final TestClock clock = new TestClock();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	/** How many jobs were let in together, call by call. */
	private final List<Integer> admitted = new CopyOnWriteArrayList<>();

	private final CountDownLatch inside = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger asking = new AtomicInteger();

	private final Transactions transactions = new Transactions();

	private final LoneJobs jobs = new LoneJobs(new ScriptedJobStore(), this.transactions, new Gatekeeper(), committed(),
			this.clock);

	private CommittedJobs committed() {
		ScriptedRelayStore store = new ScriptedRelayStore();
		Relay relay = new Relay(store, new ScriptedPublisher(), this.clock, 500, Duration.ofHours(1));
		DirectPublisher direct = new DirectPublisher(new ScriptedPublisher(), new PublishedJobs(store, this.clock),
				this.clock);
		return new CommittedJobs(direct, relay, "ordered"::equals, Duration.ofSeconds(10));
	}

	@AfterEach
	void end() {
		this.gate.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void whoComesWhileAnotherCommitsSharesTheNextTransaction() throws Exception {
		List<Future<LoneJobs.Lone>> all = behindTheFirst(1, 2, 3);
		for (Future<LoneJobs.Lone> each : all) {
			assertThat(each.get().insertion()).isEqualTo(Insertion.Inserted.NEW);
			assertThat(each.get().created().relayAt()).isEqualTo(TestClock.START.plusSeconds(10));
		}
		assertThat(this.admitted).containsExactly(1, 3);
		assertThat(this.transactions.committed).hasValue(2);
	}

	@Test
	void onlyTheJobThatIsRefusedIsNotKept() throws Exception {
		List<Future<LoneJobs.Lone>> all = behindTheFirst(1, Gatekeeper.REFUSED, 3);
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
		this.transactions.failure = new StoreUnavailableException("away", null);
		assertThatExceptionOfType(JobNotStoredException.class)
			.isThrownBy(() -> this.jobs.keep(job(1, "default"), Map.of()))
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

	private List<Future<LoneJobs.Lone>> behindTheFirst(int... numbers) throws InterruptedException {
		List<Future<LoneJobs.Lone>> all = new CopyOnWriteArrayList<>();
		all.add(this.threads.submit(() -> this.jobs.keep(job(0, "default"), Map.of())));
		this.inside.await();
		for (int number : numbers) {
			all.add(this.threads.submit(() -> this.jobs.keep(job(number, "default"), Map.of())));
			await().until(() -> this.asking.get() == all.size());
			await().until(() -> this.jobs.waiting() == all.size() - 1);
		}
		this.gate.countDown();
		return all;
	}

	private static EncodedJob job(int number, String queue) {
		return new EncodedJob(
				Job.builder(ScriptedPublisher.id(number), "test.it", queue).state(JobState.AVAILABLE).build(),
				new byte[0], 3);
	}

	/** Holds up the first, and refuses one. */
	private final class Gatekeeper implements Admission {

		static final int REFUSED = 99;

		@Override
		public Decision lock(List<EncodedJob> jobs) {
			LoneJobsTests.this.admitted.add(jobs.size());
			LoneJobsTests.this.inside.countDown();
			try {
				LoneJobsTests.this.gate.await();
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
			LoneJobsTests.this.asking.incrementAndGet();
			return enqueue.get();
		}

	}

	private static final class Transactions implements StoreTransactions {

		private final AtomicInteger committed = new AtomicInteger();

		private volatile @Nullable RuntimeException failure;

		private volatile boolean alone = true;

		@Override
		public <T> T inTransaction(Supplier<T> work) {
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
