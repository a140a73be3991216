package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a database does with those who want to run a job.
 */
abstract class EngineClaimContract<S extends EngineStores> extends EngineContract<S> {

	static final Instant NOW = TestStores.NOW;

	/** After every lease of this test has ended. */
	static final Instant AFTER = NOW.plusSeconds(31);

	@Test
	void runOfAnUnansweredClaimGoesToWhoeverAsksAgain() {
		EncodedJob job = this.stores.available();
		Claim.Taken unheard = this.stores.taken(job, NOW);
		Instant again = NOW.plusSeconds(20);
		Claim.Taken taken = (Claim.Taken) claimAgain(job, "worker-1", again, NOW.minusSeconds(1), NOW);
		assertThat(taken.lease()).isEqualTo(unheard.lease());
		assertThat(taken.job()).isEqualTo(unheard.job()).isEqualTo(this.stores.find(job));
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started");
		assertThat(this.stores.attempts.reap(again.plusSeconds(29), 10)).isEmpty();
		assertThat(this.stores.attempts.settle(List.of(new Outcome.Completed(taken.lease(), null)), again))
			.containsExactly(true);
		assertThat(claimAgain(job, "worker-1", again, NOW)).isEqualTo(new Claim.Duplicate(JobState.COMPLETED));
	}

	@Test
	void runOfAnUnansweredClaimIsNoLostRunWhenItsLeaseIsOver() {
		EncodedJob job = this.stores.available(1);
		this.stores.taken(job, NOW);
		assertThat(claimAgain(job, "worker-1", AFTER, NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.find(job).job().errors()).isEmpty();
	}

	Claim claimAgain(EncodedJob job, String worker, Instant now, Instant... unanswered) {
		return this.stores.attempts
			.claim(List
				.of(new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30), Set.of(unanswered))),
					worker, now, true)
			.get(0);
	}

	@Test
	void answersInTheOrderOfTheRequests() {
		EncodedJob available = this.stores.available();
		EncodedJob pending = this.stores.pending();
		EncodedJob scheduled = this.stores.scheduled(NOW.plusSeconds(60));
		EncodedJob foreign = this.stores.encoded((job) -> job);
		List<Claim> claims = this.stores.attempts.claim(Stream.of(pending, foreign, available, scheduled)
			.map((job) -> new ClaimRequest(job, job.job().queue(), 2, Map.of(), Duration.ofSeconds(30)))
			.toList(), "worker", NOW, true);
		assertThat(claims.get(0)).isEqualTo(new Claim.Duplicate(JobState.PENDING));
		assertThat(claims.get(1)).isInstanceOfSatisfying(Claim.Taken.class, (taken) -> {
			assertThat(taken.adopted()).isTrue();
			assertThat(taken.job().job().attempt()).isEqualTo(2);
			assertThat(taken.job()).isEqualTo(this.stores.find(foreign));
		});
		assertThat(claims.get(2)).isInstanceOf(Claim.Taken.class);
		assertThat(claims.get(3)).isInstanceOfSatisfying(Claim.NotDue.class,
				(early) -> assertThat(early.dueAt()).isEqualTo(NOW.plusSeconds(60)));
		assertThat(this.stores.events(foreign)).containsExactly("job.started");
	}

	@Test
	void foreignJobHasNoMoreAttemptsThanItsOwn() {
		EncodedJob foreign = this.stores.encoded(this.stores.id(), 1, (job) -> job);
		Claim.Taken first = this.stores.taken(foreign, NOW);
		assertThat(first.adopted()).isTrue();
		assertThat(this.stores.attempts.settle(List.of(new Outcome.Released(first.lease(), NOW)), NOW))
			.containsExactly(true);
		assertThat(this.stores.claim(foreign)).isInstanceOf(Claim.Exhausted.class);
	}

	@Test
	void eachLeaseIsAsLongAsItsClaimAsksFor() {
		EncodedJob slow = this.stores.available();
		EncodedJob quick = this.stores.available();
		this.stores.attempts.claim(List.of(new ClaimRequest(slow, "mail", 1, Map.of(), Duration.ofMinutes(5)),
				new ClaimRequest(quick, "mail", 1, Map.of(), Duration.ofSeconds(2))), "worker", NOW, true);
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(3), 10)).extracting((job) -> job.job().id())
			.containsExactly(quick.job().id());
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(299), 10)).isEmpty();
		assertThat(this.stores.attempts.reap(NOW.plusSeconds(301), 10)).extracting((job) -> job.job().id())
			.containsExactly(slow.job().id());
	}

	@Test
	void foreignJobIsInTheQueueThatItCameFrom() {
		EncodedJob foreign = this.stores.encoded((job) -> job);
		assertThat(claim(foreign, "other", NOW)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.find(foreign).job().queue()).isEqualTo("other");
	}

	@Test
	void messagesOfOneStoreAreToldApartInOneBatch() {
		EncodedJob gone = this.stores.encoded((job) -> job);
		EncodedJob foreign = this.stores.encoded((job) -> job);
		EncodedJob known = this.stores.available();
		String store = this.stores.jobs.id();
		List<Claim> claims = this.stores.attempts.claim(
				List.of(request(gone).store(store), request(foreign), request(known).store(store)), "worker", NOW,
				true);
		assertThat(claims.get(0)).isEqualTo(new Claim.Gone());
		assertThat(claims.get(1)).isInstanceOf(Claim.Taken.class);
		assertThat(claims.get(2)).isInstanceOf(Claim.Taken.class);
	}

	static ClaimRequest request(EncodedJob job) {
		return new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30));
	}

	Claim claim(EncodedJob job, String queue, Instant now) {
		return this.stores.attempts
			.claim(List.of(new ClaimRequest(job, queue, 1, Map.of(), Duration.ofSeconds(30))), "worker", now, true)
			.get(0);
	}

	@Test
	void theRowCountsAndNotWhatTheMessageSays() {
		EncodedJob job = this.stores.available();
		EncodedJob forged = this.stores.encoded(job.job().id(), 3, (fields) -> fields.args(List.of("forged")));
		assertThat(this.stores.taken(forged, NOW).job().job().args()).isEqualTo(job.job().args());
	}

	@Test
	void doesNotBeginWhatHasNoAttemptsLeft() {
		EncodedJob job = this.stores.available(1);
		settle(new Outcome.Released(this.stores.taken(job, NOW).lease(), NOW));
		assertThat(this.stores.claim(job)).isInstanceOfSatisfying(Claim.Exhausted.class,
				(exhausted) -> assertThat(exhausted.job().deadLetteredAt()).isEqualTo(NOW));
		assertThat(this.stores.state(job)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started", "job.retry_exhausted",
				"job.dead_lettered");
		assertThat(this.stores.told(job)).containsExactly("job.retry_exhausted", "job.dead_lettered");
	}

	@Test
	void aScheduledJobIsEnqueuedBeforeItIsBegun() {
		EncodedJob job = this.stores.scheduled(NOW.plusSeconds(5));
		this.stores.taken(job, NOW.plusSeconds(5));
		assertThat(this.stores.events(job)).containsExactly("job.scheduled", "job.enqueued", "job.started");
	}

	@Test
	void doesNotBeginWhatHasExpired() {
		EncodedJob job = this.stores
			.keep(this.stores.encoded((fields) -> fields.expiresAt(TestStores.time(NOW.plusSeconds(5)))), NOW);
		EncodedJob foreign = this.stores.encoded((fields) -> fields.expiresAt(TestStores.time(NOW.plusSeconds(5))));
		for (EncodedJob late : List.of(job, foreign)) {
			assertThat(this.stores.claim(late, NOW.plusSeconds(6))).isInstanceOf(Claim.Expired.class);
			StoredJob stored = this.stores.find(late);
			assertThat(stored.job().state()).isEqualTo(JobState.DISCARDED);
			assertThat(stored.deadLetteredAt()).isEqualTo(NOW.plusSeconds(6));
			assertThat(stored.job().errors()).singleElement()
				.satisfies((error) -> assertThat(error.code()).isEqualTo(JobError.JOB_EXPIRED));
			assertThat(this.stores.events(late)).endsWith("job.expired", "job.dead_lettered");
		}
	}

	void settle(Outcome outcome) {
		assertThat(this.stores.attempts.settle(List.of(outcome), NOW)).containsExactly(true);
	}

}
