package io.ojs.store.internal.attempt;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.job.JobState;
import io.ojs.retry.internal.Backoff;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.GroupCommit;
import io.ojs.store.internal.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Claims jobs and records outcomes for all threads of one process that run jobs. Threads
 * that call at the same time share one transaction. While the database is away threads
 * wait for it: no outcome may be lost, and no run may begin that cannot be recorded.
 */
public final class Attempts {

	/**
	 * How long after its due time a job is left to the broker, before the relay publishes
	 * it.
	 */
	public static final Duration RELAY_GRACE = Duration.ofSeconds(10);

	private static final Logger logger = SafeLogger.of(Attempts.class);

	/**
	 * How often another transaction may have locked a row before that is a problem: about
	 * a second.
	 */
	private static final int LOCKED_TRIES = 4;

	private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

	private final AttemptStore store;

	private final JobStore jobs;

	private final LeaseKeeper leases;

	private final ProgressSink progress;

	private final Clock clock;

	private final GroupCommit<Asking, Claim> claims;

	private final GroupCommit<Outcome, Boolean> outcomes;

	/**
	 * Creates the attempts of one process.
	 * @param grace knows whether a lease that is over can be taken
	 */
	public Attempts(AttemptStore store, JobStore jobs, LeaseKeeper leases, LeaseGrace grace, ProgressSink progress,
			Clock clock) {
		this.store = store;
		this.jobs = jobs;
		this.leases = leases;
		this.progress = progress;
		this.clock = clock;
		this.claims = new GroupCommit<>(
				(asking) -> grace.ask((now, expired) -> claim(store, leases.process(), asking, now, expired)),
				(asking) -> asking.request.encoded().job().id());
		this.outcomes = new GroupCommit<>((ended) -> store.settle(ended, clock.instant()),
				(outcome) -> outcome.lease().jobId());
	}

	private static List<@Nullable Claim> claim(AttemptStore store, String worker, List<Asking> asking, Instant now,
			boolean takeOver) {
		try {
			return store.claim(asking.stream().map((each) -> each.request(now)).toList(), worker, now, takeOver);
		}
		catch (RuntimeException ex) {
			// Some runs may have begun.
			asking.forEach((each) -> each.unanswered.add(now));
			throw ex;
		}
	}

	/**
	 * Returns the id of the store.
	 * @return the id; not read from the database any more once a job was claimed
	 */
	public String storeId() {
		return this.jobs.id();
	}

	/** Returns the keeper that extends the leases of runs. */
	public LeaseKeeper leases() {
		return this.leases;
	}

	/**
	 * Returns the receiver of the progress of jobs.
	 * @return the receiver, for the code that runs jobs
	 */
	public ProgressSink progress() {
		return this.progress;
	}

	/**
	 * Returns the current time.
	 * @return the present, as the store gets it
	 */
	public Instant now() {
		return this.clock.instant();
	}

	/**
	 * Claims a job. While the database is away, tries again.
	 * @param hopeless whether to stop trying; looked at after each failure
	 * @return the result; empty if {@code hopeless} stopped it or the thread was
	 * interrupted
	 * @throws StoreException if the store refuses the job for good
	 */
	public Optional<Claim> claim(ClaimRequest request, BooleanSupplier hopeless) {
		Asking asking = new Asking(request);
		return persist("claim job " + request.encoded().job().id(),
				() -> this.store.telling(() -> this.claims.submit(asking)), hopeless);
	}

	/**
	 * Records the outcome of a run. While the database is away, tries again.
	 * @param hopeless whether to stop trying; looked at after each failure
	 * @throws StoreException if the store refuses the outcome for good
	 */
	public Recording settle(Outcome outcome, BooleanSupplier hopeless) {
		Optional<Boolean> valid = persist("record how job " + outcome.lease().jobId() + " ended",
				() -> this.outcomes.submit(outcome), hopeless);
		return valid.map((it) -> recording(outcome, it)).orElse(Recording.GIVEN_UP);
	}

	/**
	 * Records the outcome of a run together with others, without waiting for that unless
	 * too many wait already. While the database is away, tries again.
	 * @param hopeless whether to stop trying; looked at after each failure
	 * @param recorded receives what happened to the outcome, on this thread or that of
	 * another run; must not throw
	 * @param refused receives the {@link StoreException} if the store refuses the outcome
	 * for good, and anything else that was thrown; must not throw
	 */
	public void settleLater(Outcome outcome, BooleanSupplier hopeless, Consumer<Recording> recorded,
			Consumer<Throwable> refused) {
		this.outcomes.submitLater(outcome, (valid, failure) -> {
			Recording recording;
			try {
				if (valid != null) {
					recording = recording(outcome, valid);
				}
				else if (failure instanceof StoreUnavailableException && hopeless.getAsBoolean()) {
					recording = Recording.GIVEN_UP;
				}
				else {
					// Tried again by itself, whatever the first failure was.
					recording = settle(outcome, hopeless);
				}
			}
			catch (Throwable ex) {
				// This thread still has to notify other runs.
				refused.accept(ex);
				return;
			}
			recorded.accept(recording);
		});
	}

	/**
	 * Gives back claimed jobs that have not begun. While the database is away, tries
	 * again.
	 * @param hopeless whether to stop trying; looked at after each failure
	 */
	public void giveBack(List<Lease> runs, BooleanSupplier hopeless) {
		try {
			List<Outcome.Requeued> left = runs.stream().map((run) -> new Outcome.Requeued(run, now())).toList();
			while (!left.isEmpty()) {
				List<Outcome.Requeued> asked = left;
				left = persist("give back %d jobs".formatted(asked.size()), () -> giveBack(asked), hopeless)
					.orElse(List.of());
			}
		}
		finally {
			runs.forEach(this.leases::release);
		}
	}

	/**
	 * Returns the outcomes whose rows another transaction has locked; throws if these are
	 * all of them.
	 */
	private List<Outcome.Requeued> giveBack(List<Outcome.Requeued> outcomes) {
		List<@Nullable Boolean> answers = this.store.settle(outcomes, now());
		List<Outcome.Requeued> locked = IntStream.range(0, outcomes.size())
			.filter((i) -> answers.get(i) == null)
			.mapToObj(outcomes::get)
			.toList();
		if (locked.size() == outcomes.size()) {
			throw new StoreUnavailableException("Other transactions have locked their rows.", null);
		}
		return locked;
	}

	private Recording recording(Outcome outcome, boolean valid) {
		return valid ? Recording.RECORDED : lost(outcome.lease().jobId());
	}

	private Recording lost(String jobId) {
		try {
			return this.jobs.find(jobId).map((found) -> found.job().state()).orElse(null) == JobState.CANCELLED
					? Recording.CANCELLED : Recording.STALE;
		}
		catch (StoreException ex) {
			logger.debug("Why job {} is no longer this worker's is not known", jobId, ex);
			return Recording.STALE;
		}
	}

	private static <T> Optional<T> persist(String what, Supplier<T> call, BooleanSupplier hopeless) {
		boolean warned = false;
		for (int failures = 1;; failures++) {
			try {
				T answer = call.get();
				if (warned) {
					logger.info("Could {} after all", what);
				}
				return Optional.of(answer);
			}
			catch (StoreUnavailableException ex) {
				// The relay, a replay or a reaper locks the rows of many jobs for a
				// moment.
				if (!warned && (failures > LOCKED_TRIES || ex.getCause() != null)) {
					warned = true;
					logger.warn("Cannot {} for now, and will try again: {}", what, ex.getMessage());
				}
				else {
					logger.debug("Cannot {} for now: {}", what, ex.getMessage());
				}
			}
			if (hopeless.getAsBoolean() || !Threads.pause(BACKOFF.after(failures))) {
				return Optional.empty();
			}
		}
	}

	/** A claim, which may take several tries. */
	private static final class Asking {

		private final ClaimRequest request;

		/**
		 * The times of tries without an answer. Written by the thread that calls for the
		 * batch.
		 */
		private final Set<Instant> unanswered = new HashSet<>();

		Asking(ClaimRequest request) {
			this.request = request;
		}

		ClaimRequest request(Instant now) {
			// A run that such a try began has lost its lease by now.
			this.unanswered.removeIf((at) -> at.plus(this.request.lease()).isBefore(now));
			return this.request.unanswered(this.unanswered);
		}

	}

	/**
	 * What happened to an outcome.
	 */
	public enum Recording {

		/** The store has recorded it. */
		RECORDED,

		/** Not recorded: the job has been cancelled. */
		CANCELLED,

		/** Not recorded: the lease was no longer valid. */
		STALE,

		/** Given up while the database was away. */
		GIVEN_UP

	}

}
