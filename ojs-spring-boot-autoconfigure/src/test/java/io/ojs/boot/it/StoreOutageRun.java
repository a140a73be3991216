package io.ojs.boot.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that enqueues into a store and works what is there, while its database
 * or its broker is away, and what has to hold when it is over: what was accepted ran and
 * ended once, what was refused did not run, every run is an attempt that the store knows,
 * and the application needs no more threads than before.
 */
final class StoreOutageRun implements AutoCloseable {

	/** How long the database or the broker is away at least. */
	static final Duration OUTAGE = Duration
		.ofSeconds(Integer.getInteger("ojs.test.faults.outage", FaultRun.FULL ? 20 : 4));

	/** How long the pool waits for a connection. */
	private static final Duration CONNECTION = Duration.ofSeconds(2);

	/** How long the driver waits for an answer. */
	private static final Duration ANSWER = Duration.ofSeconds(3);

	/**
	 * How long a publisher waits for the broker to confirm: longer than any outage, so
	 * that no caller that is answered during one has waited for that.
	 */
	private static final Duration CONFIRMS = FaultRun.PATIENCE.multipliedBy(2);

	private static final Logger logger = LoggerFactory.getLogger(StoreOutageRun.class);

	/** Before and after the outage. */
	private static final Duration LOAD = OUTAGE.plusSeconds(5);

	private static final int HELD = 2;

	private final String fault;

	private final Application application;

	private final FaultLedger ledger;

	private final Held held;

	private final OutageProducer producer;

	private final List<Thread> producers = new ArrayList<>();

	private final List<String> heldJobs = new ArrayList<>();

	private final int threadsBefore;

	private long wentAway;

	private long gone;

	private long returning;

	private long cameBack;

	private int acceptedBefore;

	private int acceptedWhileAway;

	StoreOutageRun(String fault, VirtualHost broker, PostgresDatabase database) {
		this.fault = fault;
		this.application = Application.on(broker.uri())
			.with(FaultLedger.class, Held.class)
			.database(database.url(), database.username(), database.password())
			.property("spring.datasource.hikari.connection-timeout", CONNECTION.toMillis())
			.property("spring.datasource.hikari.validation-timeout", 500)
			.property("spring.datasource.hikari.data-source-properties.socketTimeout", ANSWER.toSeconds())
			// All of them end while the database is away.
			.property("ojs.store.lease", OUTAGE.multipliedBy(3).dividedBy(4))
			.property("ojs.store.relay-grace", "3s")
			.property("ojs.store.reap-interval", "1s")
			.property("ojs.publisher.confirm-timeout", CONFIRMS)
			.property("ojs.reconnect.max-interval", "2s")
			.property("ojs.queue-defaults.type", FaultRun.TYPE)
			.start();
		this.ledger = this.application.bean(FaultLedger.class);
		this.held = this.application.bean(Held.class);
		this.producer = new OutageProducer(this.application.ojs(), this.ledger,
				LOAD.multipliedBy(2).dividedBy(FaultRun.JOBS));
		this.producers.addAll(this.producer.enqueue(0, FaultRun.WARM_UP));
		awaitEnded();
		this.threadsBefore = FaultRun.threads().size();
	}

	/** Begins to enqueue all jobs, and waits until many are under way. */
	StoreOutageRun start() {
		for (int i = 0; i < HELD; i++) {
			this.heldJobs.add(this.application.ojs().enqueue(JobRequest.of("fault.held").queue("held")).id());
		}
		await().atMost(FaultRun.PATIENCE).until(() -> this.held.begun.get() == HELD);
		this.producer.pauseHalfway();
		this.producers.addAll(this.producer.enqueue(FaultRun.WARM_UP, FaultRun.WARM_UP + FaultRun.JOBS));
		await().atMost(FaultRun.PATIENCE).until(() -> this.ledger.confirmed() >= FaultRun.WARM_UP + FaultRun.JOBS / 10);
		return this;
	}

	/**
	 * Something is away for a while. Of two jobs that run when it goes, one ends in the
	 * meantime.
	 * @param begin takes it away
	 * @param enough what has to happen before it is back
	 * @param end brings it back
	 */
	void outage(Runnable begin, BooleanSupplier enough, Runnable end) {
		this.wentAway = System.nanoTime();
		begin.run();
		this.gone = System.nanoTime();
		this.acceptedBefore = this.ledger.confirmed();
		this.producer.goOn();
		await().pollDelay(OUTAGE.dividedBy(2)).atMost(OUTAGE).until(() -> true);
		this.held.open.release();
		await().pollDelay(OUTAGE.dividedBy(2)).atMost(OUTAGE).until(() -> true);
		await("calls that end while it is away").atMost(FaultRun.PATIENCE).until(enough::getAsBoolean);
		this.acceptedWhileAway = this.ledger.confirmed() - this.acceptedBefore;
		this.returning = System.nanoTime();
		end.run();
		this.cameBack = System.nanoTime();
		this.held.open.release();
	}

	/** How many jobs were accepted since it is away. */
	int acceptedSoFar() {
		return this.ledger.confirmed() - this.acceptedBefore;
	}

	/**
	 * Whether the producer of single jobs and that of batches both had a call that began
	 * and ended since it is away.
	 */
	boolean isEveryProducerAnswered() {
		return this.producer.calls()
			.stream()
			.filter((call) -> call.began() - this.gone >= 0)
			.map((call) -> call.jobs().size() > 1)
			.distinct()
			.count() == 2;
	}

	/** What was asked while it was away. */
	List<OutageProducer.Call> callsWhileAway() {
		return this.producer.calls()
			.stream()
			.filter((call) -> call.began() - this.wentAway >= 0 && this.returning - call.began() >= 0)
			.toList();
	}

	int acceptedWhileAway() {
		return this.acceptedWhileAway;
	}

	/** Waits until everything has ended, and looks at what became of it. */
	void finish() {
		awaitEnded();
		long ended = System.nanoTime();
		assertThat(this.ledger.confirmed()).isEqualTo(FaultRun.WARM_UP + FaultRun.JOBS);
		assertThat(this.ledger.failed()).as("retries that took part").isGreaterThanOrEqualTo(FaultRun.JOBS / 20);
		List<String> refused = jobs(OutageProducer.Call::isRefused);
		assertThat(refused).allSatisfy((id) -> {
			assertThat(this.application.ojs().find(id)).as("refused").isEmpty();
			assertThat(this.ledger.begun(id)).as("runs of refused job " + id).isZero();
		});
		List<String> open = jobs(OutageProducer.Call::isUnknown);
		List<String> came = open.stream().filter((id) -> this.application.ojs().find(id).isPresent()).toList();
		int lostRuns = Stream.concat(this.ledger.allConfirmed().stream(), came.stream()).mapToInt(this::lostRuns).sum();
		this.heldJobs.forEach((id) -> assertThat(find(id).orElseThrow().state()).isEqualTo(JobState.COMPLETED));
		assertThat(this.held.begun).as("runs of jobs that ran all the time").hasValue(HELD);
		assertThat(this.held.ended).hasValue(HELD);
		assertThat(count("select count(*) from (select subject from " + EventRows.ALL + " where type = 'job.completed' "
				+ "group by subject having count(*) > 1) twice"))
			.as("jobs that ended twice")
			.isZero();
		List<Duration> took = callsWhileAway().stream().map(OutageProducer.Call::took).sorted().toList();
		logger.info(
				"{} for {} s ({} queues): {} accepted, {} of them meanwhile, {} refused, {} unknown, {} of them kept; "
						+ "{} completed, 0 lost, {} runs lost, {} ran to the end more than once; enqueueing took {} ms "
						+ "meanwhile, 99 % up to {}, all up to {}; all had ended {} ms after it was back",
				this.fault, OUTAGE.toSeconds(), FaultRun.TYPE, this.ledger.confirmed(), this.acceptedWhileAway,
				refused.size(), open.size(), came.size(),
				count("select count(*) from ojs_job where state = 'completed'"), lostRuns, this.ledger.duplicates(),
				millis(took, 0.5), millis(took, 0.99), millis(took, 1),
				Duration.ofNanos(ended - this.cameBack).toMillis());
		// Idle threads of the JDK's pools end after a minute.
		await("threads").atMost(Duration.ofSeconds(90))
			.untilAsserted(() -> assertThat(FaultRun.threads())
				.hasSizeLessThanOrEqualTo(this.threadsBefore + FaultRun.MORE_THREADS));
	}

	/** A job that was accepted, or may have been, completed, and its attempts say how. */
	private int lostRuns(String id) {
		Job job = find(id).orElseThrow(() -> new AssertionError("accepted and lost: " + id));
		List<JobError> errors = job.errors();
		assertThat(job.state()).as("state of " + id).isEqualTo(JobState.COMPLETED);
		assertThat(job.attempt()).as("attempts of " + id + " with " + errors).isEqualTo(errors.size() + 1);
		int lost = (int) errors.stream().filter((error) -> "WORKER_LOST".equals(error.code())).count();
		assertThat(this.ledger.begun(id)).as("runs of " + id + " with " + errors).isLessThanOrEqualTo(job.attempt());
		assertThat(this.ledger.ran(id)).as("runs of " + id + " to the end, with " + errors).isBetween(1, 1 + lost);
		return lost;
	}

	private Optional<Job> find(String id) {
		return this.application.ojs().find(id);
	}

	private List<String> jobs(Predicate<OutageProducer.Call> kind) {
		return this.producer.calls().stream().filter(kind).flatMap((call) -> call.jobs().stream()).toList();
	}

	/** All that is in the store has ended, and all that was accepted ran. */
	private void awaitEnded() {
		await(this.fault + ": all that was accepted ends").atMost(FaultRun.PATIENCE).untilAsserted(() -> {
			assertThat(this.producers).noneMatch(Thread::isAlive);
			assertThat(this.application.bean(JdbcTemplate.class)
				.queryForList(
						"select id, type, state, attempt, relay_at, published_at, lease_until, errors from ojs_job "
								+ "where state <> 'completed' limit 5"))
				.isEmpty();
			assertThat(this.ledger.missing()).isEmpty();
		});
	}

	private long count(String sql) {
		Long count = this.application.bean(JdbcTemplate.class).queryForObject(sql, Long.class);
		return (count != null) ? count : 0;
	}

	/** So many milliseconds that part of all calls did not exceed. */
	private static long millis(List<Duration> sorted, double part) {
		return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(part * sorted.size()) - 1).toMillis();
	}

	@Override
	public void close() {
		this.producer.end();
		this.held.open.release(HELD);
		this.application.close();
	}

	/**
	 * Jobs that run as long as the test wants.
	 */
	static final class Held {

		private final AtomicInteger begun = new AtomicInteger();

		private final AtomicInteger ended = new AtomicInteger();

		private final Semaphore open = new Semaphore(0);

		@OjsJobHandler(value = "fault.held", queue = "held", concurrency = HELD)
		void hold() throws InterruptedException {
			this.begun.incrementAndGet();
			this.open.acquire();
			this.ended.incrementAndGet();
		}

	}

}
