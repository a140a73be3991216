package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.relay.RelayStore.AtBroker;
import io.ojs.store.internal.relay.RelayStore.Taken;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.tenant.internal.limit.FairShares;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What waits in the store for the turn of its tenant, and what goes on when.
 */
abstract class FairSharesContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Instant UNTIL = NOW.plusSeconds(100);

	private TestStores fair;

	/** Each job is a little younger than the one before it. */
	private int age;

	@BeforeEach
	void open() {
		this.fair = this.stores.with(new FairShares(true));
	}

	private EncodedJob job(String tenant, UnaryOperator<JobBuilder> fields) {
		return this.fair.encoded((job) -> fields.apply(job.meta(Map.of("tenant_id", tenant))));
	}

	private List<EncodedJob> jobs(String tenant, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> job(tenant, (job) -> job.enqueuedAt(TestStores.time(NOW.plusMillis(this.age++)))))
			.toList();
	}

	/** Keeps jobs, and tells which of them are to be published at once. */
	private List<EncodedJob> atOnce(List<EncodedJob> jobs) {
		List<Insertion> insertions = this.fair.jobs
			.insert(jobs.stream().map((job) -> TestStores.newJob(job, TestStores.LATER)).toList());
		List<EncodedJob> atOnce = new ArrayList<>();
		for (int i = 0; i < jobs.size(); i++) {
			if (!((Insertion.Inserted) insertions.get(i)).waits()) {
				atOnce.add(jobs.get(i));
			}
		}
		return atOnce;
	}

	private List<String> inTurn() {
		return ids(inTurn(this.fair));
	}

	private static Taken inTurn(TestStores stores) {
		return stores.relay.takeInTurn(NOW, UNTIL, (queue) -> true, 500);
	}

	private static List<String> ids(Taken taken) {
		return taken.jobs().stream().map(RelayedJob::id).toList();
	}

	private static List<String> ids(List<EncodedJob> jobs) {
		return jobs.stream().map((job) -> job.job().id()).toList();
	}

	private void start(List<EncodedJob> jobs) {
		this.fair.attempts.claim(
				jobs.stream().map((job) -> new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30))).toList(),
				"worker", NOW, true)
			.forEach((claim) -> assertThat(claim).isInstanceOf(Claim.Taken.class));
	}

	@Test
	void whatIsMoreThanAShareWaitsAndJobsOfOthersDoNot() {
		List<EncodedJob> noisy = jobs("noisy", 25);
		assertThat(ids(atOnce(noisy))).isEqualTo(ids(noisy.subList(0, 10)));
		assertThat(atOnce(jobs("quiet", 1))).hasSize(1);
		assertThat(this.fair.relay.take(TestStores.LATER, UNTIL, 500).jobs()).as("left to those who publish at once")
			.hasSize(11);
		assertThat(this.fair.relay.take(UNTIL, UNTIL.plusSeconds(9), 500).jobs()).as("of a process that was killed")
			.hasSize(11);
	}

	@Test
	void whoWaitsForAWorkerOfItsVersionTakesNoShare() {
		List<EncodedJob> later = IntStream.range(0, 10)
			.mapToObj((i) -> job("noisy", (job) -> job.extensions(Map.of("version", "2.0"))))
			.toList();
		assertThat(atOnce(later)).hasSize(10);
		HandledJobs handled = new HandledJobs(Map.of(later.get(0).job().type(), List.of(VersionRange.parse("<2.0"))),
				true);
		this.fair.attempts
			.claim(later.stream()
				.map((job) -> new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30)).handled(handled))
				.toList(), "worker", NOW, true)
			.forEach((claim) -> assertThat(claim).isInstanceOf(Claim.WaitForWorker.class));
		assertThat(atOnce(jobs("noisy", 3))).hasSize(3);
	}

	@Test
	void othersFollowInTheirOrderAsSoonAsThereIsRoom() {
		List<EncodedJob> noisy = jobs("noisy", 25);
		atOnce(noisy);
		assertThat(inTurn()).isEmpty();
		start(noisy.subList(0, 3));
		assertThat(inTurn()).isEqualTo(ids(noisy.subList(10, 13)));
		assertThat(inTurn()).isEmpty();
		start(noisy.subList(3, 9));
		assertThat(inTurn()).isEqualTo(ids(noisy.subList(13, 19)));
		this.fair.relay.published("mail", TestStores.until(UNTIL, ids(noisy.subList(10, 19))), NOW);
		assertThat(this.fair.relay.take(UNTIL, UNTIL, 500).jobs()).as("not published, so once more")
			.extracting(RelayedJob::id)
			.containsExactly(noisy.get(9).job().id());
	}

	@Test
	void laterJobsOfATenantDoNotPassThoseThatWait() {
		List<EncodedJob> first = jobs("noisy", 25);
		atOnce(first);
		start(first.subList(0, 10));
		List<EncodedJob> second = jobs("noisy", 3);
		assertThat(atOnce(second)).isEmpty();
		assertThat(inTurn()).doesNotContainAnyElementsOf(ids(second)).isNotEmpty();
	}

	@Test
	void urgentJobsOfATenantPassItsOthers() {
		atOnce(jobs("noisy", 12));
		EncodedJob urgent = job("noisy", (job) -> job.priority(50));
		assertThat(atOnce(List.of(urgent))).isEmpty();
		this.fair.jdbc().update("update ojs_job set state = 'completed', awaits_turn = null where awaits_turn = false");
		assertThat(inTurn()).hasSize(3).startsWith(urgent.job().id());
	}

	@Test
	void urgentJobsOfABatchHaveTheShare() {
		List<EncodedJob> batch = new ArrayList<>(jobs("noisy", 30));
		EncodedJob urgent = job("noisy", (job) -> job.priority(1));
		batch.add(urgent);
		assertThat(ids(atOnce(batch))).hasSize(10).contains(urgent.job().id());
	}

	@Test
	void severalTenantsFollowByTurns() {
		List<EncodedJob> one = jobs("one", 60);
		List<EncodedJob> other = jobs("other", 60);
		atOnce(one);
		atOnce(other);
		this.fair.jdbc().update("update ojs_job set state = 'completed', awaits_turn = null where awaits_turn = false");
		List<String> taken = inTurn();
		assertThat(taken).hasSize(10);
		for (int i = 0; i < 5; i++) {
			assertThat(taken.subList(2 * i, 2 * i + 2)).containsExactly(one.get(10 + i).job().id(),
					other.get(10 + i).job().id());
		}
	}

	@Test
	void windowGrowsWhileItRunsDry() {
		atOnce(jobs("noisy", 200));
		List<Integer> taken = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			this.fair.jdbc()
				.update("update ojs_job set state = 'completed', awaits_turn = null where awaits_turn = false");
			taken.add(inTurn().size());
		}
		assertThat(taken).containsExactly(10, 20, 40, 80);
	}

	@Test
	void whatIsDueWaitsForItsTurnToo() {
		List<EncodedJob> due = IntStream.range(0, 25)
			.mapToObj((i) -> job("noisy", (job) -> job.state(JobState.SCHEDULED).scheduledAt(TestStores.time(NOW))))
			.toList();
		due.forEach((job) -> this.fair.keep(job, NOW));
		Taken taken = this.fair.relay.take(NOW, UNTIL, 500);
		assertThat(taken.jobs()).hasSize(10);
		assertThat(taken.others()).isEqualTo(15);
		assertThat(taken.isEmpty()).isFalse();
		assertThat(due).allSatisfy((job) -> assertThat(this.fair.told(job)).containsExactly("job.enqueued"));
		assertThat(due).allSatisfy((job) -> assertThat(this.fair.state(job)).isEqualTo(JobState.AVAILABLE));
		assertThat(this.fair.relay.take(NOW, UNTIL, 500)).isEqualTo(Taken.NOTHING);
		start(due.stream().filter((job) -> ids(taken).contains(job.job().id())).toList());
		assertThat(inTurn()).hasSize(10);
	}

	@Test
	void pendingJobsThatAreActivatedWaitForTheirTurn() {
		atOnce(jobs("noisy", 12));
		EncodedJob pending = this.fair.keep(job("noisy", (job) -> job.state(JobState.PENDING)), null);
		this.fair.jobs.activate(pending.job().id(), NOW, NOW);
		Taken taken = this.fair.relay.take(NOW, UNTIL, 500);
		assertThat(taken.jobs()).isEmpty();
		assertThat(taken.others()).isEqualTo(1);
	}

	@Test
	void lostRunsAreNotForgotten() {
		List<EncodedJob> noisy = jobs("noisy", 12);
		start(atOnce(noisy));
		assertThat(this.fair.attempts.reap(NOW.plusSeconds(60), 100)).hasSize(10);
		Set<String> seen = ConcurrentHashMap.newKeySet();
		for (int i = 0; i < 10; i++) {
			Taken due = this.fair.relay.take(NOW.plusSeconds(60), UNTIL, 500);
			due.jobs().forEach((job) -> seen.add(job.id()));
			seen.addAll(inTurn());
			this.fair.jdbc()
				.update("update ojs_job set state = 'completed', awaits_turn = null where awaits_turn = false");
		}
		assertThat(seen).containsExactlyInAnyOrderElementsOf(ids(noisy));
	}

	@Test
	void whoeverHasTheMessageOfAJobRunsItWaitingOrNot() {
		List<EncodedJob> noisy = jobs("noisy", 12);
		atOnce(noisy);
		start(noisy.subList(10, 12));
		assertThat(inTurn()).isEmpty();
	}

	@Test
	void aPlaceOfALimitIsNotKeptWaiting() {
		RateLimit limit = RateLimit.of("printer").concurrency(1);
		atOnce(jobs("noisy", 10));
		List<EncodedJob> limited = IntStream.range(0, 2)
			.mapToObj((i) -> job("noisy", (job) -> job.extensions(Map.of("rate_limit", RateLimitJson.write(limit)))))
			.toList();
		assertThat(atOnce(limited.subList(0, 1))).isEmpty();
		start(limited.subList(0, 1));
		assertThat(atOnce(limited.subList(1, 2))).isEmpty();
		this.fair.jobs.cancel(limited.get(0).job().id(), NOW);
		assertThat(ids(this.fair.relay.take(Instant.now(), Instant.now().plusSeconds(60), 500)))
			.contains(limited.get(1).job().id());
	}

	@Test
	void jobsOfNobodyAndOfOrderedQueuesDoNotWait() {
		List<EncodedJob> nobodys = IntStream.range(0, 20).mapToObj((i) -> this.fair.encoded((job) -> job)).toList();
		assertThat(atOnce(nobodys)).hasSize(20);
		List<NewJob> ordered = jobs("noisy", 20).stream().map((job) -> new NewJob(job, Map.of(), NOW, true)).toList();
		assertThat(this.fair.jobs.insert(ordered)).containsOnly(Insertion.Inserted.NEW);
		assertThat(this.fair.relay.takeOrdered(NOW, UNTIL, 500).jobs()).hasSize(20);
	}

	@Test
	void withoutSharesNothingWaitsAndWhatOthersHoldBackGoesOn() {
		atOnce(jobs("noisy", 25));
		TestStores off = this.stores.with(new FairShares(false));
		List<Insertion> insertions = off.jobs
			.insert(jobs("noisy", 30).stream().map((job) -> TestStores.newJob(job, TestStores.LATER)).toList());
		assertThat(insertions).containsOnly(Insertion.Inserted.NEW);
		this.fair.jdbc().update("update ojs_job set state = 'completed', awaits_turn = null where awaits_turn = false");
		assertThat(inTurn(off).jobs()).hasSize(10);
	}

	@Test
	void whatWaitsIsNotMissedAtTheBroker() {
		List<EncodedJob> noisy = jobs("noisy", 25);
		atOnce(noisy);
		this.fair.relay.published("mail", TestStores.until(TestStores.LATER, ids(noisy.subList(0, 10))),
				NOW.minusSeconds(600));
		assertThat(this.fair.relay.atBroker(NOW.minusSeconds(300))).containsExactly(new AtBroker("mail", 10, 0));
		assertThat(this.fair.relay.publishAgain("mail", NOW.minusSeconds(300), NOW, 100)).isEqualTo(10);
	}

	@Test
	void queuesThatAreNotWantedKeepWhatWaits() {
		List<EncodedJob> noisy = jobs("noisy", 25);
		start(atOnce(noisy));
		assertThat(this.fair.relay.takeInTurn(NOW, UNTIL, (queue) -> !queue.equals("mail"), 500))
			.isEqualTo(Taken.NOTHING);
		assertThat(inTurn()).hasSize(10);
	}

	@Test
	void whatIsCancelledIsNotPublished() {
		List<EncodedJob> noisy = jobs("noisy", 12);
		start(atOnce(noisy));
		this.fair.jobs.cancel(noisy.get(10).job().id(), NOW);
		assertThat(inTurn()).containsExactly(noisy.get(11).job().id());
	}

	@Test
	void whatIsRolledBackHoldsNobodyUp() {
		this.fair.users().executeWithoutResult((transaction) -> {
			atOnce(jobs("noisy", 25));
			transaction.setRollbackOnly();
		});
		assertThat(atOnce(jobs("noisy", 5))).hasSize(5);
		assertThat(inTurn()).isEmpty();
	}

	@Test
	void relayIsToldWhenEnoughHaveStarted() {
		List<EncodedJob> noisy = jobs("noisy", 25);
		atOnce(noisy);
		int before = this.fair.relayable.get();
		start(noisy.subList(0, 1));
		assertThat(this.fair.relayable).hasValue(before);
		start(noisy.subList(1, 3));
		assertThat(this.fair.relayable).hasValue(before + 1);
		assertThat(this.fair.relay.nextAt()).get()
			.satisfies((next) -> assertThat(next).isBefore(Instant.now().plusSeconds(1)));
	}

	@Test
	void manyInstancesTakeEachJobOnce() throws Exception {
		List<EncodedJob> noisy = new ArrayList<>(jobs("one", 100));
		noisy.addAll(jobs("other", 100));
		Set<String> taken = ConcurrentHashMap.newKeySet();
		taken.addAll(ids(atOnce(noisy)));
		Threads.together(4, (thread) -> {
			TestStores mine = this.stores.with(new FairShares(true));
			for (int i = 0; i < 200 && taken.size() < 200; i++) {
				inTurn(mine).jobs().forEach((job) -> assertThat(taken.add(job.id())).isTrue());
				mine.jdbc().update("update ojs_job set awaits_turn = null where awaits_turn = false");
			}
		});
		assertThat(taken).hasSize(200);
	}

}
