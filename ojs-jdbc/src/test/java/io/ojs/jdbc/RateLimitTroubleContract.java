package io.ojs.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.ojs.client.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayDecision;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.json.RateLimitJson;
import io.ojs.store.Claim;
import io.ojs.store.Outcome;
import io.ojs.store.RelayedJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits hold, and nobody is forgotten, whatever comes in between.
 */
abstract class RateLimitTroubleContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final RateLimit ONE = RateLimit.of("printer").concurrency(1);

	private final JdbcRateLimitStore limits = new JdbcRateLimitStore(this.stores.database);

	private EncodedJob limited(RateLimit limit) {
		return limited(limit, (Instant) null);
	}

	private EncodedJob limited(RateLimit limit, @Nullable Instant expiresAt) {
		return this.stores
			.keep(this.stores.encoded((job) -> job.expiresAt((expiresAt != null) ? TestStores.time(expiresAt) : null)
				.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit)))), NOW.plusSeconds(10));
	}

	private List<String> relayed(Instant now) {
		return this.stores.relay.take(now, now.plusSeconds(30), 100).jobs().stream().map(RelayedJob::id).toList();
	}

	private void complete(Claim.Taken run, Instant now) {
		this.stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), now);
	}

	@Test
	void periodIsCountedToItsEndHoweverLong() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofDays(30));
		complete(this.stores.taken(limited(limit), NOW), NOW);
		Instant later = NOW.plus(Duration.ofDays(29));
		this.limits.releaseAll(later);
		assertThat(this.stores.claim(limited(limit), later)).isInstanceOf(Claim.Limited.class);
	}

	@Test
	void keysThatNobodyNamesAnyMoreAreForgotten() {
		complete(this.stores.taken(limited(RateLimit.of("api").rate(1, Duration.ofDays(30))), NOW), NOW);
		EncodedJob closed = limited(RateLimit.of("closed").concurrency(0));
		this.stores.claim(closed);
		this.stores.jobs.cancel(closed.job().id(), NOW);
		this.limits.releaseAll(NOW.plus(Duration.ofDays(32)));
		assertThat(this.limits.list("", 10)).isEmpty();
	}

	@Test
	void replayedJobHasToAskAgain() {
		Claim.Taken running = this.stores.taken(limited(ONE), NOW);
		EncodedJob expiring = limited(ONE, NOW.plusSeconds(5));
		assertThat(this.stores.claim(expiring)).isInstanceOf(Claim.Limited.class);
		complete(running, NOW.plusSeconds(1));
		assertThat(relayed(NOW.plusSeconds(6))).as("it was let through, and has expired").isEmpty();
		assertThat(this.stores.state(expiring)).isEqualTo(JobState.DISCARDED);
		EncodedJob other = limited(ONE);
		Claim.Taken next = this.stores.taken(other, NOW.plusSeconds(7));

		EncodedJob again = replayed(expiring);

		assertThat(this.limits.find("printer").orElseThrow().active()).isOne();
		assertThat(this.stores.claim(again, NOW.plusSeconds(8))).isInstanceOf(Claim.Limited.class);
		complete(next, NOW.plusSeconds(9));
		assertThat(this.stores.claim(again, NOW.plusSeconds(9))).isInstanceOf(Claim.Taken.class);
	}

	private EncodedJob replayed(EncodedJob job) {
		EncodedJob again = this.stores.encoded(job.job().id(), 3,
				(fields) -> fields.extensions(job.job().extensions()));
		Instant now = NOW.plusSeconds(8);
		// Those that have expired are not replayed, others that were let through are.
		this.stores.jdbc().update("update ojs_job set expires_at = null");
		new JdbcDeadLetterStore(this.stores.database).replay(DeadLetterFilter.ANY.ids(Set.of(job.job().id())), null, 1,
				now, (letter) -> new ReplayDecision.Replayed(again, now));
		return again;
	}

	@Test
	void thoseBehindTheFirstAreNotLookedAtBeforeItMayStart() {
		RateLimit limit = RateLimit.of("api").rate(1, Duration.ofSeconds(10));
		IntStream.range(0, 4).mapToObj((i) -> limited(limit)).forEach((job) -> this.stores.claim(job, NOW));
		Instant next = NOW.plusSeconds(10);
		assertThat(this.limits.release(next)).isOne();

		assertThat(this.limits.nextRelease()).contains(next.plusSeconds(10));
		assertThat(this.limits.release(next.plusSeconds(10))).isOne();
		assertThat(this.limits.nextRelease()).contains(next.plusSeconds(20));
		assertThat(this.limits.release(next.plusSeconds(20))).isOne();
		assertThat(this.limits.nextRelease()).isEqualTo(Optional.empty());
	}

}
