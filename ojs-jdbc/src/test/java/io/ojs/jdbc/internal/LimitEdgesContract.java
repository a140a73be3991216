package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.jdbc.internal.queue.JdbcQueueJobs;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.job.RateScope;
import io.ojs.job.UniquePolicy;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits where jobs take a way that is not the usual one.
 */
abstract class LimitEdgesContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private static final RateLimit ONE = RateLimit.of("printer").concurrency(1);

	private JdbcRateLimitStore limits() {
		return new JdbcRateLimitStore(this.stores.database);
	}

	private EncodedJob limited(RateLimit limit) {
		return limited(limit, (job) -> job);
	}

	private EncodedJob limited(RateLimit limit, UnaryOperator<JobBuilder> fields) {
		return this.stores.keep(
				this.stores.encoded(
						(job) -> fields.apply(job.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit))))),
				TestStores.LATER);
	}

	private List<String> relayed(Instant now) {
		return this.stores.relay.take(now, now.plusSeconds(30), 100).jobs().stream().map(RelayedJob::id).toList();
	}

	private void complete(Claim.Taken run, Instant now) {
		this.stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), now);
	}

	private static ClaimRequest request(EncodedJob job) {
		return new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30));
	}

	@Test
	void aJobThatTakesThePlaceOfAnotherHasItsOwnLimit() {
		UniquePolicy policy = UniquePolicy.DEFAULT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE);
		Instant due = NOW.plusSeconds(5);
		UnaryOperator<JobBuilder> later = (job) -> job.state(JobState.SCHEDULED).scheduledAt(TestStores.time(due));
		EncodedJob first = this.stores.unique("a", policy, later);
		this.stores.insert(first);
		this.stores.insert(this.stores.unique("a", policy, (job) -> later.apply(job)
			.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(RateLimit.of("printer").concurrency(0))))));
		EncodedJob merged = this.stores.encodedAs(this.stores.find(first).job());
		assertThat(merged.job().extensions()).containsKey(RateLimit.FIELD);
		assertThat(this.stores.claim(merged, due)).isInstanceOf(Claim.Limited.class);
	}

	@Test
	void linesThatShareTheirJobsDoNotMoveAllOfThemToAndFro() {
		this.stores.queueRates.put("mail", new Rate(1, PERIOD));
		Claim.Taken running = this.stores.taken(limited(RateLimit.of("printer").concurrency(2)), NOW);
		IntStream.range(0, 200).forEach((i) -> limited(RateLimit.of("printer").concurrency(2)));
		this.stores.jdbc().update("update ojs_job set blocked_by = 'printer' where blocked_by is not null");
		complete(running, NOW.plusSeconds(1));
		assertThat(this.stores.jdbc()
			.queryForObject("select count(*) from ojs_job where blocked_by = '@queue@mail'", Integer.class))
			.isBetween(1, 64);
		assertThat(limits().nextRelease()).as("to go on with it").contains(NOW.plusSeconds(1).plusMillis(50));
		assertThat(limits().release(NOW.plus(PERIOD))).as("those in front get their turn").isEqualTo(1);
	}

	@Test
	void whoDoesNotTakeItsPlaceIsBehindOthersHoweverUrgentItIs() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob urgent = limited(ONE, (job) -> job.priority(5));
		EncodedJob other = limited(ONE);
		complete(running, NOW);
		assertThat(relayed(NOW)).containsExactly(urgent.job().id());
		Instant later = NOW.plusSeconds(61);
		limits().releaseAll(later);
		assertThat(relayed(later)).containsExactly(other.job().id());
	}

	@Test
	void whoDoesNotKnowAllLimitsLeavesItToOthers() {
		this.stores.tenantConcurrency.put("acme", 1);
		Claim.Taken ofTenant = this.stores
			.taken(this.stores.keep(this.stores.encoded((job) -> job.meta(Map.of("tenant_id", "acme"))), NOW), NOW);
		assertThat(ofTenant).isNotNull();
		EncodedJob running = limited(RateLimit.of("printer").concurrency(1).scope(RateScope.GLOBAL),
				(job) -> job.meta(Map.of("tenant_id", "beta")));
		this.stores.taken(running, NOW);
		limited(RateLimit.of("printer").concurrency(1).scope(RateScope.GLOBAL),
				(job) -> job.meta(Map.of("tenant_id", "acme")));
		this.stores.limitsKnown.set(false);
		this.stores.tenantConcurrency.clear();
		this.stores.jobs.cancel(running.job().id(), NOW);
		assertThat(relayed(NOW)).isEmpty();
		assertThat(limits().nextRelease()).as("another process looks now").contains(NOW);
		this.stores.limitsKnown.set(true);
		this.stores.tenantConcurrency.put("acme", 1);
		assertThat(limits().release(NOW)).as("the tenant has one running").isZero();
	}

	@Test
	void aPlaceThatIsGivenUpAmongClaimsGoesToOneOfThem() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob late = limited(ONE, (job) -> job.expiresAt(TestStores.time(NOW.plusSeconds(5))));
		complete(running, NOW);
		assertThat(relayed(NOW)).containsExactly(late.job().id());
		EncodedJob next = this.stores
			.encoded((job) -> job.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(ONE))));
		Instant later = NOW.plusSeconds(6);
		List<Claim> claims = this.stores.attempts.claim(List.of(request(late), request(next)), "worker", later, true);
		assertThat(claims.get(0)).isInstanceOf(Claim.Expired.class);
		assertThat(claims.get(1)).isInstanceOf(Claim.Limited.class);
		assertThat(relayed(later)).containsExactly(next.job().id());
	}

	@Test
	void anotherRunOfALostJobIsAnotherStart() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofHours(1));
		EncodedJob job = limited(limit);
		this.stores.taken(job, NOW);
		Instant later = NOW.plusSeconds(60);
		assertThat(this.stores.claim(job, later)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
		limits().release(NOW.plus(Duration.ofHours(1)));
		assertThat(this.stores.claim(job, NOW.plus(Duration.ofHours(1)))).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void aJobThatIsMovedAsksTheLimitOfItsNewQueue() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob job = limited(ONE);
		complete(running, NOW);
		this.stores.queueRates.put("other", new Rate(1, PERIOD));
		this.stores.jdbc().update("update ojs_job set relay_at = null where id = cast(? as uuid)", job.job().id());
		new JdbcQueueJobs(this.stores.database).moveWaiting("mail", "other", NOW);
		EncodedJob moved = this.stores.encodedAs(this.stores.find(job).job());
		assertThat(this.stores.claim(moved)).isInstanceOf(Claim.Taken.class);
		assertThat(limits().find("@queue@other").orElseThrow().windows().get(0).starts()).isOne();
	}

	@Test
	void theLimitOfAQueueCountsTheJobsOfTheQueueThatRun() {
		this.stores.queueRates.put("mail", new Rate(2, PERIOD));
		Claim.Taken plain = this.stores.taken(this.stores.keep(this.stores.encoded((job) -> job), NOW), NOW);
		this.stores.taken(limited(ONE), NOW);
		this.stores.taken(this.stores.keep(this.stores.encoded((job) -> job.queue("other")), NOW), NOW);
		EncodedJob waiting = this.stores.keep(this.stores.encoded((job) -> job), TestStores.LATER);
		assertThat(running()).isEqualTo(2);
		complete(plain, NOW);
		assertThat(running()).isOne();
		Instant next = NOW.plus(PERIOD);
		limits().release(next);
		assertThat(running()).as("let through").isEqualTo(2);
		this.stores.taken(waiting, next);
		assertThat(running()).isEqualTo(2);
		assertThat(limits().list("", 10)).anyMatch((limit) -> limit.key().equals("@queue@mail") && limit.active() == 2);
	}

	private long running() {
		long active = limits().find("@queue@mail").orElseThrow().active();
		assertThat(limits().jobs("@queue@mail", 20).running()).hasSize((int) active);
		return active;
	}

	@Test
	void jobsThatHaveExpiredTakeNoPlaces() {
		RateLimit limit = RateLimit.of("api").rate(1, PERIOD);
		this.stores.taken(limited(limit), NOW);
		List<EncodedJob> expired = IntStream.range(0, 3)
			.mapToObj((i) -> limited(limit, (job) -> job.expiresAt(TestStores.time(NOW.plusSeconds(5)))))
			.toList();
		EncodedJob alive = limited(limit);
		Instant next = NOW.plus(PERIOD);
		limits().release(NOW);
		limits().release(next);
		assertThat(relayed(next)).containsExactly(alive.job().id());
		assertThat(expired).allMatch((job) -> this.stores.state(job) == JobState.DISCARDED);
	}

	@Test
	void jobsOfOneKeyWithOtherPeriodsShareTheCount() {
		RateLimit minute = RateLimit.of("api").rate(3, Duration.ofMinutes(1));
		RateLimit second = RateLimit.of("api").rate(2, Duration.ofSeconds(1));
		this.stores.taken(limited(minute), NOW);
		this.stores.taken(limited(second), NOW);
		this.stores.taken(limited(second), NOW);
		assertThat(this.stores.claim(limited(minute))).isInstanceOf(Claim.Limited.class);
	}

	@Test
	void whoCancelsSeveralAtOnceLocksNoKeyBeforeTheEnd() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob waiting = limited(ONE);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.jobs.cancel(running.job().job().id(), NOW);
			assertThat(new TransactionTemplate(Objects.requireNonNull(this.stores.users().getTransactionManager()),
					requiresNew())
				.<Boolean>execute((other) -> {
					this.stores.database.dialect()
						.lockKeys(this.stores.jdbc(), "ojs_rate_limit", "rate_key", List.of("printer"));
					return true;
				})).isTrue();
		});
		assertThat(relayed(NOW)).containsExactly(waiting.job().id());
	}

	@Test
	void aLineWhoseFirstIsCancelledGoesOn() {
		RateLimit limit = RateLimit.of("api").concurrency(2).rate(2, PERIOD);
		this.stores.taken(limited(limit), NOW);
		Claim.Taken second = this.stores.taken(limited(limit), NOW);
		EncodedJob first = limited(limit);
		EncodedJob next = limited(limit);
		limits().release(NOW);
		complete(second, NOW);
		assertThat(limits().nextRelease()).contains(NOW.plus(PERIOD));
		this.stores.jobs.cancel(first.job().id(), NOW);
		assertThat(limits().nextRelease()).as("for the next one").contains(NOW.plus(PERIOD));
		limits().release(NOW.plus(PERIOD));
		assertThat(relayed(NOW.plus(PERIOD))).containsExactly(next.job().id());
	}

	@Test
	void aFirstThatSaysNoTimeIsFoundThoughOthersRun() {
		RateLimit limit = RateLimit.of("api").concurrency(2);
		this.stores.taken(limited(limit), NOW);
		Claim.Taken second = this.stores.taken(limited(limit), NOW);
		EncodedJob waiting = limited(limit);
		limits().release(NOW);
		this.stores.jdbc()
			.update("update ojs_job set state = 'completed', relay_at = null, has_places = false where id = ?",
					id(second));
		assertThat(limits().nextRelease()).isEmpty();
		limits().releaseAll(NOW);
		assertThat(relayed(NOW)).containsExactly(waiting.job().id());
	}

	private static UUID id(Claim.Taken run) {
		return UUID.fromString(run.lease().jobId());
	}

	@Test
	void aFirstThatSaysNoTimeGoesToItsOtherLineIfThatIsInTheWay() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob waiting = limited(ONE);
		limits().release(NOW);
		this.stores.jdbc()
			.update("update ojs_job set state = 'completed', relay_at = null, has_places = false where id = ?",
					id(running));
		this.stores.queueRates.put("mail", new Rate(1, PERIOD));
		EncodedJob other = this.stores.available();
		this.stores.taken(other, NOW);
		limits().releaseAll(NOW);
		assertThat(relayed(NOW)).isEmpty();
		assertThat(limits().nextRelease()).as("of the queue").contains(NOW.plus(PERIOD));
		limits().release(NOW.plus(PERIOD));
		assertThat(relayed(NOW.plus(PERIOD))).contains(waiting.job().id());
	}

	@Test
	void aLostRunThatIsTakenOverIsNotCountedTwice() {
		RateLimit limit = RateLimit.of("printer").concurrency(2);
		EncodedJob lost = limited(limit);
		this.stores.taken(lost, NOW);
		EncodedJob other = limited(limit);
		Instant later = NOW.plusSeconds(60);
		assertThat(this.stores.attempts.claim(List.of(request(lost), request(other)), "worker", later, true))
			.allMatch(Claim.Taken.class::isInstance);
	}

	@Test
	void whoDidNotTakeItsPlaceIsInOrderAgainAfterAWhile() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob idle = limited(ONE);
		EncodedJob next = limited(ONE);
		complete(running, NOW);
		Instant later = NOW.plusSeconds(61);
		limits().releaseAll(later);
		Claim.Taken run = this.stores.taken(next, later);
		EncodedJob late = limited(ONE, (job) -> job.enqueuedAt(TestStores.time(later.plusSeconds(200))));
		limits().releaseAll(later.plusSeconds(301));
		complete(run, later.plusSeconds(301));
		assertThat(relayed(later.plusSeconds(301))).contains(idle.job().id()).doesNotContain(late.job().id());
	}

	@Test
	void whoDidNotTakeItsPlaceStaysBehindThoseThatComeLater() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob idle = limited(ONE, (job) -> job.priority(5));
		EncodedJob next = limited(ONE);
		complete(running, NOW);
		Instant later = NOW.plusSeconds(61);
		limits().releaseAll(later);
		Claim.Taken run = this.stores.taken(next, later);
		limits().release(later);
		EncodedJob late = limited(ONE, (job) -> job.enqueuedAt(TestStores.time(later.plusSeconds(1))));
		assertThat(this.stores.claim(idle, later)).as("its message came late").isInstanceOf(Claim.Limited.class);
		complete(run, later.plusSeconds(2));
		assertThat(relayed(later.plusSeconds(2))).contains(late.job().id()).doesNotContain(idle.job().id());
	}

	@Test
	void jobsOfAPausedQueueAreNotBehindOthersForThat() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob paused = limited(ONE);
		complete(running, NOW);
		EncodedJob other = this.stores.keep(this.stores
			.encodedAs(this.stores.encoded((job) -> job.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(ONE))))
				.job()
				.toBuilder()
				.queue("other")
				.enqueuedAt(TestStores.time(NOW.plusSeconds(1)))
				.build()), TestStores.LATER);
		this.stores.jdbc()
			.update("insert into ojs_queue (name, state, config, created_at, updated_at, version) values "
					+ "('mail', 'paused', '{}', current_timestamp, current_timestamp, 1)");
		limits().releaseAll(NOW.plusSeconds(2));
		assertThat(relayed(NOW.plusSeconds(2))).contains(other.job().id());
		this.stores.jdbc().update("delete from ojs_queue where name = 'mail'");
		complete(this.stores.taken(other, NOW.plusSeconds(2)), NOW.plusSeconds(2));
		assertThat(relayed(NOW.plusSeconds(2))).contains(paused.job().id());
		assertThat(
				this.stores.jdbc().queryForObject("select blocked_rank from ojs_job where has_places", Integer.class))
			.isOne();
	}

	@Test
	void whoIsLetThroughAtTheEndOfALongTransactionStartsThen() {
		RateLimit limit = RateLimit.of("api").concurrency(1).rate(1, PERIOD);
		Claim.Taken running = this.stores.taken(limited(limit), NOW.minusSeconds(60));
		limited(limit);
		this.stores.jobs.cancel(running.job().job().id(), NOW.minusSeconds(30));
		assertThat(limits().find("api").orElseThrow().windows().get(0).until()).as("by the clock, not by the call")
			.isAfter(NOW);
	}

	private static TransactionDefinition requiresNew() {
		return new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

}
