package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.fetch.BrokerQueues;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.fetch.TakenMessage;
import io.ojs.internal.fetch.WakeUps;
import io.ojs.internal.worker.FetchRequest;
import io.ojs.internal.worker.RemoteFailure;
import io.ojs.internal.worker.RemoteStores;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.RunReference;
import io.ojs.internal.worker.RunTerms;
import io.ojs.internal.worker.RunTimeouts;
import io.ojs.internal.worker.WorkerAdvice;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.jdbc.internal.worker.JdbcProgressStore;
import io.ojs.jdbc.internal.worker.JdbcWorkerStore;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.LiveQueueListener;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers that fetch from a database.
 */
abstract class RemoteWorkersOnStore extends StoreContract {

	final MovedClock clock = new MovedClock();

	/** What listeners hear, of the store and of the workers. */
	final List<JobEvent> events = this.stores.told;

	final Set<String> paused = ConcurrentHashMap.newKeySet();

	final RunTerms terms = new RunTerms(new Queues(), new Timeouts((queue) -> Duration.ofSeconds(60)),
			new RetryPolicies((queue) -> RetryPolicy.DEFAULT.with(RetryOverrides.NONE.jitter(false)),
					new JobHandlers(List.of())));

	final RemoteStores remote = new RemoteStores(new JdbcFetchStore(this.stores.database), this.stores.attempts,
			new JdbcWorkerStore(this.stores.database), new JdbcProgressStore(this.stores.database));

	final JobEvents told = new JobEvents(List.of(this.events::add));

	final RemoteWorkers workers = new RemoteWorkers(this.remote, this.terms,
			new FetchedQueues(new JdbcFetchedQueueStore(this.stores.database), new NoBroker(), new Queues(), this.clock,
					(queue) -> false, new WakeUps((queue) -> {
					})),
			this.stores.handOver, new Queues(), WorkerAdvice.NONE, this.told, this.clock);

	final RunTimeouts timeouts = new RunTimeouts(this.remote.fetches(), this.remote.attempts(), this.terms, this.told,
			this.clock);

	List<FetchedJob> fetch(String worker) {
		return this.workers.fetch(new FetchRequest(List.of("mail"), 1, worker, Duration.ofSeconds(30)));
	}

	RunReference fetched(EncodedJob job) {
		assertThat(fetch("w")).singleElement()
			.satisfies((each) -> assertThat(each.job().job().id()).isEqualTo(job.job().id()));
		return RunReference.of(job.job().id());
	}

	/** In the transaction of the caller. */
	void lock(EncodedJob job) {
		this.stores.lock(job.job().id());
	}

	static RemoteFailure failure(boolean retryable, Map<String, Object> details) {
		return new RemoteFailure("handler_error", null, "no luck", retryable, List.of("at home"), Map.copyOf(details));
	}

	List<String> names() {
		return this.events.stream().map(JobEvent::name).toList();
	}

	static final class MovedClock extends Clock {

		volatile Instant now = TestStores.NOW;

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

	final class Queues implements LiveQueues {

		@Override
		public boolean exists(String name) {
			return !name.startsWith("invented-");
		}

		@Override
		public LiveQueue get(String name) {
			boolean isPaused = RemoteWorkersOnStore.this.paused.contains(name);
			return new LiveQueue(name, isPaused ? QueueState.PAUSED : QueueState.ACTIVE, QueueConfig.NONE);
		}

		@Override
		public void listen(LiveQueueListener listener) {
			throw new UnsupportedOperationException();
		}

	}

	static final class NoBroker implements BrokerQueues {

		@Override
		public boolean isReady() {
			return false;
		}

		@Override
		public int consumers(String queue) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int sweep(String queue, Consumer<List<TakenMessage>> keeper) {
			throw new UnsupportedOperationException();
		}

	}

}
