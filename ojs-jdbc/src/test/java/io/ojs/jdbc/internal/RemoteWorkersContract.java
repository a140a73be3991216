package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.worker.Heartbeat;
import io.ojs.internal.worker.HeartbeatAnswer;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.Nacked;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.RunConflictException;
import io.ojs.internal.worker.RunReference;
import io.ojs.internal.worker.WorkerState;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryOverrides;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Progress;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

abstract class RemoteWorkersContract extends RemoteWorkersOnStore {

	@Test
	void anAckCompletesTheJobOnce() {
		RunReference run = fetched(this.stores.available());
		this.clock.now = this.clock.now.plusSeconds(2);
		StoredJob done = this.workers.ack(run, Map.of("sum", 3)).orElseThrow();
		assertThat(done.job().state()).isEqualTo(JobState.COMPLETED);
		assertThat(done.job().result()).isEqualTo(Map.of("sum", 3));
		assertThat(names()).containsExactly("job.started", "job.completed");
		assertThat(this.events.get(1)).isInstanceOfSatisfying(JobEvent.Completed.class,
				(event) -> assertThat(event.duration()).isEqualTo(Duration.ofSeconds(2)));
		for (Runnable late : List.<Runnable>of(() -> this.workers.ack(run, null),
				() -> this.workers.nack(run, failure(true, Map.of())), () -> this.workers.requeue(run))) {
			assertThatExceptionOfType(RunConflictException.class).isThrownBy(late::run)
				.satisfies((ex) -> assertThat(ex.state()).isEqualTo(JobState.COMPLETED));
		}
		assertThat(this.workers.ack(RunReference.of(this.stores.id()), null)).isEmpty();
		assertThat(this.workers.ack(RunReference.of("no id"), null)).isEmpty();
	}

	@Test
	void onlyItsWorkerAndItsAttemptCount() {
		String id = fetched(this.stores.available()).jobId();
		for (RunReference other : List.of(new RunReference(id, "other", null), new RunReference(id, null, 2),
				new RunReference(id, "w", 2))) {
			assertThatExceptionOfType(RunConflictException.class).isThrownBy(() -> this.workers.ack(other, null));
		}
		assertThat(this.workers.ack(new RunReference(id, "w", 1), null)).isPresent();
	}

	@Test
	void aNackIsRetriedByThePolicyUntilItIsADeadLetter() {
		RunReference run = fetched(this.stores.available(2));
		Nacked first = this.workers.nack(run, failure(true, Map.of("error_class", "NetError"))).orElseThrow();
		assertThat(first.job().job().state()).isEqualTo(JobState.RETRYABLE);
		assertThat(first.retryDelay()).isEqualTo(Duration.ofSeconds(1));
		assertThat(first.job().dueAt()).isEqualTo(this.clock.now.plusSeconds(1));
		assertThat(fetch("w")).isEmpty();
		this.clock.now = this.clock.now.plusSeconds(1);
		assertThat(fetch("w").get(0).retryDelay()).isEqualTo(Duration.ofSeconds(1));
		Nacked last = this.workers.nack(run, failure(true, Map.of())).orElseThrow();
		assertThat(last.job().job().state()).isEqualTo(JobState.DISCARDED);
		assertThat(last.retryDelay()).isNull();
		assertThat(last.job().deadLetteredAt()).isNotNull();
		assertThat(last.job().job().errors()).extracting(JobError::type).containsExactly("NetError", "handler_error");
		assertThat(last.job().job().errors()).extracting(JobError::attempt).containsExactly(1, 2);
		assertThat(names()).containsExactly("job.started", "job.failed", "job.retrying", "job.started", "job.failed",
				"job.retry_exhausted", "job.dead_lettered");
	}

	@Test
	void whatIsNotRetryableEndsAsThePolicySays() {
		RunReference dead = fetched(this.stores.available());
		assertThat(this.workers.nack(dead, failure(false, Map.of())).orElseThrow().job().deadLetteredAt()).isNotNull();
		RunReference gone = fetched(this.stores.keep(
				this.stores.encoded((job) -> job.retry(RetryOverrides.NONE.onExhaustion(OnExhaustion.DISCARD))), null));
		StoredJob discarded = this.workers.nack(gone, failure(false, Map.of())).orElseThrow().job();
		assertThat(discarded.job().state()).isEqualTo(JobState.DISCARDED);
		assertThat(discarded.deadLetteredAt()).isNull();
		RunReference fatal = fetched(this.stores
			.keep(this.stores.encoded((job) -> job.retry(RetryOverrides.NONE.nonRetryableErrors("Fatal.*"))), null));
		StoredJob classified = this.workers.nack(fatal, failure(true, Map.of("error_class", "Fatal.Disk")))
			.orElseThrow()
			.job();
		assertThat(classified.job().errors()).singleElement()
			.satisfies((error) -> assertThat(error.code()).isEqualTo(JobError.NON_RETRYABLE_ERROR));
	}

	@Test
	void whatIsGivenBackIsAvailable() {
		RunReference run = fetched(this.stores.available());
		StoredJob job = this.workers.requeue(run).orElseThrow().job();
		assertThat(job.job().state()).isEqualTo(JobState.AVAILABLE);
		assertThat(job.job().attempt()).isZero();
		assertThat(fetch("other")).hasSize(1);
	}

	@Test
	void aHeartbeatExtendsLeasesAndTellsWhatIsLost() {
		String id = fetched(this.stores.available()).jobId();
		this.clock.now = this.clock.now.plusSeconds(20);
		HeartbeatAnswer answer = this.workers.heartbeat(new Heartbeat("w", List.of(id, this.stores.id())));
		assertThat(answer.state()).isEqualTo(WorkerState.RUNNING);
		assertThat(answer.extended()).containsExactly(id);
		assertThat(answer.lost()).hasSize(1);
		assertThat(this.stores.attempts.reap(this.clock.now.plusSeconds(30), 10)).isEmpty();
		assertThat(this.stores.attempts.reap(this.clock.now.plusSeconds(31), 10)).hasSize(1);
	}

	@Test
	void workersThatAreQuietOrAreToBeGetNothing() {
		this.stores.available();
		this.workers
			.heartbeat(new Heartbeat("w", null, WorkerState.QUIET, List.of(), 0, null, List.of(), Map.of("pid", 7)));
		assertThat(fetch("w")).isEmpty();
		assertThat(this.workers.heartbeat(new Heartbeat("w", List.of())).state()).isEqualTo(WorkerState.QUIET);
		this.workers.heartbeat(new Heartbeat("w", null, WorkerState.RUNNING, List.of(), 0, null, List.of(), Map.of()));
		assertThat(this.workers.direct("w", WorkerState.TERMINATE)).isTrue();
		assertThat(fetch("w")).isEmpty();
		assertThat(this.workers.heartbeat(new Heartbeat("w", List.of())).state()).isEqualTo(WorkerState.TERMINATE);
		assertThat(this.workers.list()).singleElement().satisfies((worker) -> {
			assertThat(worker.wanted()).isEqualTo(WorkerState.TERMINATE);
			assertThat(worker.queues()).containsExactly("mail");
			assertThat(worker.details()).containsEntry("pid", 7);
		});
		assertThat(fetch("another")).hasSize(1);
	}

	@Test
	void workersThatAreSilentAreForgotten() {
		fetch("w");
		assertThat(this.workers.find("w").map(KnownWorker::state)).contains(WorkerState.RUNNING);
		this.clock.now = this.clock.now.plus(RemoteWorkers.REMEMBERED);
		assertThat(this.workers.find("w")).isEmpty();
		assertThat(this.workers.list()).isEmpty();
		this.clock.now = this.clock.now.plusSeconds(1);
		this.workers.forget();
		assertThat(this.remote.workers().find("w")).isEmpty();
	}

	@Test
	void ofPausedQueuesNobodyGetsAnything() {
		this.stores.available();
		this.paused.add("mail");
		assertThat(fetch("w")).isEmpty();
		this.paused.clear();
		assertThat(fetch("w")).hasSize(1);
	}

	@Test
	void runsThatTakeTooLongHaveFailed() {
		EncodedJob job = this.stores.keep(this.stores.encoded((builder) -> builder.timeout(Duration.ofSeconds(2))),
				null);
		RunReference run = fetched(job);
		this.clock.now = this.clock.now.plusMillis(1999);
		assertThat(this.timeouts.check()).isZero();
		this.clock.now = this.clock.now.plusMillis(1);
		assertThat(this.timeouts.check()).isOne();
		assertThat(this.timeouts.check()).isZero();
		Job failed = this.stores.find(job).job();
		assertThat(failed.state()).isEqualTo(JobState.RETRYABLE);
		assertThat(failed.errors()).singleElement().satisfies((error) -> {
			assertThat(error.type()).isEqualTo("timeout");
			assertThat(error.code()).isEqualTo(JobError.HANDLER_TIMEOUT);
		});
		assertThat(names()).containsExactly("job.started", "job.failed", "job.retrying");
		assertThatExceptionOfType(RunConflictException.class).isThrownBy(() -> this.workers.ack(run, null));
	}

	@Test
	void progressStaysWithinItsBounds() {
		RunReference run = fetched(this.stores.available());
		assertThat(this.workers.progress(run, 1.5, "over", null).map(Progress::value)).contains(1.0);
		assertThat(this.workers.progress(run, -3, null, List.of(1)).map(Progress::value)).contains(0.0);
		assertThat(this.workers.progress(run.jobId()).map(Progress::data)).contains(List.of(1));
		assertThat(names()).containsExactly("job.started", "job.progress", "job.progress");
		this.workers.ack(run, null);
		assertThatExceptionOfType(RunConflictException.class)
			.isThrownBy(() -> this.workers.progress(run, 0.5, null, null));
	}

	@Test
	void everybodyAtOnceGetsEveryJobOnce() throws Exception {
		List<String> ids = Stream.generate(() -> this.stores.available().job().id()).limit(60).toList();
		List<String> done = new CopyOnWriteArrayList<>();
		Threads.together(6, (thread) -> {
			while (done.size() < ids.size()) {
				for (FetchedJob each : fetch("w-" + thread)) {
					done.add(each.job().job().id());
					this.workers.ack(new RunReference(each.lease().jobId(), "w-" + thread, 1), null);
				}
			}
		});
		assertThat(done).containsExactlyInAnyOrderElementsOf(ids);
	}

}
