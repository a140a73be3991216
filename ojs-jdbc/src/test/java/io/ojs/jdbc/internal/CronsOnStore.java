package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.ojs.client.OjsOperations;
import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.JobFactory;
import io.ojs.cron.CronEvent;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronRequest;
import io.ojs.cron.internal.CronEvents;
import io.ojs.cron.internal.CronFiring;
import io.ojs.cron.internal.CronScheduler;
import io.ojs.cron.internal.CronSchedules;
import io.ojs.cron.internal.CronStore;
import io.ojs.cron.internal.StoreCronJobs;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.cron.JdbcCronStore;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.MiddlewareChain;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.middleware.internal.OrderedMiddleware;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import tools.jackson.databind.json.JsonMapper;

/**
 * Crons, and a clock that is moved by the test.
 */
abstract class CronsOnStore extends StoreContract {

	/** A whole minute: every expression here means every minute. */
	static final Instant START = Instant.parse("2030-03-01T12:00:00Z");

	static final Duration MINUTE = Duration.ofMinutes(1);

	final MovedClock clock = new MovedClock();

	final CronStore store = new JdbcCronStore(this.stores.database);

	final List<CronEvent> told = new CopyOnWriteArrayList<>();

	final OjsOperations ojs = new StoredOjs(this.stores, factory(), this.clock);

	final CronSchedules schedules = new CronSchedules(
			(expression) -> (after) -> after.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1));

	final CronFiring firing = firing(this.store, this.stores.transactions, this.ojs);

	final StoreCronJobs crons = crons(this.store, this.firing);

	final CronScheduler scheduler = scheduler(this.store, this.firing, this.crons);

	CronFiring firing(CronStore store, StoreTransactions transactions, OjsOperations ojs) {
		return new CronFiring(store, transactions, ojs, this.schedules, new CronEvents(List.of(this.told::add)),
				encryption(), this.clock);
	}

	/** Of what is kept of jobs. */
	JobEncryption encryption() {
		return JobEncryption.OFF;
	}

	/** What jobs pass when they are fired. */
	void middleware(MiddlewareChain<EnqueueMiddleware> chain) {
		// Nothing but the steps.
	}

	StoreCronJobs crons(CronStore store, CronFiring firing) {
		return crons(store, firing, encryption());
	}

	StoreCronJobs crons(CronStore store, CronFiring firing, JobEncryption encryption) {
		return new StoreCronJobs(store, this.stores.transactions, this.schedules, firing,
				factory().encryption(encryption), new JsonValues(JsonMapper.shared()), this.clock);
	}

	CronScheduler scheduler(CronStore store, CronFiring firing, StoreCronJobs crons) {
		return new CronScheduler(store, firing, crons, this.clock, Duration.ofMillis(20));
	}

	private JobFactory factory() {
		return factory(encryption());
	}

	JobFactory factory(JobEncryption encryption) {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		middleware(chain);
		JobHandlers handlers = new JobHandlers(List.of());
		return new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), this.stores.codec, this.clock, 100_000)
			.middleware(new EnqueueChain(chain))
			.encryption(encryption);
	}

	CronJob register(String name, UnaryOperator<CronRequest> change) {
		return this.crons
			.register(change.apply(CronRequest.of(name, "* * * * *", JobRequest.of("gate.open", name).queue("gate"))));
	}

	/** A minute passes, and all that is due is fired. */
	void minute() {
		this.clock.move(MINUTE);
		this.scheduler.fire();
	}

	List<Job> jobs() {
		return this.stores.jobs.list(new JobQuery("gate", null, Set.of(), null, 1000))
			.stream()
			.map(StoredJob::job)
			.sorted((one, other) -> triggeredAt(one).compareTo(triggeredAt(other)))
			.toList();
	}

	List<JobState> states() {
		return jobs().stream().map((job) -> Objects.requireNonNull(job.state())).toList();
	}

	static String triggeredAt(Job job) {
		return String.valueOf(job.meta().get(CronFiring.META_TRIGGERED_AT));
	}

	Claim.Taken begin(Job job) {
		EncodedJob encoded = new EncodedJob(job, this.stores.codec.encode(job), 3);
		return (Claim.Taken) this.stores.attempts
			.claim(List.of(new ClaimRequest(encoded, job.queue(), 1, Map.of(), Duration.ofHours(3))), "worker-1",
					this.clock.instant(), true)
			.get(0);
	}

	void complete(Job job) {
		this.stores.attempts.settle(List.of(new Outcome.Completed(begin(job).lease(), null)), this.clock.instant());
	}

	static final class MovedClock extends Clock {

		private volatile Instant now = START;

		void move(Duration by) {
			this.now = this.now.plus(by);
		}

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

}
