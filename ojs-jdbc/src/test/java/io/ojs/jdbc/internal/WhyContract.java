package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.engine.Times;
import io.ojs.internal.inspect.BrokerSight;
import io.ojs.internal.inspect.Explanation;
import io.ojs.internal.inspect.InspectionStore;
import io.ojs.internal.inspect.JobReasons;
import io.ojs.internal.inspect.Reason;
import io.ojs.internal.inspect.Takers;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.WorkerState;
import io.ojs.jdbc.internal.handover.JdbcHandOverStore;
import io.ojs.jdbc.internal.inspect.JdbcInspectionStore;
import io.ojs.jdbc.internal.limit.BlockedJob;
import io.ojs.jdbc.internal.version.JdbcHandlerStore;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.jdbc.internal.worker.JdbcWorkerStore;
import io.ojs.jdbc.internal.workflow.JdbcWorkflowStore;
import io.ojs.job.JobBuilder;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.job.RateScope;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import io.ojs.queue.QueueConfig;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.tenant.internal.limit.FairShares;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Why a job does not run: each reason is caused for real.
 */
abstract class WhyContract extends QueuesOnStore {

	private final InspectionStore inspection = new JdbcInspectionStore(this.stores.database);

	private final JdbcHandlerStore handlers = new JdbcHandlerStore(this.stores.database);

	private final JdbcWorkerStore workers = new JdbcWorkerStore(this.stores.database);

	private boolean fetched;

	private BrokerSight broker = BrokerSight.FINE;

	private JobReasons reasons(Instant now) {
		return new JobReasons(this.inspection, new BlockedJob(this.stores.database),
				new Takers(this.handlers, this.workers, new JdbcFetchedQueueStore(this.stores.database)),
				new JdbcWorkflowStore(this.stores.database), (queue) -> this.fetched, () -> this.broker.trouble(),
				Clock.fixed(now, ZoneOffset.UTC));
	}

	private List<Reason> why(EncodedJob job, @Nullable String tenant, Instant now) {
		JobReasons reasons = reasons(now);
		Explanation explanation = reasons.of(job.job().id(), tenant).orElseThrow();
		assertThat(explanation.jobId()).isEqualTo(job.job().id());
		assertThat(explanation.state()).isEqualTo(this.stores.state(job));
		assertThat(explanation.asOf()).isEqualTo(now);
		return explanation.reasons();
	}

	private List<Reason> why(EncodedJob job) {
		return why(job, null, NOW);
	}

	private static List<String> codes(List<Reason> reasons) {
		return reasons.stream().map(Reason::code).toList();
	}

	private static Reason the(String code, List<Reason> reasons) {
		return reasons.stream().filter((reason) -> reason.code().equals(code)).findFirst().orElseThrow();
	}

	private static String utc(Instant time) {
		return DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'").format(time.atOffset(ZoneOffset.UTC));
	}

	private EncodedJob of(@Nullable String tenant, UnaryOperator<JobBuilder> fields) {
		return this.stores.keep(this.stores
			.encoded((job) -> fields.apply((tenant != null) ? job.meta(Map.of("tenant_id", tenant)) : job)), NOW);
	}

	private EncodedJob limited(RateLimit limit, @Nullable String tenant, int age) {
		return of(tenant, (job) -> job.enqueuedAt(TestStores.time(NOW.minusMillis(1000 - age)))
			.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit))));
	}

	private void announce(String queue, String type, String versions) {
		this.handlers.announce("host-1", Map.of(queue, 1),
				new HandledJobs(Map.of(type, List.of(VersionRange.parse(versions))), true), NOW);
	}

	@Test
	void jobThatIsNotThereHasNoReason() {
		JobReasons reasons = reasons(NOW);
		assertThat(reasons.of(this.stores.id(), null)).isEmpty();
		assertThat(reasons.of("not-a-uuid", null)).isEmpty();
		EncodedJob job = of("acme", (fields) -> fields);
		assertThat(reasons.of(job.job().id(), "acme")).isPresent();
		assertThat(reasons.of(job.job().id(), "rival")).isEmpty();
		assertThat(reasons.of(this.stores.available().job().id(), "rival")).isEmpty();
	}

	@Test
	void runningJobSaysWhereItRuns() {
		EncodedJob job = of("acme", (fields) -> fields);
		this.stores.taken(job, NOW);
		Reason running = the("running", why(job));
		assertThat(running.sentence())
			.isEqualTo("Runs since %s on worker 'worker-1', attempt 1 of 3.".formatted(utc(NOW)));
		assertThat(running.since()).isEqualTo(NOW);
		assertThat(running.facts()).containsEntry("worker", "worker-1").containsEntry("attempt", 1);
		Reason shown = the("running", why(job, "acme", NOW));
		assertThat(shown.sentence()).isEqualTo("Runs since %s, attempt 1 of 3.".formatted(utc(NOW)));
		assertThat(shown.toString()).doesNotContain("worker-1");
	}

	@Test
	void runOfASilentProcessSaysWhenItsLeaseEnds() {
		EncodedJob job = this.stores.available();
		this.stores.taken(job, NOW);
		assertThat(codes(why(job, null, NOW.plusSeconds(10)))).containsExactly("running");
		List<Reason> silent = why(job, null, NOW.plusSeconds(20));
		assertThat(codes(silent)).containsExactly("lease_running_out", "running");
		assertThat(silent.get(0).sentence()).contains("process 'worker-1'", "ends at " + utc(NOW.plusSeconds(30)));
		assertThat(silent.get(0).until()).isEqualTo(NOW.plusSeconds(30));
		assertThat(why(job, null, NOW.plusSeconds(40)).get(0).sentence())
			.contains("ended at " + utc(NOW.plusSeconds(30)));

		this.stores.seen(NOW.plusSeconds(39));

		assertThat(codes(why(job, null, NOW.plusSeconds(40)))).containsExactly("running");
	}

	@Test
	void runOfASilentHttpWorkerSaysWhenItsLeaseEnds() {
		EncodedJob job = this.stores.available();
		this.stores.taken(job, NOW);
		this.stores.jdbc().update("update ojs_job set lease_ms = 30000");
		assertThat(codes(why(job, null, NOW.plusSeconds(20)))).containsExactly("running");
		assertThat(codes(why(job, null, NOW.plusSeconds(25)))).containsExactly("lease_running_out", "running");
	}

	@Test
	void endedJobSaysHowItEnded() {
		EncodedJob completed = this.stores.available();
		this.stores.attempts.settle(List.of(new Outcome.Completed(this.stores.taken(completed, NOW).lease(), 1)), NOW);
		assertThat(the("ended", why(completed)).sentence())
			.isEqualTo("Completed at %s, in attempt 1.".formatted(utc(NOW)));

		EncodedJob cancelled = this.stores.available();
		this.stores.jobs.cancel(cancelled.job().id(), NOW);
		assertThat(the("ended", why(cancelled)).sentence()).isEqualTo("Was cancelled at %s.".formatted(utc(NOW)));

		EncodedJob dead = this.stores.available();
		this.stores.attempts.settle(List.of(new Outcome.Discarded(this.stores.taken(dead, NOW).lease(),
				TestStores.error("no\nluck"), Transition.EXHAUST)), NOW);
		assertThat(the("ended", why(dead)).sentence()).isEqualTo(
				"Failed for good at %s: io.ojs.TestException: no\\nluck. It is a dead letter and runs again if it is replayed."
					.formatted(utc(NOW)));
		assertThat(the("ended", why(dead)).facts()).containsEntry("dead_letter_queue", "mail");

		EncodedJob discarded = this.stores.available();
		this.stores.attempts.settle(List.of(new Outcome.Discarded(this.stores.taken(discarded, NOW).lease(),
				TestStores.error("no luck"), Transition.REJECT_AND_DISCARD)), NOW);
		assertThat(the("ended", why(discarded)).sentence())
			.isEqualTo("Was discarded at %s: io.ojs.TestException: no luck.".formatted(utc(NOW)));
	}

	@Test
	void handedOverJobIsWorkedByOthers() {
		EncodedJob job = this.stores.keep(this.stores.encoded((fields) -> fields.queue("foreign")),
				NOW.plusSeconds(10));
		new JdbcHandOverStore(this.stores.database)
			.handOver(TestStores.until(NOW.plusSeconds(10), List.of(job.job().id())), NOW);
		assertThat(the("ended", why(job)).sentence()).contains("RabbitMQ has it since " + utc(NOW));
	}

	@Test
	void expiredJobSaysSoBeforeAndAfterAProcessNotices() {
		EncodedJob job = of(null, (fields) -> fields.expiresAt(TestStores.time(NOW.plusSeconds(5))));
		assertThat(codes(why(job))).doesNotContain("expired");
		List<Reason> waiting = why(job, null, NOW.plusSeconds(6));
		assertThat(waiting.get(0).code()).isEqualTo("expired");
		assertThat(waiting.get(0).sentence()).startsWith("Expired at " + utc(NOW.plusSeconds(5)));
		this.stores.relay.take(NOW.plusSeconds(6), NOW.plusSeconds(30), 10);
		assertThat(codes(why(job, null, NOW.plusSeconds(7)))).containsExactly("expired", "ended");
	}

	@Test
	void scheduledJobSaysWhenItIsDue() {
		EncodedJob job = this.stores.scheduled(NOW.plusSeconds(60));
		List<Reason> reasons = why(job);
		assertThat(codes(reasons)).containsExactly("scheduled");
		assertThat(reasons.get(0).sentence()).isEqualTo("Is scheduled for %s.".formatted(utc(NOW.plusSeconds(60))));
		assertThat(reasons.get(0).until()).isEqualTo(NOW.plusSeconds(60));
		announce("mail", "email.send", "*");
		assertThat(codes(why(job, null, NOW.plusSeconds(61)))).startsWith("scheduled").endsWith("not_published");
		EncodedJob far = this.stores.scheduled(NOW.plus(Duration.ofDays(3)));
		assertThat(the("scheduled", why(far)).sentence())
			.matches("Is scheduled for \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\.");
	}

	@Test
	void retryableJobSaysWhatFailedAndWhenItIsTriedAgain() {
		EncodedJob job = this.stores.available();
		this.stores.attempts.settle(List.of(new Outcome.Retried(this.stores.taken(job, NOW).lease(),
				TestStores.error("no luck"), NOW.plusSeconds(60), NOW.plusSeconds(90))), NOW);
		List<Reason> reasons = why(job);
		assertThat(codes(reasons)).containsExactly("retry_waits");
		assertThat(reasons.get(0).sentence())
			.isEqualTo("Attempt 1 of 3 failed: io.ojs.TestException: no luck. The next one is due at %s."
				.formatted(utc(NOW.plusSeconds(60))));
		announce("mail", "email.send", "*");
		assertThat(codes(why(job, null, NOW.plusSeconds(61)))).startsWith("retry_waits").endsWith("at_broker");
	}

	@Test
	void pendingJobWaitsForItsActivation() {
		assertThat(codes(why(this.stores.pending()))).containsExactly("pending");
	}

	@Test
	void jobOfAPausedQueueSaysWhoPausedIt() {
		EncodedJob job = of("acme", (fields) -> fields);
		this.queues.create("mail", QueueConfig.NONE);
		assertThat(codes(why(job))).doesNotContain("queue_paused");
		this.stores.actor.set("ann");
		this.queues.pause("mail");
		this.stores.actor.set("bob");
		this.queues.configure("mail", QueueConfig.builder().maxSize(5L).build());

		Reason paused = why(job).get(0);

		assertThat(paused.code()).isEqualTo("queue_paused");
		assertThat(paused.sentence()).isEqualTo("Queue 'mail' is paused by ann since %s.".formatted(utc(NOW)));
		assertThat(paused.facts()).containsEntry("by", "ann");
		assertThat(why(job, "acme", NOW).get(0).sentence())
			.isEqualTo("Queue 'mail' is paused since %s.".formatted(utc(NOW)));
		assertThat(this.stores.events()
			.stream()
			.filter((event) -> event.type().startsWith("queue."))
			.map((event) -> event.type() + " by " + event.data().get("by")))
			.containsExactly("queue.created by null", "queue.paused by ann", "queue.config_updated by bob");
		this.queues.resume("mail");
		assertThat(codes(why(job))).doesNotContain("queue_paused");
	}

	@Test
	void jobThatWaitsForALimitSaysHowManyRunAndItsPlace() {
		RateLimit two = RateLimit.of("stripe").concurrency(2);
		this.stores.taken(limited(two, "acme", 0), NOW);
		this.stores.taken(limited(two, "acme", 1), NOW);
		EncodedJob first = limited(two, "acme", 2);
		EncodedJob second = limited(two, "acme", 3);
		EncodedJob third = limited(two, "acme", 4);
		List.of(first, second, third).forEach(this.stores::claim);

		List<Reason> reasons = why(third, "acme", NOW);

		assertThat(codes(reasons)).containsExactly("limit_full");
		assertThat(reasons.get(0).sentence()).isEqualTo("Waits for the limit 'stripe@acme': 2 of 2 run, 3rd in line.");
		assertThat(reasons.get(0).facts()).containsEntry("limit", "stripe@acme")
			.containsEntry("running", 2L)
			.containsEntry("concurrency", 2)
			.containsEntry("place", 3);
		assertThat(the("limit_full", why(first)).sentence()).endsWith("1st in line.");
	}

	@Test
	void jobOfAPausedQueueThatWaitsForALimitHasNoPlace() {
		RateLimit one = RateLimit.of("stripe").concurrency(1);
		this.stores.taken(limited(one, null, 0), NOW);
		EncodedJob job = limited(one, null, 1);
		this.stores.claim(job);
		this.queues.create("mail", QueueConfig.NONE);
		this.queues.pause("mail");
		assertThat(codes(why(job))).containsExactly("queue_paused", "limit_full");
		assertThat(the("limit_full", why(job)).sentence()).isEqualTo("Waits for the limit 'stripe': 1 of 1 run.");
		this.stores.jdbc().update("update ojs_job set blocked_until = ? where state = 'available'", Times.utc(NOW));
		assertThat(the("limit_full", why(job)).until()).as("it depends on other jobs").isNull();
	}

	@Test
	void limitThatTenantsShareIsToldAsNumbersAlone() {
		RateLimit shared = RateLimit.of("stripe").concurrency(1).scope(RateScope.GLOBAL);
		this.stores.taken(limited(shared, "rival", 0), NOW);
		this.stores.claim(limited(shared, "rival", 1));
		EncodedJob job = limited(shared, "acme", 2);
		this.stores.claim(job);

		Reason reason = the("limit_full", why(job, "acme", NOW));

		assertThat(reason.sentence()).isEqualTo("Waits for the limit 'stripe': 1 of 1 run, 2nd in line.");
		assertThat(reason.toString()).doesNotContain("rival");
	}

	@Test
	void jobThatWaitsForARateSaysWhenTheNextOneMayStart() {
		RateLimit rate = RateLimit.of("sms").rate(1, Duration.ofMinutes(1));
		this.stores.taken(limited(rate, null, 0), NOW);
		EncodedJob job = limited(rate, null, 1);
		this.stores.claim(job);
		Reason reason = the("limit_full", why(job));
		assertThat(reason.sentence())
			.isEqualTo("Waits for the limit 'sms': 1 may start each 1 min, the next one at %s, "
				.formatted(utc(NOW.plusSeconds(60))) + "1st in line.");
		assertThat(reason.until()).isEqualTo(NOW.plusSeconds(60));
	}

	@Test
	void jobThatWaitsForAThrottleSaysItsPace() {
		RateLimit pace = RateLimit.of("sms").throttle(1, Duration.ofMillis(2500));
		this.stores.taken(limited(pace, null, 0), NOW);
		EncodedJob job = limited(pace, null, 1);
		this.stores.claim(job);
		assertThat(the("limit_full", why(job)).sentence())
			.startsWith("Waits for the limit 'sms': one may start each 2500 ms");
	}

	@Test
	void jobThatWaitsForTheRateOfItsQueueOrItsTenantsLimitSaysWhich() {
		this.stores.queueRates.put("mail", new Rate(1, Duration.ofMinutes(1)));
		this.stores.taken(this.stores.available(), NOW);
		EncodedJob ofQueue = this.stores.available();
		this.stores.claim(ofQueue);
		assertThat(the("limit_full", why(ofQueue)).sentence())
			.startsWith("Waits for the rate limit of queue 'mail': 1 may start each 1 min");
		this.stores.queueRates.clear();

		this.stores.tenantConcurrency.put("acme", 1);
		this.stores.taken(of("acme", (fields) -> fields), NOW);
		EncodedJob ofTenant = of("acme", (fields) -> fields);
		this.stores.claim(ofTenant);
		assertThat(the("limit_full", why(ofTenant, "acme", NOW)).sentence())
			.isEqualTo("Waits for the limit of tenant 'acme': 1 of 1 run, 1st in line.");
	}

	@Test
	void jobFarBehindInALineIsNotCounted() {
		RateLimit none = RateLimit.of("closed").concurrency(0);
		List<EncodedJob> line = IntStream.range(0, 102).mapToObj((i) -> limited(none, null, i)).toList();
		line.forEach(this.stores::claim);
		assertThat(the("limit_full", why(line.get(99))).sentence())
			.isEqualTo("Waits for the limit 'closed': 0 of 0 run, 100th in line.");
		assertThat(the("limit_full", why(line.get(101))).sentence()).endsWith("behind more than 100 others.");
	}

	@Test
	void jobThatAwaitsTheTurnOfItsTenantCountsTheJobsOfThatTenant() {
		TestStores fair = this.stores.with(new FairShares(true));
		List<EncodedJob> jobs = IntStream.range(0, 13)
			.mapToObj((i) -> this.stores
				.encoded((job) -> job.meta(Map.of("tenant_id", "acme")).enqueuedAt(TestStores.time(NOW.plusMillis(i)))))
			.toList();
		fair.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, NOW)).toList());

		List<Reason> reasons = why(jobs.get(12), "acme", NOW);

		assertThat(codes(reasons)).containsExactly("tenant_turn");
		assertThat(reasons.get(0).sentence())
			.isEqualTo("Waits for the turn of tenant 'acme' in queue 'mail'; 2 jobs of the tenant are before it.");
		assertThat(why(jobs.get(11), "acme", NOW).get(0).sentence()).contains("1 job of the tenant is before it");
	}

	@Test
	void jobWhoseVersionNoProcessTakesNamesIt() {
		announce("mail", "email.send", "<2.0");
		EncodedJob job = of(null, (fields) -> fields.extensions(Map.of("version", "2.1")));
		this.stores.attempts.claim(
				List.of(new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30))
					.handled(new HandledJobs(Map.of("email.send", List.of(VersionRange.parse("<2.0"))), true))),
				"worker-1", NOW, true);

		List<Reason> reasons = why(job);

		assertThat(codes(reasons)).containsExactly("no_version");
		assertThat(reasons.get(0).sentence())
			.startsWith("No process takes version 2.1 of 'email.send' from queue 'mail'; it is published again at ");
		assertThat(reasons.get(0).since()).isEqualTo(NOW);
		announce("mail", "email.send", "*");
		assertThat(why(job).get(0).sentence()).contains("another one does");
	}

	@Test
	void jobOfAQueueThatNoProcessTakesSaysSo() {
		EncodedJob job = of("acme", (fields) -> fields);
		assertThat(the("no_worker", why(job)).sentence()).isEqualTo("No process or HTTP worker takes queue 'mail'.");
		announce("other", "email.send", "*");
		worker("rival~w", "mail");
		assertThat(codes(why(job))).contains("no_worker");
		worker("acme~w", "mail");
		assertThat(codes(why(job))).doesNotContain("no_worker");
		assertThat(codes(why(job, null, NOW.plusSeconds(600)))).as("silent for 10 minutes").contains("no_worker");
		announce("mail", "another.type", "*");
		assertThat(codes(why(job, null, NOW.plusSeconds(1)))).as("gets the job and fails it")
			.doesNotContain("no_worker");
	}

	private void worker(String id, String queue) {
		new JdbcWorkerStore(this.stores.database)
			.seen(new KnownWorker(id, WorkerState.RUNNING, WorkerState.RUNNING, NOW, NOW, 0, List.of(queue),
					Map.of("handlers", List.of(Map.of("type", "email.send", "versions", "<2.0")))));
	}

	@Test
	void jobThatIsFetchedWaitsForAWorkerThatTakesItsTypeAndVersion() {
		this.fetched = true;
		EncodedJob first = of(null, (fields) -> fields.enqueuedAt(TestStores.time(NOW.minusSeconds(1))));
		EncodedJob second = of(null, (fields) -> fields.enqueuedAt(TestStores.time(NOW)));
		assertThat(codes(why(second))).containsExactly("no_worker", "awaits_fetch");
		announce("mail", "another.type", "*");
		assertThat(the("no_worker", why(second)).sentence())
			.isEqualTo("No process or HTTP worker takes type 'email.send' from queue 'mail'.");
		announce("mail", "email.send", "<2.0");
		assertThat(codes(why(second))).containsExactly("awaits_fetch");
		assertThat(why(second).get(0).sentence())
			.isEqualTo("Waits for a worker that fetches from queue 'mail'; 1 job of the queue is before it.");
		assertThat(why(first).get(0).facts()).containsEntry("before", 0);
		EncodedJob later = of(null, (fields) -> fields.extensions(Map.of("version", "2.1")));
		assertThat(codes(why(later))).containsExactly("no_version", "awaits_fetch");
	}

	@Test
	void jobThatTheStoreKeepsForWorkersIsFetchedWhateverThisProcessKnows() {
		announce("mail", "email.send", "*");
		EncodedJob job = this.stores.keep(this.stores.encoded((fields) -> fields), NOW.plus(Duration.ofDays(365)));
		assertThat(codes(why(job))).containsExactly("awaits_fetch");
	}

	@Test
	void jobThatIsNotPublishedSaysWhenTheRelayPublishesIt() {
		announce("mail", "email.send", "*");
		EncodedJob job = this.stores.available();
		assertThat(codes(why(job))).containsExactly("not_published");
		assertThat(why(job).get(0).sentence())
			.isEqualTo("RabbitMQ has not confirmed the job's message yet. If it does not, the relay publishes the "
					+ "message at %s.".formatted(utc(NOW.plusSeconds(10))));
		assertThat(the("not_published", why(job, null, NOW.plusSeconds(20))).sentence())
			.isEqualTo("RabbitMQ has not confirmed the job's message, and the relay is late: it was to publish the "
					+ "message at %s.".formatted(utc(NOW.plusSeconds(10))));
	}

	@Test
	void jobOfABrokerInTroubleSaysWhich() {
		announce("mail", "email.send", "*");
		EncodedJob job = of("acme", (fields) -> fields);
		this.broker = () -> Optional.of(new BrokerSight.Trouble(false, NOW.minusSeconds(5), "Connection refused"));
		assertThat(codes(why(job))).containsExactly("broker_down", "not_published");
		assertThat(why(job).get(0).sentence())
			.isEqualTo("This process is not connected to RabbitMQ since %s (Connection refused)."
				.formatted(utc(NOW.minusSeconds(5))));
		this.broker = () -> Optional.of(new BrokerSight.Trouble(true, null, "low on memory"));
		assertThat(codes(why(job))).containsExactly("broker_blocked", "not_published");
		assertThat(why(job).get(0).sentence()).isEqualTo("RabbitMQ takes no messages of this process (low on memory).");
		assertThat(why(job, "acme", NOW).toString()).doesNotContain("memory");
		this.fetched = true;
		assertThat(codes(why(job))).as("no message is needed").containsExactly("awaits_fetch");
	}

	@Test
	void publishedJobSaysSinceWhenAndHowManyAreBeforeIt() {
		announce("mail", "email.send", "*");
		List<EncodedJob> jobs = new ArrayList<>();
		for (String tenant : List.of("rival", "acme", "rival", "acme")) {
			jobs.add(of(tenant, (job) -> job.enqueuedAt(TestStores.time(NOW.plusMillis(jobs.size())))));
		}
		this.stores.relay.published("mail", TestStores.until(NOW, jobs.stream().map((job) -> job.job().id()).toList()),
				NOW.plusMillis(9));
		List<Reason> reasons = why(jobs.get(3));
		assertThat(codes(reasons)).containsExactly("at_broker");
		assertThat(reasons.get(0).sentence())
			.isEqualTo("RabbitMQ has its message since %s; 3 jobs of the queue are before it.".formatted(utc(NOW)));
		assertThat(why(jobs.get(3), "acme", NOW).get(0).facts()).as("its own alone").containsEntry("before", 1);
		assertThat(why(jobs.get(0)).get(0).facts()).containsEntry("before", 0);
		this.stores.taken(jobs.get(0), NOW);
		assertThat(why(jobs.get(3)).get(0).facts()).as("without those that run").containsEntry("before", 2);
	}

}
