package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import io.ojs.job.RateLimit;
import io.ojs.job.RateScope;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that wait for a limit while something else becomes of the others, or of another
 * limit of theirs.
 */
abstract class LimitLinesContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private static final RateLimit ONE = RateLimit.of("printer").concurrency(1).scope(RateScope.GLOBAL);

	private final JdbcRateLimitStore limits = new JdbcRateLimitStore(this.stores.database);

	private EncodedJob ofTenant(String tenant) {
		return this.stores.keep(this.stores.encoded((job) -> job.meta(Map.of("tenant_id", tenant))), TestStores.LATER);
	}

	private EncodedJob limited(RateLimit limit, String tenant) {
		return limited(limit, tenant, null);
	}

	private EncodedJob limited(RateLimit limit, String tenant, @Nullable Instant expiresAt) {
		return this.stores.keep(this.stores.encoded((job) -> job.meta(Map.of("tenant_id", tenant))
			.expiresAt((expiresAt != null) ? TestStores.time(expiresAt) : null)
			.extensions(Map.of(RateLimit.FIELD, RateLimitJson.write(limit)))), TestStores.LATER);
	}

	private static ClaimRequest request(EncodedJob job) {
		return new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30));
	}

	private List<String> relayed(Instant now) {
		return this.stores.relay.take(now, now.plusSeconds(30), 100).jobs().stream().map(RelayedJob::id).toList();
	}

	private void complete(Claim.Taken run, Instant now) {
		this.stores.attempts.settle(List.of(new Outcome.Completed(run.lease(), null)), now);
	}

	/** What others do while a transaction is under way. */
	private void meanwhile(Runnable others) {
		TransactionTemplate own = new TransactionTemplate(
				Objects.requireNonNull(this.stores.users().getTransactionManager()));
		own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		own.executeWithoutResult((status) -> others.run());
	}

	@Test
	void whoWaitedForOneLimitIsDroppedIfTheOtherSaysSo() {
		this.stores.tenantConcurrency.put("acme", 1);
		Claim.Taken running = this.stores.taken(ofTenant("acme"), NOW);
		EncodedJob job = limited(ONE.onLimit(OnLimit.DROP), "acme");
		assertThat(this.stores.claim(job)).as("for its tenant").isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
		this.stores.taken(limited(ONE, "beta"), NOW);
		complete(running, NOW);
		assertThat(relayed(NOW)).as("a worker finds out").containsExactly(job.job().id());
		assertThat(this.stores.claim(job)).isInstanceOf(Claim.Limited.class);
		assertThat(this.stores.state(job)).isEqualTo(JobState.DISCARDED);
	}

	@Test
	void whoComesBehindOneThatIsLetThroughMeanwhileIsAsked() {
		RateLimit limit = RateLimit.of("api").rate(1, PERIOD);
		this.stores.taken(limited(limit, "acme"), NOW);
		EncodedJob first = limited(limit, "acme");
		this.limits.release(NOW);
		Instant next = NOW.plus(PERIOD);
		this.stores.users().executeWithoutResult((status) -> {
			limited(limit, "acme");
			meanwhile(() -> assertThat(this.limits.release(next)).isOne());
		});
		this.stores.taken(first, next);
		assertThat(this.limits.nextRelease()).as("by whoever looks next").isPresent();
		assertThat(this.limits.release(next)).isZero();
		assertThat(this.limits.release(next.plus(PERIOD))).isOne();
	}

	@Test
	void whoHasLockedKeysLocksNoOthersForThoseItLetsThrough() {
		Claim.Taken running = this.stores.taken(limited(ONE, "acme"), NOW);
		EncodedJob late = limited(ONE, "acme", NOW.plusSeconds(5));
		complete(running, NOW);
		assertThat(relayed(NOW)).containsExactly(late.job().id());
		EncodedJob other = limited(ONE, "beta");
		this.stores.tenantConcurrency.put("beta", 5);
		Instant later = NOW.plusSeconds(6);
		ClaimRequest expired = request(late);
		ClaimRequest behind = request(limited(ONE, "acme"));
		assertThat(this.stores.attempts.claim(List.of(expired, behind), "worker", later, true))
			.hasOnlyElementsOfTypes(Claim.Expired.class, Claim.Limited.class);
		assertThat(relayed(later)).as("its tenant is not locked").isEmpty();
		assertThat(this.limits.nextRelease()).as("by somebody else").contains(later);
		assertThat(this.limits.release(later)).isOne();
		assertThat(relayed(later)).containsExactly(other.job().id());
	}

	@Test
	void aPlaceThatIsGivenUpWhileATransactionEndsGoesToOthers() {
		Claim.Taken early = this.stores.taken(limited(RateLimit.of("other").concurrency(1), "acme"), NOW);
		Claim.Taken late = this.stores.taken(limited(ONE, "acme"), NOW);
		EncodedJob waiting = limited(ONE, "acme");
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.jobs.cancel(early.lease().jobId(), NOW);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					LimitLinesContract.this.stores.jobs.cancel(late.lease().jobId(), NOW);
				}

			});
		});
		assertThat(relayed(NOW)).containsExactly(waiting.job().id());
	}

	@Test
	void aPlaceOfATenantWhoseLimitIsNotKnownHereIsGivenToOthersByWhoKnows() {
		this.stores.tenantConcurrency.put("acme", 1);
		Claim.Taken running = this.stores.taken(ofTenant("acme"), NOW);
		EncodedJob waiting = ofTenant("acme");
		assertThat(this.limits.release(NOW)).isZero();
		this.stores.limitsKnown.set(false);
		this.stores.tenantConcurrency.clear();
		complete(running, NOW);
		this.stores.limitsKnown.set(true);
		this.stores.tenantConcurrency.put("acme", 1);
		assertThat(relayed(NOW)).isEmpty();
		assertThat(this.limits.nextRelease()).contains(NOW);
		assertThat(this.limits.release(NOW)).isOne();
		assertThat(relayed(NOW)).containsExactly(waiting.job().id());
	}

}
