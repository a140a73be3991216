package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.fetch.WakeUps;
import io.ojs.internal.worker.FetchRequest;
import io.ojs.internal.worker.Heartbeat;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.RemoteStores;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.RunConflictException;
import io.ojs.internal.worker.RunReference;
import io.ojs.internal.worker.WorkerAdvice;
import io.ojs.internal.worker.WorkerState;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.job.JobState;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Workers that fetch and lose their jobs meanwhile, and what is known of them.
 */
abstract class RemoteRulesContract extends RemoteWorkersOnStore {

	private RemoteWorkers workers(FetchStore fetches, WorkerAdvice advice) {
		RemoteStores own = new RemoteStores(fetches, this.remote.attempts(), this.remote.workers(),
				this.remote.progress());
		return new RemoteWorkers(own, this.terms, new FetchedQueues(new JdbcFetchedQueueStore(this.stores.database),
				new NoBroker(), new Queues(), this.clock, (queue) -> false, new WakeUps((queue) -> {
				})), this.stores.handOver, new Queues(), advice, this.told, this.clock);
	}

	@Test
	void runThatIsLostJustNowIsAConflict() {
		FetchStore late = (FetchStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { FetchStore.class }, (proxy, method, args) -> {
					try {
						Object found = method.invoke(this.remote.fetches(), args);
						this.stores.attempts.reap(this.clock.now.plusSeconds(60), 10);
						return found;
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
		RemoteWorkers own = workers(late, WorkerAdvice.NONE);
		for (Consumer<RunReference> call : List.<Consumer<RunReference>>of((run) -> own.ack(run, null),
				(run) -> own.nack(run, failure(true, Map.of())), own::requeue,
				(run) -> own.progress(run, 0.5, null, null))) {
			EncodedJob job = this.stores.available();
			RunReference run = fetched(job);
			this.events.clear();
			assertThatExceptionOfType(RunConflictException.class).isThrownBy(() -> call.accept(run))
				.satisfies((ex) -> assertThat(ex.state()).isEqualTo(JobState.AVAILABLE));
			assertThat(names()).as("of the loss alone").containsExactly("job.failed");
			this.stores.jobs.cancel(job.job().id(), this.clock.now);
		}
	}

	/** The events of a job name its worker. */
	@Test
	void runOfAHandlerIsNotSettledByItsWorkerNameElsewhere() {
		EncodedJob job = this.stores.available();
		Claim.Taken taken = this.stores.taken(job, this.clock.now);
		for (String worker : new String[] { "worker-1", null }) {
			RunReference run = new RunReference(job.job().id(), worker, null);
			for (Consumer<RunReference> call : List.<Consumer<RunReference>>of((each) -> this.workers.ack(each, null),
					(each) -> this.workers.nack(each, failure(true, Map.of())), this.workers::requeue,
					(each) -> this.workers.progress(each, 0.5, null, null))) {
				assertThatExceptionOfType(RunConflictException.class).isThrownBy(() -> call.accept(run))
					.withMessageContaining("runs in a process that settles it itself")
					.satisfies((ex) -> assertThat(ex.state()).isEqualTo(JobState.ACTIVE));
			}
		}
		assertThat(this.workers.progress(job.job().id())).isEmpty();
		assertThat(this.workers.heartbeat(new Heartbeat("worker-1", List.of(job.job().id()))).extended()).isEmpty();
		assertThat(names()).isEmpty();
		assertThat(this.stores.attempts.settle(new Outcome.Completed(taken.lease(), null), this.clock.now)).isTrue();
	}

	@Test
	void nothingIsNotedOfQueuesThatDoNotExist() {
		EncodedJob job = this.stores.available();
		List<String> named = new ArrayList<>(List.of("mail"));
		IntStream.range(0, 99).forEach((i) -> named.add("invented-" + i));
		assertThat(this.workers.fetch(new FetchRequest(named, 10, "w", null))).singleElement()
			.satisfies((each) -> assertThat(each.job().job().id()).isEqualTo(job.job().id()));
		assertThat(new JdbcFetchedQueueStore(this.stores.database).fetchedSince(Instant.EPOCH))
			.containsOnlyKeys("mail");
		assertThat(this.workers.find("w").orElseThrow().queues()).containsExactly("mail");
	}

	@Test
	void whatBecomesAvailableAndWhatHasExpiredIsTold() {
		this.stores.scheduled(this.clock.now);
		this.stores.keep(this.stores.encoded((job) -> job.expiresAt(TestStores.time(this.clock.now.minusSeconds(1)))),
				null);
		fetch("w");
		fetch("w");
		assertThat(names()).containsExactlyInAnyOrder("job.enqueued", "job.started", "job.expired",
				"job.dead_lettered");
	}

	@Test
	void onlyTheLastAttemptExhaustsAJob() {
		RunReference run = fetched(this.stores.available());
		this.workers.nack(run, failure(false, Map.of()));
		assertThat(names()).containsExactly("job.started", "job.failed", "job.dead_lettered");
	}

	@Test
	void queueThatIsFetchedFromIsKnownToAllInstances() {
		fetch("w");
		assertThat(new JdbcFetchedQueueStore(this.stores.database).fetchedSince(this.clock.now))
			.containsOnlyKeys("mail");
	}

	@Test
	void workerThatChangesNothingIsNotedEveryFewSecondsOnly() {
		Instant start = this.clock.now;
		fetch("w");
		this.clock.now = start.plusSeconds(4);
		fetch("w");
		assertThat(this.workers.find("w").orElseThrow().lastSeen()).isEqualTo(start);
		this.clock.now = start.plusSeconds(6);
		fetch("w");
		this.workers.heartbeat(new Heartbeat("w", List.of(this.stores.id())));
		KnownWorker known = this.workers.find("w").orElseThrow();
		assertThat(known.lastSeen()).isEqualTo(start.plusSeconds(6));
		assertThat(known.firstSeen()).isEqualTo(start);
		assertThat(known.activeJobs()).isOne();
	}

	@Test
	void noLeaseIsShorterThanASecond() {
		String id = fetched(this.stores.available()).jobId();
		this.workers
			.heartbeat(new Heartbeat("w", null, null, List.of(id), null, Duration.ofMillis(1), List.of(), Map.of()));
		assertThat(this.stores.attempts.reap(this.clock.now.plusMillis(999), 10)).isEmpty();
		assertThat(this.stores.attempts.reap(this.clock.now.plusMillis(1001), 10)).hasSize(1);
	}

	@Test
	void whatTheApplicationAdvisesIsAddedToWhatIsWanted() {
		RemoteWorkers advised = workers(this.remote.fetches(), (heartbeat) -> WorkerState.QUIET);
		assertThat(advised.heartbeat(new Heartbeat("w", List.of())).state()).isEqualTo(WorkerState.QUIET);
		advised.direct("w", WorkerState.TERMINATE);
		assertThat(advised.heartbeat(new Heartbeat("w", List.of())).state()).isEqualTo(WorkerState.TERMINATE);
	}

	@Test
	void progressThatIsNoNumberIsRefused() {
		RunReference run = fetched(this.stores.available());
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.workers.progress(run, Double.NaN, null, null))
			.withMessageContaining("'progress'");
	}

	@Test
	void workersKeepTheirDirectiveAndAreListedByTheirIds() {
		fetch("w-2");
		fetch("w-1");
		this.workers.direct("w-2", WorkerState.QUIET);
		this.workers
			.heartbeat(new Heartbeat("w-2", null, WorkerState.RUNNING, List.of(), 3, null, List.of(), Map.of()));
		assertThat(this.workers.list()).extracting(KnownWorker::id).containsExactly("w-1", "w-2");
		assertThat(this.workers.find("w-2").map(KnownWorker::directive)).contains(WorkerState.QUIET);
		this.clock.now = this.clock.now.plus(RemoteWorkers.REMEMBERED);
		fetch("w-1");
		this.clock.now = this.clock.now.plusSeconds(1);
		this.workers.forget();
		assertThat(this.remote.workers().list()).extracting(KnownWorker::id).containsExactly("w-1");
	}

	@Test
	void allThatTakeTooLongHaveFailedHoweverManyTheyAre() {
		Stream.generate(this.stores::available).limit(120).forEach((job) -> {
		});
		for (int i = 0; i < 120; i++) {
			fetch("w");
		}
		this.stores.jdbc().update("update ojs_job set timeout_at = lease_until where state = 'active'");
		this.clock.now = this.clock.now.plusSeconds(30);
		assertThat(this.timeouts.check()).isEqualTo(120);
	}

	@Test
	void lockedRowHoldsUpTheEndOfNoOtherRun() {
		EncodedJob locked = this.stores.available();
		fetched(locked);
		EncodedJob free = this.stores.available();
		fetched(free);
		this.stores.jdbc().update("update ojs_job set timeout_at = lease_until where state = 'active'");
		this.clock.now = this.clock.now.plusSeconds(30);
		this.stores.users().executeWithoutResult((status) -> {
			lock(locked);
			assertThat(Threads.apart(this.timeouts::check)).isOne();
			assertThat(Threads.apart(() -> this.stores.state(free))).isEqualTo(JobState.RETRYABLE);
		});
		assertThat(this.timeouts.check()).isOne();
		assertThat(this.stores.state(locked)).isEqualTo(JobState.RETRYABLE);
	}

	@Test
	void whatIsGivenBackMayBeFetchedAtOnce() {
		RunReference run = fetched(this.stores.available());
		this.workers.requeue(run);
		assertThat(this.stores.relay.nextAt()).contains(this.clock.now);
		List<FetchedJob> again = fetch("w");
		assertThat(again).hasSize(1);
		assertThat(this.stores.relay.nextAt()).isEmpty();
	}

}
