package io.ojs.boot.it;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.fault.FaultProxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that enqueues and works jobs through a proxy while something breaks, and
 * what has to hold when it is over: every confirmed job ran, nobody tried to connect more
 * often than agreed, and the application needs no more threads and memory than before.
 */
final class FaultRun implements AutoCloseable {

	static final String QUEUE = "faults";

	/** Jobs of each run. */
	static final int JOBS = Integer.getInteger("ojs.test.faults.jobs", 200);

	/** Type of all queues. */
	static final String TYPE = System.getProperty("ojs.test.faults.queues", "quorum");

	/** So many jobs are not for every build, and so may be outages that take long. */
	static final boolean FULL = JOBS > 200;

	/** Jobs that run before anything breaks. */
	static final int WARM_UP = 20;

	private static final Logger logger = LoggerFactory.getLogger(FaultRun.class);

	static final Duration PATIENCE = Duration.ofSeconds(FULL ? 300 : 90);

	private static final Duration SLOWLY = Duration.ofSeconds(12);

	private static final long MORE_HEAP = 24L * 1024 * 1024;

	static final int MORE_THREADS = 3;

	private final String fault;

	private final FaultProxy proxy;

	private final Application application;

	private final FaultLedger ledger;

	private final FaultProducer producer;

	private final List<Thread> producers = new ArrayList<>();

	private final long heapBefore;

	private final int threadsBefore;

	private Set<String> writtenOff = Set.of();

	FaultRun(String fault, RabbitBroker broker, VirtualHost virtualHost) {
		this.fault = fault;
		this.proxy = FaultProxy.to(broker);
		this.application = Application.on(this.proxy.uri(virtualHost))
			.with(FaultLedger.class, ReconnectPace.class)
			.property("spring.rabbitmq.requested-heartbeat", "1s")
			.property("ojs.queue-defaults.type", TYPE)
			.property("ojs.publisher.confirm-timeout", "2s")
			.start();
		this.ledger = this.application.bean(FaultLedger.class);
		this.producer = new FaultProducer(this.application.ojs(), QUEUE, "fault.work", this.ledger);
		this.producers.addAll(this.producer.enqueue(0, WARM_UP));
		awaitRan();
		this.heapBefore = heap();
		this.threadsBefore = threads().size();
	}

	FaultProxy proxy() {
		return this.proxy;
	}

	/** Begins to enqueue all jobs. */
	FaultRun start() {
		return start(WARM_UP, WARM_UP + JOBS);
	}

	/** The same over some seconds, for faults that take a while to happen. */
	FaultRun startSlowly() {
		this.producer.takeTime(SLOWLY, JOBS);
		return start();
	}

	FaultRun start(int from, int to) {
		this.producers.addAll(this.producer.enqueue(from, to));
		return this;
	}

	/** Waits until that part of all jobs is confirmed. */
	void awaitConfirmed(double part) {
		await().atMost(PATIENCE).until(() -> this.ledger.confirmed() >= WARM_UP + JOBS * part);
		if (part < 1) {
			// Otherwise nothing was under way, and the test shows nothing.
			assertThat(this.producers).anyMatch(Thread::isAlive);
		}
	}

	/** Waits until all that was begun to be enqueued is confirmed. */
	void awaitProduced() {
		await().atMost(PATIENCE).until(() -> this.producers.stream().noneMatch(Thread::isAlive));
	}

	/** A queue was deleted: what was in it may be gone, and is nobody's fault. */
	void writeOffWhatIsMissing() {
		this.writtenOff = this.ledger.missing();
		assertThat(this.writtenOff).as("jobs in the queue").isNotEmpty();
	}

	int confirmed() {
		return this.ledger.confirmed();
	}

	FaultLedger ledger() {
		return this.ledger;
	}

	/** What everybody has who enqueues: an exception, and not a wait without end. */
	int failuresOfProducers() {
		return this.producer.unknown() + this.producer.refused();
	}

	/** Waits until all that was confirmed has run, and looks at what it cost. */
	void finish() {
		awaitRan();
		assertThat(this.ledger.confirmed()).isEqualTo(WARM_UP + JOBS);
		assertThat(this.ledger.failed()).as("retries that took part").isGreaterThanOrEqualTo(JOBS / 20);
		logger.info(
				"{} ({} queues): {} confirmed, {} ran, 0 lost, {} gone with their queue, {} ran more than once; "
						+ "{} attempts to connect; producers met {} unknown outcomes and {} refusals",
				this.fault, TYPE, this.ledger.confirmed(), this.ledger.ran(), this.ledger.missing().size(),
				this.ledger.duplicates(), this.proxy.attempts().size(), this.producer.unknown(),
				this.producer.refused());
		assertNoBusyLoop();
		// Idle threads of the JDK's pools end after a minute.
		await("threads").atMost(Duration.ofSeconds(90))
			.untilAsserted(() -> assertThat(threads()).hasSizeLessThanOrEqualTo(this.threadsBefore + MORE_THREADS));
		// Of what soft references and caches hold, a collection may leave some.
		await("heap").untilAsserted(() -> assertThat(heap()).isLessThan(this.heapBefore + MORE_HEAP));
	}

	private void awaitRan() {
		await(this.fault + ": all confirmed jobs run").atMost(PATIENCE).untilAsserted(() -> {
			assertThat(this.producers).noneMatch(Thread::isAlive);
			assertThat(this.ledger.missing()).isSubsetOf(this.writtenOff);
		});
	}

	private void assertNoBusyLoop() {
		ReconnectPace pace = this.application.bean(ReconnectPace.class);
		pace.assertKept();
		int attempts = this.proxy.attempts().size();
		assertThat(attempts).as("attempts to connect: two at the start, and those that were told")
			.isLessThanOrEqualTo(2 + pace.attempts().size());
	}

	/**
	 * Without the proxy's, and without the JDK's, which come with processes and HTTP
	 * clients of tests.
	 */
	static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> !name.startsWith("ojs-fault-proxy") && !name.startsWith("process reaper")
					&& !name.startsWith("HttpClient-") && !name.equals("CompletableFutureDelayScheduler"))
			.toList();
	}

	private static long heap() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	@Override
	public void close() {
		this.producer.end();
		this.application.close();
		this.proxy.close();
	}

}
