package io.ojs.amqp.internal.listen;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.LeaseGrace;
import io.ojs.store.internal.attempt.LeaseKeeper;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.attempt.ProcessStore;
import io.ojs.store.internal.attempt.ProgressSink;
import org.jspecify.annotations.Nullable;

/**
 * A store that says what a test has it say. Real ones have tests of their own.
 */
final class ScriptedAttempts implements AttemptStore, ProcessStore {

	/** What becomes of a claim; {@code null} if the database is away. */
	@Nullable Claim claim;

	/** Whether leases are still valid when their runs end. */
	boolean valid = true;

	/** What has become of a job whose lease is not valid. */
	JobState state = JobState.ACTIVE;

	/** Whether the database is away when runs end. */
	boolean away;

	/** How many outcomes are refused for good. */
	int refuses;

	private final List<String> done;

	/**
	 * Creates it.
	 * @param done is told of outcomes, in their order among other things
	 */
	ScriptedAttempts(List<String> done) {
		this.done = done;
	}

	Attempts attempts() {
		Clock clock = Clock.systemUTC();
		JobStore jobs = (JobStore) Proxy.newProxyInstance(JobStore.class.getClassLoader(),
				new Class<?>[] { JobStore.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "id" -> "the-store";
					case "find" -> Optional.of(stored());
					default -> throw new UnsupportedOperationException(method.getName());
				});
		return new Attempts(this, jobs,
				new LeaseKeeper(this, "worker", (queue) -> Duration.ofSeconds(30), new StoreClock(clock)),
				new LeaseGrace(Duration.ofSeconds(30), clock), ProgressSink.NONE, clock);
	}

	private StoredJob stored() {
		return new StoredJob(DeliveryProcessorTests.JOB.toBuilder().state(this.state).attempt(1).build(), 3, Map.of(),
				null, null, null, 0);
	}

	Claim.Taken taken(int attempt, boolean limited) {
		StoredJob job = new StoredJob(
				DeliveryProcessorTests.JOB.toBuilder().state(JobState.ACTIVE).attempt(attempt).build(), 3, Map.of(),
				null, null, null, 0);
		return new Claim.Taken(job, new Lease(job.job().id(), 1), false, limited);
	}

	@Override
	public List<@Nullable Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
		if (this.claim == null) {
			throw new StoreUnavailableException("The database is away.", null);
		}
		return List.of(this.claim);
	}

	@Override
	public List<@Nullable Boolean> settle(List<? extends Outcome> outcomes, Instant now) {
		outcomes.forEach((outcome) -> settle(outcome, now));
		return Collections.nCopies(outcomes.size(), this.valid);
	}

	@Override
	public boolean settle(Outcome outcome, Instant now) {
		if (this.away) {
			throw new StoreUnavailableException("The database is away.", null);
		}
		if (this.refuses > 0) {
			this.refuses--;
			throw new StoreException("No such value.", null);
		}
		this.done.add("record " + ((outcome instanceof Outcome.Discarded discarded) ? discarded.transition()
				: outcome.getClass().getSimpleName()));
		return this.valid;
	}

	@Override
	public List<StoredJob> reap(Instant now, int limit) {
		return List.of();
	}

	@Override
	public Beat beat(String process, Collection<Lease> held) {
		return new Beat(Instant.now(), Map.of());
	}

	@Override
	public Instant now() {
		return Instant.now();
	}

	@Override
	public void close() {
		// Nothing to give back.
	}

}
