package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.JobEvent;
import io.ojs.internal.engine.Times;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.process.KnownProcess;
import io.ojs.internal.process.ThisProcess;
import io.ojs.internal.version.HandlerStore;
import io.ojs.internal.worker.FetchRequest;
import io.ojs.internal.worker.HandledJobsJson;
import io.ojs.internal.worker.Heartbeat;
import io.ojs.jdbc.internal.version.JdbcHandlerStore;
import io.ojs.jdbc.internal.version.JdbcProcessList;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayStore;
import io.ojs.store.internal.relay.RelayedJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs whose version not everybody can run.
 */
abstract class VersionContract extends RemoteWorkersOnStore {

	private static final Instant NOW = TestStores.NOW;

	private static final HandledJobs ONE = handled("<2.0");

	private static final HandledJobs TWO = handled(">=2.0 <3.0");

	private final JdbcHandlerStore handlers = new JdbcHandlerStore(this.stores.database);

	private static HandledJobs handled(String range) {
		return new HandledJobs(Map.of("email.send", List.of(VersionRange.parse(range))), true);
	}

	private EncodedJob versioned(@Nullable Object version) {
		return this.stores.keep(encoded(version), NOW.plusSeconds(10));
	}

	private EncodedJob encoded(@Nullable Object version) {
		return this.stores.encoded((job) -> (version != null) ? job.extensions(Map.of("version", version)) : job);
	}

	private Claim claim(EncodedJob job, HandledJobs handled, Instant now) {
		return this.stores.attempts
			.claim(List.of(new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30)).handled(handled)),
					"worker-1", now, true)
			.get(0);
	}

	private Instant held(EncodedJob job, Instant now) {
		Claim claim = claim(job, ONE, now);
		assertThat(claim).isInstanceOf(Claim.WaitForWorker.class);
		return ((Claim.WaitForWorker) claim).until();
	}

	private List<String> relayed(Instant now) {
		return ids(this.stores.relay.take(now, now.plusSeconds(30), 100));
	}

	private static List<String> ids(RelayStore.Taken taken) {
		return taken.jobs().stream().map(RelayedJob::id).toList();
	}

	@Test
	void whoCannotRunAJobLeavesItAvailableAsItWas() {
		EncodedJob job = versioned("2.0");
		Job before = this.stores.find(job).job();
		assertThat(held(job, NOW)).isEqualTo(NOW.plus(Duration.ofMinutes(5)));
		assertThat(this.stores.find(job).job()).isEqualTo(before);
		assertThat(this.stores.events(job)).containsExactly("job.enqueued");
		assertThat(this.stores.relay.atBroker(NOW.plusSeconds(1000))).isEmpty();
		assertThat(claim(job, TWO, NOW.plusSeconds(1))).isInstanceOfSatisfying(Claim.Taken.class, (taken) -> {
			assertThat(taken.job().job().attempt()).isOne();
			assertThat(taken.job().job().extensions()).containsEntry("version", "2.0");
			assertThat(this.stores.attempts.settle(List.of(new Outcome.Completed(taken.lease(), null)), NOW))
				.containsExactly(true);
		});
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started", "job.completed");
		assertThat(relayed(NOW.plus(Duration.ofDays(1)))).isEmpty();
	}

	@Test
	void theStoreKnowsTheVersionHoweverItWasWritten() {
		assertThat(claim(versioned(2), ONE, NOW)).isInstanceOf(Claim.WaitForWorker.class);
		assertThat(claim(versioned("2"), ONE, NOW)).isInstanceOf(Claim.WaitForWorker.class);
		assertThat(claim(versioned(1), ONE, NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(claim(versioned(null), ONE, NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(claim(versioned("77.7"), HandledJobs.ALL, NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(claim(versioned("77.7"), new HandledJobs(Map.of("x.y", List.of()), true), NOW))
			.as("a type that nobody here knows is a mistake")
			.isInstanceOf(Claim.Taken.class);
	}

	@Test
	void jobsThatComeFromElsewhereAreKeptAndHeld() {
		EncodedJob foreign = encoded("2.0");
		Claim.WaitForWorker held = (Claim.WaitForWorker) this.stores.attempts
			.claim(List.of(new ClaimRequest(foreign, "mail", 2, Map.of("k", "v"), Duration.ofSeconds(30)).handled(ONE)),
					"worker-1", NOW, true)
			.get(0);
		assertThat(held.job().job().state()).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.find(foreign).job().attempt()).isOne();
		assertThat(relayed(held.until())).containsExactly(foreign.job().id());
		assertThat(this.stores.told).singleElement()
			.isInstanceOfSatisfying(JobEvent.Enqueued.class,
					(event) -> assertThat(event.again()).as("its producer has counted it").isTrue());
	}

	@Test
	void retriesAndLostRunsAreHeldToo() {
		EncodedJob failed = versioned("2.0");
		Claim.Taken run = (Claim.Taken) claim(failed, TWO, NOW);
		this.stores.attempts.settle(List
			.of(new Outcome.Retried(run.lease(), TestStores.error("no luck"), NOW.plusSeconds(5), NOW.plusSeconds(15))),
				NOW.plusSeconds(1));
		assertThat(claim(failed, ONE, NOW.plusSeconds(2))).isInstanceOf(Claim.NotDue.class);
		held(failed, NOW.plusSeconds(6));
		assertThat(this.stores.find(failed).job().attempt()).isOne();
		assertThat(this.stores.state(failed)).isEqualTo(JobState.AVAILABLE);
		EncodedJob lost = versioned("2.0");
		claim(lost, TWO, NOW);
		held(lost, NOW.plusSeconds(40));
		assertThat(this.stores.find(lost).job().errors()).singleElement()
			.satisfies((error) -> assertThat(error.type()).isEqualTo("lease_lost"));
		assertThat(claim(lost, TWO, NOW.plusSeconds(41))).isInstanceOfSatisfying(Claim.Taken.class,
				(taken) -> assertThat(taken.job().job().attempt()).isEqualTo(2));
		EncodedJob expired = this.stores
			.keep(this.stores.encoded((fields) -> fields.expiresAt(TestStores.time(NOW.minusSeconds(1)))
				.extensions(Map.of("version", "2.0"))), NOW);
		assertThat(claim(expired, ONE, NOW)).as("nobody has to wait for its worker").isInstanceOf(Claim.Expired.class);
	}

	@Test
	void whileSomebodyCanRunItItIsTriedSoonAndThenLaterAndLater() {
		this.handlers.announce("one", Map.of("mail", 5), ONE, NOW);
		this.handlers.announce("two", Map.of("mail", 5, "other", 1), TWO, NOW);
		EncodedJob job = versioned("2.0");
		Instant now = NOW;
		int tries = 0;
		while (Duration.between(NOW, now).toSeconds() < 28) {
			Instant until = held(job, now);
			Duration expected = Duration.between(NOW, now).dividedBy(4);
			assertThat(until)
				.isEqualTo(Times.micros(now.plus((expected.toMillis() < 100) ? Duration.ofMillis(100) : expected)));
			assertThat(relayed(until.minusMillis(1))).isEmpty();
			assertThat(relayed(until)).containsExactly(job.job().id());
			this.stores.relay.published("mail", Map.of(job.job().id(), until.plusSeconds(30)), until);
			now = until;
			tries++;
		}
		assertThat(tries).isBetween(15, 40);
	}

	@Test
	void noWaitIsTooLong() {
		this.handlers.announce("two", Map.of("mail", 5), TWO, NOW.plus(Duration.ofHours(9)));
		EncodedJob job = versioned("2.0");
		assertThat(held(job, NOW.plus(Duration.ofMinutes(1))))
			.isEqualTo(NOW.plus(Duration.ofMinutes(1).plusMillis(100)));
		assertThat(held(job, NOW.plus(Duration.ofHours(9)))).isEqualTo(NOW.plus(Duration.ofHours(9).plusSeconds(30)));
		this.handlers.withdraw("two");
		assertThat(held(job, NOW.plus(Duration.ofHours(9)))).isEqualTo(NOW.plus(Duration.ofHours(10)));
	}

	@Test
	void whoIsElsewhereOrSilentOrGoneCannotRunIt() {
		Instant longer = NOW.plus(Duration.ofMinutes(5));
		this.handlers.announce("other queue", Map.of("other", 5), TWO, NOW);
		this.handlers.announce("other version", Map.of("mail", 5), handled(">=3.0"), NOW);
		this.handlers.announce("silent", Map.of("mail", 5), TWO, NOW.minus(HandlerStore.TRUSTED));
		this.handlers.announce("gone", Map.of("mail", 5), TWO, NOW);
		this.handlers.withdraw("gone");
		assertThat(held(versioned("2.0"), NOW)).isEqualTo(longer);
		this.handlers.announce("silent", Map.of("mail", 5), TWO, NOW);
		assertThat(held(versioned("2.0"), NOW)).isEqualTo(NOW.plusMillis(100));
		this.handlers.announce("other version", Map.of("mail", 5), TWO, NOW.plus(Duration.ofMinutes(6)));
		assertThat(this.stores.jdbc().queryForList("select process from ojs_handler", String.class))
			.as("the silent are forgotten")
			.containsExactly("other version");
	}

	@Test
	void processesAreListedAlsoThoseThatDoNotSayWhatTheyAre() {
		JdbcProcessList processes = new JdbcProcessList(this.stores.database);
		ThisProcess described = new ThisProcess("two", "h".repeat(300), 4711, "gallery", null, NOW);
		processes.describe(described, 3);
		assertThat(processes.list()).as("it has announced nothing").isEmpty();
		this.handlers.announce("one", Map.of("mail", 5), ONE, NOW);
		this.handlers.announce("two", Map.of("mail", 5, "other", 1), TWO, NOW);
		processes.describe(described, 3);
		this.handlers.announce("two", Map.of("mail", 5, "other", 1), TWO, NOW.plusSeconds(10));
		assertThat(processes.list()).containsExactly(
				new KnownProcess("one", NOW, Map.of("mail", 5), new HandledJobs(ONE.versions(), false), null, null),
				new KnownProcess("two", NOW.plusSeconds(10), Map.of("mail", 5, "other", 1),
						new HandledJobs(TWO.versions(), false),
						new ThisProcess("two", "h".repeat(255), 4711, "gallery", null, NOW), 3));
		this.handlers.withdraw("two");
		assertThat(processes.list()).extracting(KnownProcess::id).containsExactly("one");
	}

	@Test
	void whoComesHasPublishedWhatWaitsForThemAndNothingElse() {
		EncodedJob two = versioned("2.0");
		EncodedJob four = versioned("4.0");
		held(two, NOW);
		held(four, NOW);
		assertThat(this.handlers.release(Set.of("mail"), ONE, NOW)).isZero();
		assertThat(this.handlers.release(Set.of("other"), TWO, NOW)).isZero();
		assertThat(this.handlers.release(Set.of("mail"), new HandledJobs(Map.of(), false), NOW)).isZero();
		assertThat(relayed(NOW)).isEmpty();
		int before = this.stores.relayable.get();
		this.handlers.announce("two", Map.of("mail", 5), TWO, NOW);
		assertThat(this.handlers.release(Set.of("mail"), TWO, NOW)).isOne();
		assertThat(this.stores.relayable.get()).isGreaterThan(before);
		assertThat(relayed(NOW)).containsExactly(two.job().id());
		assertThat(this.handlers.release(Set.of("mail"), TWO, NOW)).as("it is on its way").isZero();
		assertThat(held(two, NOW.plusMillis(10))).as("in front of the wrong one again").isEqualTo(NOW.plusMillis(110));
		assertThat(this.handlers.release(Set.of("mail"), TWO, NOW.plusMillis(20))).as("it comes soon enough").isZero();
	}

	@Test
	void manyAreReleasedTogether() {
		List<EncodedJob> jobs = IntStream.range(0, 1100).mapToObj((i) -> encoded("2.0")).toList();
		this.stores.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, NOW)).toList());
		this.stores.attempts.claim(jobs.stream()
			.map((job) -> new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30)).handled(ONE))
			.toList(), "worker-1", NOW, true);
		assertThat(relayed(NOW.plusSeconds(1))).isEmpty();
		assertThat(this.handlers.release(Set.of("mail"), TWO, NOW.plusSeconds(1))).isEqualTo(1100);
		assertThat(this.stores.relay.take(NOW.plusSeconds(1), NOW.plusSeconds(30), 2000).jobs()).hasSize(1100);
	}

	@Test
	void whatIsNotedOfEarlierMessagesDoesNotMakeAJobForgotten() {
		this.handlers.announce("two", Map.of("mail", 5), TWO, NOW);
		EncodedJob job = versioned("2.0");
		assertThat(relayed(NOW.plusSeconds(10))).hasSize(1);
		Instant until = held(job, NOW.plusSeconds(10));
		// The message was delivered before anybody noted that it had been published.
		this.stores.relay.published("mail", Map.of(job.job().id(), NOW.plusSeconds(40)), NOW.plusSeconds(10));
		assertThat(relayed(until)).containsExactly(job.job().id());
		this.stores.relay.published("mail", Map.of(job.job().id(), until.plusSeconds(30)), until);
		assertThat(relayed(until.plusSeconds(600))).as("it is at the broker").isEmpty();
		Instant again = held(job, until);
		this.handlers.withdraw("two");
		held(job, again);
		this.stores.relay.published("mail", Map.of(job.job().id(), until.plusSeconds(30)), again);
		assertThat(this.stores.relay.nextAt()).isPresent();
	}

	@Test
	void laterJobsOfAnOrderedQueuePassOneThatWaits() {
		EncodedJob first = encoded("2.0");
		EncodedJob second = encoded("1.0");
		this.stores.jobs
			.insert(List.of(new NewJob(first, Map.of(), NOW, true), new NewJob(second, Map.of(), NOW, true)));
		assertThat(ids(this.stores.relay.takeOrdered(NOW, NOW.plusSeconds(30), 1))).containsExactly(first.job().id());
		assertThat(ids(this.stores.relay.takeOrdered(NOW, NOW.plusSeconds(30), 1))).isEmpty();
		Instant until = held(first, NOW);
		assertThat(ids(this.stores.relay.takeOrdered(NOW, NOW.plusSeconds(30), 1))).containsExactly(second.job().id());
		this.stores.relay.published("mail", Map.of(second.job().id(), NOW.plusSeconds(30)), NOW);
		assertThat(ids(this.stores.relay.takeOrdered(until, until.plusSeconds(30), 1)))
			.containsExactly(first.job().id());
	}

	@Test
	void aJobThatWaitsForItsWorkerKeepsNoPlaceOfALimit() {
		RateLimit limit = RateLimit.of("stripe").concurrency(1);
		EncodedJob running = limited(limit, "2.0");
		EncodedJob waiting = limited(limit, "2.0");
		EncodedJob behind = limited(limit, "1.0");
		Claim.Taken run = (Claim.Taken) claim(running, TWO, NOW);
		assertThat(claim(waiting, TWO, NOW)).isInstanceOf(Claim.Limited.class);
		assertThat(claim(behind, ONE, NOW)).isInstanceOf(Claim.Limited.class);
		this.stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), NOW.plusSeconds(1));
		// It is let through, and its message comes to somebody who cannot run it.
		assertThat(relayed(NOW.plusSeconds(1))).containsExactly(waiting.job().id());
		held(waiting, NOW.plusSeconds(1));
		assertThat(relayed(NOW.plusSeconds(1))).containsExactly(behind.job().id());
		assertThat(claim(behind, ONE, NOW.plusSeconds(1))).isInstanceOf(Claim.Taken.class);
	}

	private EncodedJob limited(RateLimit limit, String version) {
		return this.stores.keep(this.stores
			.encoded((job) -> job.extensions(Map.of("version", version, RateLimit.FIELD, RateLimitJson.write(limit)))),
				NOW.plusSeconds(100));
	}

	private List<Object> fetch(@Nullable String worker, @Nullable HandledJobs handled) {
		return this.workers.fetch(new FetchRequest(List.of("mail"), 10, worker, null, null, handled))
			.stream()
			.<Object>map((FetchedJob each) -> String.valueOf(each.job().job().version()))
			.toList();
	}

	private static HandledJobs alone(String range) {
		return new HandledJobs(handled(range).versions(), false);
	}

	@Test
	void workersThatFetchGetWhatTheySayTheyCanRun() {
		versioned("1.0");
		versioned("2.1");
		versioned(3);
		versioned(null);
		this.stores.keep(
				this.stores
					.encoded((job) -> Job.builder(this.stores.id(), "report.render", "mail").state(JobState.AVAILABLE)),
				NOW);
		assertThat(fetch("w", alone(">=5.0"))).containsExactly("null");
		assertThat(fetch("w", alone(">=5.0"))).as("nothing of other types, or versions").isEmpty();
		assertThat(fetch("w", alone(">=2.0 <3.0"))).containsExactly("2.1");
		assertThat(fetch("w", new HandledJobs(
				Map.of("email.send", List.of(VersionRange.parse("1.0"), VersionRange.parse("2.1"))), false)))
			.containsExactly("1.0");
		assertThat(fetch("w", null)).as("who says nothing gets everything").containsExactly("3.0", "null");
	}

	@Test
	void whatAHeartbeatSaysCountsUntilAnotherSaysOtherwise() {
		this.workers.heartbeat(new Heartbeat("w", null, null, List.of(), 0, null, List.of("mail"),
				Map.of("pid", 7, "handlers", HandledJobsJson.write(alone("2.0")))));
		assertThat(this.workers.find("w").orElseThrow().details()).containsEntry("handlers",
				List.of(Map.of("type", "email.send", "versions", "2.0")));
		versioned("1.0");
		versioned("2.0");
		assertThat(fetch("w", null)).containsExactly("2.0");
		this.workers.heartbeat(new Heartbeat("w", null, null, List.of(), 0, null, List.of("mail"), Map.of("pid", 8)));
		assertThat(fetch("w", null)).isEmpty();
		assertThat(fetch("w", alone("1.0"))).as("a fetch knows better").containsExactly("1.0");
		versioned("1.0");
		this.workers.heartbeat(
				new Heartbeat("w", null, null, List.of(), 0, null, List.of("mail"), Map.of("handlers", List.of())));
		assertThat(fetch("w", null)).containsExactly("1.0");
	}

	@Test
	void whatWaitsForAHandlerIsThereForWorkersThatFetch() {
		EncodedJob job = versioned("2.0");
		held(job, NOW);
		assertThat(fetch("w", alone(">=2.0"))).containsExactly("2.0");
		assertThat(this.handlers.release(Set.of("mail"), TWO, NOW)).isZero();
		assertThat(this.stores.state(job)).isEqualTo(JobState.ACTIVE);
	}

}
