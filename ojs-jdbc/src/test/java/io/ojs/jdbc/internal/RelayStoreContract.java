package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.jdbc.internal.queue.JdbcQueueJobs;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayStore;
import io.ojs.store.internal.relay.RelayStore.AtBroker;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

abstract class RelayStoreContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Instant UNTIL = NOW.plusSeconds(100);

	@ParameterizedTest
	@ValueSource(ints = { 1, 20 })
	void runThatKeepsItsTimeIsNotNotedAsPublished(int many) {
		List<EncodedJob> jobs = Stream.generate(this.stores::available).limit(many).toList();
		jobs.forEach((job) -> this.stores.taken(job, NOW));
		List<String> ids = jobs.stream().map((job) -> job.job().id()).toList();
		this.stores.relay.published("mail", TestStores.until(TestStores.LATER, ids), NOW);
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(61), many)).hasSize(many);
	}

	@Test
	void takesWhatNobodyHasPublished() {
		EncodedJob job = this.stores.available();
		assertThat(this.stores.relay.nextAt()).contains(NOW.plusSeconds(10));
		assertThat(take(NOW.plusSeconds(9))).isEmpty();
		assertThat(take(NOW.plusSeconds(10))).singleElement().satisfies((relayed) -> {
			assertThat(relayed.encoded().body()).isEqualTo(job.body());
			assertThat(relayed.encoded().job()).isEqualTo(job.job());
			assertThat(relayed.encoded().maxAttempts()).isEqualTo(3);
			assertThat(relayed.attempt()).isEqualTo(1);
			assertThat(relayed.headers()).containsEntry("x-ojs-trace-id", "abc");
		});
		assertThat(take(NOW.plusSeconds(10))).isEmpty();
		assertThat(this.stores.relay.nextAt()).contains(UNTIL);
		this.stores.relay.giveBack(List.of(job.job().id()), NOW.plusSeconds(11));
		assertThat(take(NOW.plusSeconds(11))).hasSize(1);
		this.stores.relay.published("mail", Map.of(job.job().id(), UNTIL), NOW.plusSeconds(12));
		assertThat(this.stores.relay.nextAt()).isEmpty();
		this.stores.relay.giveBack(List.of(job.job().id()), NOW.plusSeconds(13));
		assertThat(this.stores.relay.nextAt()).as("somebody else has published it").isEmpty();
	}

	@Test
	void tellsWhatIsDueNextBesideWhatIsDueAlready() {
		assertThat(this.stores.relay.nextAfter(NOW)).isEmpty();
		this.stores.keep(this.stores.encoded((job) -> job), NOW.minusSeconds(5));
		this.stores.keep(this.stores.encoded((job) -> job), NOW);
		assertThat(this.stores.relay.nextAfter(NOW)).isEmpty();
		this.stores.scheduled(NOW.plusSeconds(60));
		this.stores.scheduled(NOW.plusSeconds(30));
		assertThat(this.stores.relay.nextAt()).contains(NOW.minusSeconds(5));
		assertThat(this.stores.relay.nextAfter(NOW)).contains(NOW.plusSeconds(30));
	}

	@Test
	void takesThoseFirstThatWaitLongest() {
		EncodedJob second = this.stores.keep(this.stores.encoded((job) -> job), NOW.minusSeconds(1));
		EncodedJob first = this.stores.keep(this.stores.encoded((job) -> job), NOW.minusSeconds(2));
		EncodedJob third = this.stores.keep(this.stores.encoded((job) -> job), NOW);
		assertThat(this.stores.relay.take(NOW, UNTIL, 2).jobs()).extracting((job) -> job.encoded().job().id())
			.containsExactly(first.job().id(), second.job().id());
		assertThat(take(NOW)).extracting((job) -> job.encoded().job().id()).containsExactly(third.job().id());
	}

	@Test
	void scheduledJobsBecomeAvailableWhenDue() {
		EncodedJob job = this.stores.scheduled(NOW.plusSeconds(60));
		assertThat(take(NOW.plusSeconds(59))).isEmpty();
		RelayStore.Taken taken = this.stores.relay.take(NOW.plusSeconds(60), UNTIL, 10);
		assertThat(taken.jobs()).hasSize(1);
		assertThat(this.stores.told(job)).containsExactly("job.enqueued");
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.find(job).dueAt()).isNull();
		assertThat(this.stores.find(job).job().enqueuedAt()).isEqualTo(TestStores.time(NOW.plusSeconds(60)));
		assertThat(this.stores.events(job)).containsExactly("job.scheduled", "job.enqueued");
	}

	@Test
	void jobThatIsDueInTenYearsIsKeptUntilThen() {
		Instant due = NOW.plus(Duration.ofDays(3653));
		EncodedJob job = this.stores.scheduled(due);
		assertThat(take(due.minusSeconds(1))).isEmpty();
		assertThat(this.stores.retention.prune(due.minusSeconds(1), 10)).isZero();
		assertThat(this.stores.state(job)).isEqualTo(JobState.SCHEDULED);
		assertThat(this.stores.relay.nextAt()).contains(due);
		assertThat(take(due)).singleElement()
			.satisfies((relayed) -> assertThat(relayed.encoded().job().id()).isEqualTo(job.job().id()));
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
	}

	@Test
	void retryableJobsBecomeAvailableWhenTheirMessageWasLost() {
		EncodedJob job = this.stores.available();
		this.stores.attempts.settle(List.of(new Outcome.Retried(this.stores.taken(job, NOW).lease(),
				TestStores.error("x"), NOW.plusSeconds(5), NOW.plusSeconds(9))), NOW);
		assertThat(take(NOW.plusSeconds(8))).isEmpty();
		assertThat(take(NOW.plusSeconds(9))).singleElement()
			.satisfies((relayed) -> assertThat(relayed.attempt()).isEqualTo(2));
		assertThat(this.stores.events(job)).endsWith("job.failed", "job.retrying");
	}

	@Test
	void whatHasExpiredIsDiscarded() {
		EncodedJob job = this.stores.keep(this.stores.encoded((fields) -> fields.state(JobState.SCHEDULED)
			.scheduledAt(TestStores.time(NOW.plusSeconds(60)))
			.expiresAt(TestStores.time(NOW.plusSeconds(90)))), NOW.plusSeconds(60));
		RelayStore.Taken taken = this.stores.relay.take(NOW.plusSeconds(91), UNTIL, 10);
		assertThat(taken.jobs()).isEmpty();
		assertThat(taken.others()).isEqualTo(1);
		assertThat(this.stores.told(job)).containsExactly("job.expired", "job.dead_lettered");
		assertThat(this.stores.state(job)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.relay.nextAt()).isEmpty();
	}

	@Test
	void whatCannotBeReadIsBuriedAndHoldsNobodyUp() {
		EncodedJob broken = this.stores.available();
		this.stores.jdbc().update("update ojs_job set envelope = '{'");
		EncodedJob job = this.stores.available();
		RelayStore.Taken taken = this.stores.relay.take(NOW.plusSeconds(10), UNTIL, 10);
		assertThat(taken.jobs()).extracting((relayed) -> relayed.encoded().job().id()).containsExactly(job.job().id());
		assertThat(this.stores.told(broken)).containsExactly("job.dead_lettered");
		assertThat(this.stores.find(broken).job().state()).isEqualTo(JobState.DISCARDED);
	}

	@Test
	void whatWasClaimedMeanwhileIsLeftAlone() {
		EncodedJob job = this.stores.available();
		take(NOW.plusSeconds(10));
		Claim.Taken run = this.stores.taken(job, NOW.plusSeconds(10));
		this.stores.relay.giveBack(List.of(job.job().id()), NOW.plusSeconds(11));
		this.stores.relay.published("mail", Map.of(job.job().id(), UNTIL), NOW.plusSeconds(11));
		assertThat(this.stores.relay.nextAt()).isEmpty();
		assertThat(this.stores.find(job)).isEqualTo(run.job());
	}

	@Test
	void whatWasPublishedToTheQueueBeforeIsNotPublished() {
		EncodedJob job = this.stores.available();
		take(NOW.plusSeconds(10));
		new JdbcQueueJobs(this.stores.database).moveWaiting("mail", "other", NOW.plusSeconds(11));
		this.stores.relay.published("mail", Map.of(job.job().id(), UNTIL), NOW.plusSeconds(12));
		assertThat(take(NOW.plusSeconds(12))).extracting((taken) -> taken.queue()).containsExactly("other");
		this.stores.relay.published("other", Map.of(job.job().id(), UNTIL), NOW.plusSeconds(13));
		assertThat(this.stores.relay.nextAt()).isEmpty();
	}

	@Test
	void whatWasRunMeanwhileWaitsForItsRetry() {
		EncodedJob job = this.stores.available();
		take(NOW.plusSeconds(10));
		this.stores.attempts.settle(List.of(new Outcome.Retried(this.stores.taken(job, NOW).lease(),
				TestStores.error("x"), NOW.plusSeconds(50), NOW.plusSeconds(60))), NOW);
		this.stores.relay.giveBack(List.of(job.job().id()), NOW.plusSeconds(11));
		this.stores.relay.published("mail", Map.of(job.job().id(), UNTIL), NOW.plusSeconds(11));
		assertThat(this.stores.relay.nextAt()).contains(NOW.plusSeconds(60));
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 20 })
	void rowThatIsLockedHoldsUpNoNoteOfWhatWasPublished(int many) {
		List<EncodedJob> jobs = Stream.generate(this.stores::available).limit(many).toList();
		List<String> ids = jobs.stream().map((job) -> job.job().id()).toList();
		assertThat(this.stores.relay.take(NOW.plusSeconds(10), UNTIL, many).jobs()).hasSize(many);
		whileLocked(ids.get(1),
				() -> this.stores.relay.published("mail", TestStores.until(UNTIL, ids), NOW.plusSeconds(9)));
		assertThat(toBePublished()).containsExactly(ids.get(1));
	}

	private List<String> toBePublished() {
		return this.stores.jdbc()
			.queryForList("select cast(id as varchar(36)) from ojs_job where relay_at is not null", String.class);
	}

	@Test
	void rowThatIsLockedHoldsUpNoOtherThatIsGivenBackOrBuried() {
		List<String> ids = Stream.generate(this.stores::available).limit(3).map((job) -> job.job().id()).toList();
		take(NOW.plusSeconds(10));
		whileLocked(ids.get(1), () -> {
			this.stores.relay.giveBack(List.of(ids.get(1), ids.get(0)), NOW.plusSeconds(11));
			assertThat(this.stores.relay.bury(Map.of(ids.get(1), "too large", ids.get(2), "too large"), NOW))
				.extracting((job) -> job.job().id())
				.containsExactly(ids.get(2));
		});
		assertThat(take(NOW.plusSeconds(12))).extracting(RelayedJob::id).containsExactly(ids.get(0));
		assertThat(take(UNTIL)).extracting(RelayedJob::id).as("when its time is over").contains(ids.get(1));
	}

	private void whileLocked(String id, Runnable action) {
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.lock(id);
			Threads.apart(() -> {
				action.run();
				return true;
			});
		});
	}

	@Test
	void whatIsToBePublishedLaterByNowIsNotNotedForWhatWasBefore() {
		EncodedJob job = this.stores.available();
		take(NOW.plusSeconds(10));
		this.stores.relay.giveBack(List.of(job.job().id()), NOW.plusSeconds(60));
		this.stores.relay.published("mail", Map.of(job.job().id(), TestStores.LATER), NOW.plusSeconds(11));
		this.stores.relay.published("mail", Map.of(job.job().id(), UNTIL), NOW.plusSeconds(11));
		assertThat(take(NOW.plusSeconds(60))).extracting(RelayedJob::id).containsExactly(job.job().id());
	}

	@Test
	void whatItsWorkerHasGivenBackIsPublishedThoughItsMessageIsNotedLate() {
		EncodedJob job = this.stores.available();
		Claim.Taken run = this.stores.taken(job, NOW.plusSeconds(1));
		this.stores.attempts.settle(List.of(new Outcome.Requeued(run.lease(), NOW.plusSeconds(2))), NOW.plusSeconds(2));
		this.stores.relay.published("mail", Map.of(job.job().id(), TestStores.LATER), NOW.plusSeconds(1));
		assertThat(take(NOW.plusSeconds(2))).extracting(RelayedJob::id).containsExactly(job.job().id());
	}

	@Test
	void whatAStopHasCutOffIsPublishedThoughItsMessageIsNotedLate() {
		EncodedJob relayed = this.stores.available();
		take(NOW.plusSeconds(10));
		EncodedJob atOnce = this.stores.keep(this.stores.encoded((job) -> job), NOW.plusSeconds(20));
		Instant again = NOW.plusSeconds(30);
		for (EncodedJob job : List.of(relayed, atOnce)) {
			Claim.Taken run = this.stores.taken(job, NOW.plusSeconds(11));
			this.stores.attempts.settle(List.of(new Outcome.Released(run.lease(), again)), NOW.plusSeconds(12));
		}
		this.stores.relay.published("mail", Map.of(relayed.job().id(), UNTIL, atOnce.job().id(), NOW.plusSeconds(20)),
				NOW.plusSeconds(13));
		assertThat(take(again)).extracting(RelayedJob::id)
			.containsExactlyInAnyOrder(relayed.job().id(), atOnce.job().id());
	}

	@Test
	void noteOfATakeThatIsOverIsNotThatOfTheNextOne() {
		EncodedJob job = this.stores.available();
		Map<String, Instant> first = Map.of(job.job().id(), UNTIL);
		take(NOW.plusSeconds(10));
		assertThat(this.stores.relay.take(UNTIL, UNTIL.plusSeconds(30), 10).jobs()).hasSize(1);
		this.stores.relay.published("mail", first, UNTIL.plusSeconds(1));
		assertThat(this.stores.relay.nextAt()).contains(UNTIL.plusSeconds(30));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 20 })
	void timesAreComparedAsTheyAreKept(int many) {
		Instant first = NOW.plusSeconds(10).plusNanos(1_001_999);
		List<EncodedJob> jobs = Stream.generate(() -> this.stores.encoded((job) -> job)).limit(many).toList();
		Map<String, Instant> untils = new HashMap<>();
		List<NewJob> inserted = new ArrayList<>();
		for (EncodedJob job : jobs) {
			Instant until = first.plusNanos(untils.size());
			untils.put(job.job().id(), until);
			inserted.add(TestStores.newJob(job, until));
		}
		this.stores.jobs.insert(inserted);
		this.stores.relay.published("mail", untils, NOW);
		assertThat(toBePublished()).isEmpty();
		Instant again = NOW.plusSeconds(60);
		assertThat(this.stores.relay.publishAgain("mail", NOW.plusSeconds(1), again, many)).isEqualTo(many);
		Instant until = again.plusNanos(1_501);
		Map<String, Instant> taken = this.stores.relay.take(again, until, many)
			.jobs()
			.stream()
			.collect(Collectors.toMap(RelayedJob::id, RelayedJob::until));
		assertThat(taken).hasSize(many);
		this.stores.relay.published("mail", taken, again);
		assertThat(toBePublished()).isEmpty();
	}

	@Test
	void waitsForNobodyWhoIsTakingJobs() {
		EncodedJob first = this.stores.keep(this.stores.encoded((job) -> job), NOW.minusSeconds(1));
		EncodedJob second = this.stores.keep(this.stores.encoded((job) -> job), NOW);
		List<RelayedJob> taken = new ArrayList<>();
		this.stores.users().executeWithoutResult((status) -> {
			assertThat(this.stores.relay.take(NOW, UNTIL, 1).jobs()).extracting(RelayedJob::id)
				.containsExactly(first.job().id());
			// Some databases lock more than is taken.
			taken.addAll(Threads.apart(() -> take(NOW)));
		});
		taken.addAll(take(NOW));
		assertThat(taken).extracting(RelayedJob::id).containsExactly(second.job().id());
	}

	@Test
	void countsAndRepeatsWhatTheBrokerShouldHave() {
		EncodedJob lost = this.stores.available();
		EncodedJob recent = this.stores.available();
		this.stores.available();
		this.stores.relay.published("mail", Map.of(lost.job().id(), TestStores.LATER), NOW.minusSeconds(600));
		this.stores.relay.published("mail", Map.of(recent.job().id(), TestStores.LATER), NOW.minusSeconds(1));
		this.stores.active();
		assertThat(this.stores.relay.atBroker(NOW.minusSeconds(300))).containsExactly(new AtBroker("mail", 2, 1));
		assertThat(this.stores.relay.atBroker(NOW.minusSeconds(700))).isEmpty();
		assertThat(this.stores.relay.publishAgain("mail", NOW.minusSeconds(300), NOW, 10)).isEqualTo(1);
		assertThat(this.stores.relay.publishAgain("other", NOW.minusSeconds(300), NOW, 10)).isZero();
		assertThat(take(NOW)).extracting((job) -> job.encoded().job().id()).containsExactly(lost.job().id());
	}

	@Test
	void whatFailedIsAtTheBrokerFromWhenItIsDue() {
		EncodedJob published = this.stores.available();
		this.stores.relay.published("mail", Map.of(published.job().id(), TestStores.LATER), NOW.minusSeconds(600));
		for (Instant dueAt : List.of(NOW.minusSeconds(400), NOW.plusSeconds(60))) {
			this.stores.attempts.settle(
					List.of(new Outcome.Retried(this.stores.active().lease(), TestStores.error("x"), dueAt, UNTIL)),
					NOW);
		}
		assertThat(this.stores.relay.atBroker(NOW.minusSeconds(300))).containsExactly(new AtBroker("mail", 2, 0));
	}

	@Test
	void onlyWhatWasPublishedAndNotTakenIsPublishedAgainTheOldestFirst() {
		EncodedJob recent = this.stores.available();
		EncodedJob lost = this.stores.available();
		EncodedJob active = this.stores.available();
		this.stores.relay.published("mail", Map.of(recent.job().id(), TestStores.LATER), NOW.minusSeconds(400));
		this.stores.relay.published("mail", Map.of(lost.job().id(), TestStores.LATER), NOW.minusSeconds(500));
		this.stores.relay.published("mail", Map.of(active.job().id(), TestStores.LATER), NOW.minusSeconds(600));
		this.stores.taken(active, NOW);
		assertThat(this.stores.relay.publishAgain("mail", NOW.minusSeconds(300), UNTIL, 1)).isEqualTo(1);
		assertThat(this.stores.relay.atBroker(NOW.minusSeconds(300))).as("it is on its way again")
			.containsExactly(new AtBroker("mail", 1, 1));
		assertThat(this.stores.relay.publishAgain("mail", NOW.minusSeconds(300), UNTIL.plusSeconds(1), 10))
			.isEqualTo(1);
		assertThat(this.stores.relay.take(UNTIL, UNTIL.plusSeconds(9), 10).jobs()).extracting(RelayedJob::id)
			.containsExactly(lost.job().id());
		assertThat(this.stores.state(active)).isEqualTo(JobState.ACTIVE);
	}

	@Test
	void noJobIsTakenTwice() throws Exception {
		List<EncodedJob> jobs = IntStream.range(0, 400).mapToObj((i) -> this.stores.encoded((job) -> job)).toList();
		this.stores.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, NOW)).toList());
		Set<String> taken = ConcurrentHashMap.newKeySet();
		Threads.together(6, (thread) -> {
			for (List<RelayedJob> page = take(NOW); !page.isEmpty(); page = take(NOW)) {
				page.forEach((job) -> assertThat(taken.add(job.encoded().job().id())).isTrue());
			}
		});
		assertThat(taken).hasSize(400);
	}

	private List<RelayedJob> take(Instant now) {
		return this.stores.relay.take(now, UNTIL, 10).jobs();
	}

	@Test
	void whatCannotBePublishedIsADeadLetterUnlessSomethingElseHasBecomeOfIt() {
		EncodedJob bad = this.stores.available();
		EncodedJob running = this.stores.available();
		EncodedJob published = this.stores.available();
		EncodedJob cancelled = this.stores.available();
		this.stores.relay.take(NOW.plusSeconds(10), NOW.plusSeconds(40), 10);
		this.stores.taken(running, NOW.plusSeconds(11));
		this.stores.relay.published("mail", Map.of(published.job().id(), NOW.plusSeconds(40)), NOW.plusSeconds(11));
		this.stores.jobs.cancel(cancelled.job().id(), NOW.plusSeconds(11));
		Map<String, String> reasons = Stream.of(bad, running, published, cancelled)
			.collect(Collectors.toMap((job) -> job.job().id(), (job) -> "It is too large."));
		assertThat(this.stores.relay.bury(reasons, NOW.plusSeconds(12))).singleElement()
			.isEqualTo(this.stores.find(bad));
		StoredJob dead = this.stores.find(bad);
		assertThat(dead.job().state()).isEqualTo(JobState.DISCARDED);
		assertThat(dead.deadLetteredAt()).isEqualTo(NOW.plusSeconds(12));
		assertThat(dead.job().errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).isEqualTo("It is too large."));
		assertThat(this.stores.events(bad)).containsExactly("job.enqueued", "job.dead_lettered");
		assertThat(this.stores.state(running)).isEqualTo(JobState.ACTIVE);
		assertThat(this.stores.state(published)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.state(cancelled)).isEqualTo(JobState.CANCELLED);
	}

}
