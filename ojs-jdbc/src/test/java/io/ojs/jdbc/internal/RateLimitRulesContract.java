package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.Reservation;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.rate.RateLimitStatus;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Rate limits where jobs come out of turn, or are of several limits.
 */
abstract class RateLimitRulesContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final RateLimit ONE = RateLimit.of("printer").concurrency(1);

	private static final RateLimit TEN_SECONDS = RateLimit.of("api").rate(1, Duration.ofSeconds(10));

	private final JdbcRateLimitStore limits = new JdbcRateLimitStore(this.stores.database);

	private EncodedJob limited(RateLimit limit) {
		return limited("mail", limit);
	}

	private EncodedJob limited(String queue, RateLimit limit) {
		Job job = Job.builder(this.stores.id(), "email.send", queue)
			.state(JobState.AVAILABLE)
			.createdAt(TestStores.time(NOW))
			.enqueuedAt(TestStores.time(NOW))
			.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit)))
			.build();
		return this.stores.keep(this.stores.encodedAs(job), NOW.plusSeconds(10));
	}

	private List<String> relayed(Instant now) {
		return this.stores.relay.take(now, now.plusSeconds(30), 200).jobs().stream().map(RelayedJob::id).toList();
	}

	private void complete(Claim.Taken run) {
		this.stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), NOW);
	}

	@Test
	void jobThatComesWhenOthersMayBeLetThroughIsBehindThem() {
		this.stores.taken(limited(TEN_SECONDS), NOW);
		EncodedJob waiting = limited(TEN_SECONDS);
		assertThat(this.stores.claim(waiting)).isInstanceOf(Claim.Limited.class);
		Instant next = NOW.plusSeconds(10);
		assertThat(this.stores.claim(limited(TEN_SECONDS), next)).isInstanceOf(Claim.Limited.class);
		assertThat(this.limits.release(next)).isOne();
		assertThat(relayed(next)).containsExactly(waiting.job().id());
	}

	@Test
	void nobodyIsBehindOneWhoWaitsNoLonger() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob waiting = limited(ONE);
		this.stores.claim(waiting);
		this.stores.jobs.cancel(waiting.job().id(), NOW);
		complete(running);
		assertThat(this.stores.claim(limited(ONE))).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void jobWhoseRunWasLostHasItsPlaceStill() {
		EncodedJob job = limited(ONE);
		this.stores.taken(job, NOW);
		assertThat(this.stores.claim(job, NOW.plusSeconds(31))).isInstanceOf(Claim.Taken.class);
		assertThat(this.limits.find("printer").orElseThrow().active()).isOne();
	}

	@Test
	void jobThatMustNotBeTriedAgainYetIsLetThroughLater() {
		EncodedJob job = limited(TEN_SECONDS);
		Claim.Taken first = this.stores.taken(job, NOW);
		this.stores.attempts.settle(List.of(new Outcome.Retried(first.lease(), TestStores.error("no luck"), NOW, NOW)),
				NOW);
		assertThat(this.stores.claim(job)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
		Instant next = NOW.plusSeconds(10);
		assertThat(this.limits.release(next)).isOne();
		assertThat(relayed(next)).containsExactly(job.job().id());
		assertThat(this.stores.claim(job, next)).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void onlyTheLimitThatIsReachedSaysWhatBecomesOfTheJob() {
		this.stores.queueRates.put("mail", new Rate(1, Duration.ofSeconds(10)));
		this.stores.taken(this.stores.available(), NOW);
		EncodedJob job = limited(RateLimit.of("printer").concurrency(5).onLimit(OnLimit.DROP));
		assertThat(this.stores.claim(job)).isInstanceOfSatisfying(Claim.Limited.class,
				(refused) -> assertThat(refused.key()).isEqualTo("@queue@mail"));
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
	}

	@Test
	void whoeverFetchesIsToldOfWhatIsDropped() {
		RateLimit limit = TEN_SECONDS.onLimit(OnLimit.DROP);
		this.stores.taken(limited(limit), NOW);
		EncodedJob dropped = limited(limit);
		List<FetchedJob> fetched = new JdbcFetchStore(this.stores.database).fetch(List.of("mail"), 1, "fetcher", null,
				NOW, (job) -> new Reservation(Duration.ofSeconds(30), Duration.ofMinutes(30)));
		assertThat(fetched).isEmpty();
		assertThat(this.stores.told(dropped)).containsExactly("job.discarded");
	}

	@Test
	void oneThatAnotherLimitHoldsBackKeepsNobodyFromItsPlace() {
		this.stores.queueRates.put("mail", new Rate(1, Duration.ofSeconds(10)));
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob held = limited(ONE);
		EncodedJob free = limited("other", ONE);
		assertThat(this.stores.claim(held)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.claim(free)).isInstanceOf(Claim.Limited.class);
		complete(running);
		assertThat(relayed(NOW)).containsExactly(free.job().id());
	}

	@Test
	void placeThatIsFreedWhileSomebodyIsBeingParkedIsTheirs() throws Exception {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob waiting = limited(ONE);
		Thread freeing = new Thread(() -> complete(running));
		this.stores.users().executeWithoutResult((status) -> {
			assertThat(this.stores.claim(waiting)).isInstanceOf(Claim.Limited.class);
			freeing.start();
			await().during(Duration.ofMillis(200)).until(freeing::isAlive);
		});
		freeing.join(20_000);
		assertThat(relayed(NOW)).containsExactly(waiting.job().id());
	}

	private List<EncodedJob> overlooked(int count, RateLimit limit) {
		List<EncodedJob> jobs = IntStream.range(0, count).mapToObj((i) -> limited(limit)).toList();
		this.stores.jdbc().update("update ojs_job set blocked_by = ?, relay_at = null", limit.key());
		return jobs;
	}

	@Test
	void whomNobodyLetThroughIsFoundSometime() {
		overlooked(1, ONE);
		assertThat(this.limits.release(NOW)).isZero();
		assertThat(this.limits.nextRelease()).isEmpty();
		assertThat(this.limits.releaseAll(NOW)).isOne();
		assertThat(this.limits.find("printer").orElseThrow().active()).as("it has its place").isOne();
	}

	@Test
	void asManyAreLetThroughAsThereIsRoomFor() {
		overlooked(150, RateLimit.of("api").rate(130, Duration.ofSeconds(10)));
		assertThat(this.limits.releaseAll(NOW)).isEqualTo(130);
	}

	@Test
	void theOneWhoseTimeComesFirstIsWaitedFor() {
		RateLimit hour = RateLimit.of("another").rate(1, Duration.ofHours(1));
		for (RateLimit limit : List.of(hour, TEN_SECONDS)) {
			this.stores.taken(limited(limit), NOW);
			this.stores.claim(limited(limit));
		}
		assertThat(this.limits.nextRelease()).contains(NOW.plusSeconds(10));
	}

	@Test
	void limitsAreListedByTheirKeys() {
		for (String key : List.of("b", "c", "a")) {
			this.stores.taken(limited(RateLimit.of(key).concurrency(1)), NOW);
		}
		assertThat(this.limits.list("", 2)).extracting(RateLimitStatus::key).containsExactly("a", "b");
		assertThat(this.limits.list("b", 2)).extracting(RateLimitStatus::key).containsExactly("c");
	}

	@Test
	void limitIsForgottenADayAfterItsPeriodUnlessSomebodyWaits() {
		Claim.Taken done = this.stores.taken(limited(TEN_SECONDS), NOW);
		complete(done);
		RateLimit none = RateLimit.of("closed").concurrency(1);
		this.stores.taken(limited(none), NOW);
		this.stores.claim(limited(none));
		this.limits.releaseAll(NOW.plus(Duration.ofDays(1)).plusSeconds(10));
		assertThat(this.limits.list("", 10)).hasSize(2);
		this.limits.releaseAll(NOW.plus(Duration.ofDays(1)).plusSeconds(11));
		assertThat(this.limits.list("", 10)).extracting(RateLimitStatus::key).containsExactly("closed");
	}

}
