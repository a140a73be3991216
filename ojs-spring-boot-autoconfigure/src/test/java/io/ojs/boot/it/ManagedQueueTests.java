package io.ojs.boot.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.LiveQueueListener;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.Direction;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Queues that are paused, resumed, drained, deleted and get another concurrency while
 * they are worked: no job is lost, none runs twice, and there are never more at a time
 * than there should be.
 */
@Tag("broker-versions")
class ManagedQueueTests extends BrokerTest {

	private static final String AMQP_QUEUE = "ojs.queue.gates";

	@Test
	@Tag("QC-5.1-1")
	void aPausedQueueBeginsNothingAndGivesBackWhatItHolds() {
		try (Application application = application(Gates.class, Managed.class).start()) {
			Gates gates = application.bean(Gates.class);
			Managed managed = application.bean(Managed.class);
			activate(application, 2);
			List<Job> jobs = enqueue(application, 12);
			await().until(() -> gates.started.size() == 2);
			managed.set(QueueState.PAUSED, 2);
			await().untilAsserted(() -> assertThat(containers(application)).isZero());
			assertThat(gates.running).hasValue(2);
			gates.open.release(2);
			// The two end as if nothing had been; the others are back on the broker.
			await().untilAsserted(() -> assertThat(gates.ended).hasSize(2));
			await().untilAsserted(() -> assertThat(client().count(AMQP_QUEUE)).isEqualTo(10));
			gates.open.release(100);
			await().during(Duration.ofSeconds(1)).until(() -> gates.started.size() == 2);
			managed.set(QueueState.ACTIVE, 2);
			await().untilAsserted(() -> assertThat(gates.ended).hasSize(12));
			assertThat(gates.ended).containsExactlyInAnyOrderElementsOf(jobs.stream().map(Job::id).toList());
			assertThat(gates.most).hasValueLessThanOrEqualTo(2);
			assertThat(client().count("ojs.queue.dlx.gates")).isZero();
		}
	}

	@Test
	void fromThePauseOnNoJobBeginsHoweverLateTheBrokerConfirmsIt() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());
				Application application = Application.on(proxy.uri(ownVirtualHost()))
					.with(Gates.class, Managed.class)
					.start()) {
			Gates gates = application.bean(Gates.class);
			Managed managed = application.bean(Managed.class);
			activate(application, 2);
			enqueue(application, 12);
			await().until(() -> gates.started.size() == 2);
			proxy.hang(Direction.FROM_BROKER);
			long sent = proxy.bytes(Direction.TO_BROKER);
			managed.set(QueueState.PAUSED, 2);
			await("a consumer is cancelled").until(() -> proxy.bytes(Direction.TO_BROKER) > sent);
			gates.open.release(100);
			await().until(() -> gates.ended.size() == 2);
			await().during(Duration.ofSeconds(1)).until(() -> gates.started.size() == 2);
			proxy.resume();
			await().untilAsserted(() -> assertThat(client().count(AMQP_QUEUE)).isEqualTo(10));
		}
	}

	@Test
	void whatRunsSinceBeforeThePauseCountsAfterIt() {
		// The first consumer that is back must not hold the jobs of the second.
		try (Application application = application(Gates.class, Managed.class).property("ojs.queues.gates.prefetch", 1)
			.start()) {
			Gates gates = application.bean(Gates.class);
			Managed managed = application.bean(Managed.class);
			activate(application, 2);
			enqueue(application, 1);
			await().until(() -> gates.started.size() == 1);
			managed.set(QueueState.PAUSED, 2);
			await().until(() -> containers(application) == 0);
			managed.set(QueueState.ACTIVE, 2);
			enqueue(application, 4);
			await().until(() -> gates.started.size() == 2);
			await().during(Duration.ofSeconds(2)).until(() -> gates.running.get() == 2);
			gates.open.release(1);
			await().until(() -> gates.started.size() == 3);
			gates.open.release(10);
			await().until(() -> gates.ended.size() == 5);
			assertThat(gates.most).hasValue(2);
			// Both places are free again, whoever had them.
			enqueue(application, 2);
			await().until(() -> gates.ended.size() == 7);
		}
	}

	@Test
	void theOnlyPlaceIsFreeWhenItsJobHasEnded() {
		try (Application application = application(Gates.class, Managed.class).start()) {
			Gates gates = application.bean(Gates.class);
			Managed managed = application.bean(Managed.class);
			activate(application, 1);
			enqueue(application, 3);
			await().until(() -> gates.started.size() == 1);
			managed.set(QueueState.PAUSED, 1);
			await().until(() -> containers(application) == 0);
			managed.set(QueueState.ACTIVE, 1);
			await().during(Duration.ofSeconds(2)).until(() -> gates.started.size() == 1);
			gates.open.release(10);
			await().until(() -> gates.ended.size() == 3);
			assertThat(gates.most).hasValue(1);
		}
	}

	@Test
	@Tag("QC-6.2-1")
	void concurrencyGrowsAndShrinks() {
		try (Application application = application(Gates.class, Managed.class).property("ojs.queues.gates.prefetch", 1)
			.start()) {
			Gates gates = application.bean(Gates.class);
			Managed managed = application.bean(Managed.class);
			activate(application, 1);
			enqueue(application, 30);
			await().until(() -> gates.started.size() == 1);
			managed.set(QueueState.ACTIVE, 4);
			await().until(() -> gates.running.get() == 4);
			assertThat(application.bean(JobWorker.class).concurrency("gates")).isEqualTo(4);
			managed.set(QueueState.ACTIVE, 2);
			await().until(() -> application.bean(JobWorker.class).concurrency("gates") == 2);
			gates.open.release(4);
			await().until(() -> gates.ended.size() == 4);
			gates.most.set(0);
			await().until(() -> gates.running.get() == 2);
			gates.open.release(100);
			await().until(() -> gates.ended.size() == 30);
			assertThat(gates.most).hasValueLessThanOrEqualTo(2);
			assertThat(gates.ended).doesNotHaveDuplicates();
		}
	}

	@Test
	void aQueueThatIsPausedAtTheStartIsNotBegun() {
		try (Application application = application(Gates.class, PausedAtStart.class).start()) {
			Gates gates = application.bean(Gates.class);
			gates.open.release(10);
			enqueue(application, 3);
			await().during(Duration.ofSeconds(1)).until(() -> client().count(AMQP_QUEUE) == 3);
			application.bean(Managed.class).set(QueueState.ACTIVE, 2);
			await().until(() -> gates.ended.size() == 3);
		}
	}

	@Test
	@Tag("QC-5.1-2")
	@Tag("QC-11.2-5")
	void aDrainingQueueIsWorkedAndADeletedOneUntilItIsEmpty() {
		try (Application application = application(Gates.class, Managed.class).start()) {
			Gates gates = application.bean(Gates.class);
			Managed managed = application.bean(Managed.class);
			managed.set(QueueState.DRAINING, 1);
			gates.open.release(100);
			enqueue(application, 5);
			await().until(() -> gates.ended.size() == 5);
			// Its consumers may be under way from five to one.
			await().until(() -> containers(application) == 1);
			managed.set(QueueState.DELETED, 1);
			await().until(() -> containers(application) == 0);
			enqueue(application, 1);
			await().during(Duration.ofSeconds(1)).until(() -> client().count(AMQP_QUEUE) == 1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "5s", "1s" })
	void anApplicationThatStopsWaitsForWhatRunsSinceBeforeThePause(String grace) {
		Gates gates;
		long began;
		try (Application application = application(Gates.class, Managed.class)
			.property("ojs.worker.shutdown-grace", grace)
			.start()) {
			gates = application.bean(Gates.class);
			application.bean(Managed.class).set(QueueState.ACTIVE, 1);
			enqueue(application, 1);
			Gates running = gates;
			await().until(() -> running.started.size() == 1);
			application.bean(Managed.class).set(QueueState.PAUSED, 1);
			await().until(() -> containers(application) == 0);
			if (grace.equals("5s")) {
				gates.open.release(1);
			}
			began = System.nanoTime();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
		// It ended, or it was interrupted and went back.
		assertThat(gates.ended).hasSize(grace.equals("5s") ? 1 : 0);
		await().untilAsserted(() -> assertThat(client().count(AMQP_QUEUE)).isEqualTo(grace.equals("5s") ? 0 : 1));
		assertThat(client().count("ojs.queue.dlx.gates")).isZero();
	}

	@Test
	void anOrderedQueueKeepsItsOrder() {
		try (Application application = application(Gates.class, Managed.class)
			.property("ojs.queues.gates.ordering", "strict")
			.start()) {
			Gates gates = application.bean(Gates.class);
			Managed managed = application.bean(Managed.class);
			List<Job> jobs = enqueue(application, 8);
			await().until(() -> gates.started.size() == 1);
			managed.set(QueueState.PAUSED, 1);
			await().until(() -> containers(application) == 0);
			managed.set(QueueState.ACTIVE, 1);
			await().during(Duration.ofSeconds(1)).until(() -> gates.started.size() == 1);
			gates.open.release(100);
			await().until(() -> gates.ended.size() == 8);
			assertThat(gates.ended).containsExactlyElementsOf(jobs.stream().map(Job::id).toList());
			assertThat(gates.most).hasValue(1);
		}
	}

	private static List<Job> enqueue(Application application, int jobs) {
		return application.ojs()
			.enqueueAll(IntStream.range(0, jobs).mapToObj((i) -> JobRequest.of("gate.pass")).toList());
	}

	/**
	 * Has the queue worked by so many consumers, and waits until those that started with
	 * the application are gone: jobs that came meanwhile would be theirs.
	 */
	private void activate(Application application, int consumers) {
		application.bean(Managed.class).set(QueueState.ACTIVE, consumers);
		await().until(() -> client().consumers(AMQP_QUEUE) == consumers);
	}

	private static int containers(Application application) {
		return application.bean(JobWorker.class).containers().size();
	}

	/**
	 * Jobs that end when somebody opens the gate.
	 */
	static class Gates {

		private final List<String> started = new CopyOnWriteArrayList<>();

		private final List<String> ended = new CopyOnWriteArrayList<>();

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		private final Semaphore open = new Semaphore(0);

		@OjsJobHandler(value = "gate.pass", queue = "gates")
		void pass(JobContext context) throws InterruptedException {
			this.started.add(context.job().id());
			int now = this.running.incrementAndGet();
			this.most.accumulateAndGet(now, Math::max);
			boolean passed = false;
			try {
				passed = this.open.tryAcquire(60, TimeUnit.SECONDS);
			}
			finally {
				this.running.decrementAndGet();
			}
			if (passed) {
				// Last: whoever counts those that ended knows that they run no longer.
				this.ended.add(context.job().id());
			}
		}

	}

	/**
	 * Says how queues are to be.
	 */
	static class Managed implements LiveQueues {

		private final Map<String, LiveQueue> queues = new ConcurrentHashMap<>();

		private final List<LiveQueueListener> listeners = new CopyOnWriteArrayList<>();

		void set(QueueState state, int concurrency) {
			LiveQueue now = new LiveQueue("gates", state, QueueConfig.builder().concurrency(concurrency).build());
			LiveQueue before = this.queues.put("gates", now);
			this.listeners.forEach((listener) -> listener.changed((before != null) ? before : now, now));
		}

		@Override
		public LiveQueue get(String name) {
			return this.queues.getOrDefault(name, new LiveQueue(name, QueueState.ACTIVE, QueueConfig.NONE));
		}

		@Override
		public void listen(LiveQueueListener listener) {
			this.listeners.add(listener);
		}

	}

	/**
	 * Says that the queue is paused, from the start.
	 */
	static class PausedAtStart extends Managed {

		PausedAtStart() {
			set(QueueState.PAUSED, 2);
		}

	}

}
