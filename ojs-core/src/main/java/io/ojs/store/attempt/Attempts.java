package io.ojs.store.attempt;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.ojs.job.JobState;
import io.ojs.log.SafeLogger;
import io.ojs.store.GroupCommit;
import io.ojs.store.JobStore;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Claims jobs and records what became of them, for all threads of one process that run
 * jobs. Those who come at the same time share one transaction. While the database is away
 * they wait for it, since what a handler has done must not be forgotten, nor anything be
 * begun that cannot be recorded.
 */
public final class Attempts {

	/**
	 * How long after it is due a job is left to the broker, before the relay takes care
	 * of it.
	 */
	public static final Duration RELAY_GRACE = Duration.ofSeconds(10);

	private static final Logger logger = SafeLogger.of(Attempts.class);

	private static final long FIRST_PAUSE_MILLIS = 50;

	private static final long LONGEST_PAUSE_MILLIS = 1000;

	private final AttemptStore store;

	private final JobStore jobs;

	private final LeaseKeeper leases;

	private final ProgressSink progress;

	private final Clock clock;

	private final GroupCommit<Asking, Claim> claims;

	private final GroupCommit<Outcome, Boolean> outcomes;

	/**
	 * Creates it.
	 * @param store decides who runs a job
	 * @param jobs says what state a job is in
	 * @param leases extends the leases of what runs
	 * @param grace knows whether leases that are over say anything
	 * @param progress hears how far jobs are
	 * @param clock tells the time, the same in all processes
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
			// Some may have begun all the same.
			asking.forEach((each) -> each.unanswered.add(now));
			throw ex;
		}
	}

	/**
	 * The store that keeps the jobs.
	 * @return its id; asks no database once a job was claimed
	 */
	public String storeId() {
		return this.jobs.id();
	}

	/**
	 * What extends the leases of what runs.
	 * @return the keeper
	 */
	public LeaseKeeper leases() {
		return this.leases;
	}

	/**
	 * Who hears how far jobs are.
	 * @return to be told by those that run them
	 */
	public ProgressSink progress() {
		return this.progress;
	}

	/**
	 * Tells the time.
	 * @return the present, as the store is told it
	 */
	public Instant now() {
		return this.clock.instant();
	}

	/**
	 * Asks for the right to run a job. While the database is away, asks again.
	 * @param request the job
	 * @param hopeless whether to stop asking; looked at after each failure
	 * @return what became of it; empty if it was given up, or the thread interrupted
	 * @throws StoreException if the store does not take the job, now or ever
	 */
	public Optional<Claim> claim(ClaimRequest request, BooleanSupplier hopeless) {
		Asking asking = new Asking(request);
		return persist("claim job " + request.encoded().job().id(),
				() -> this.store.telling(() -> this.claims.submit(asking)), hopeless);
	}

	/**
	 * Records how a run ended. While the database is away, tries again.
	 * @param outcome how it ended
	 * @param hopeless whether to stop trying; looked at after each failure
	 * @return what became of it
	 * @throws StoreException if the store does not take the outcome, now or ever
	 */
	public Recording settle(Outcome outcome, BooleanSupplier hopeless) {
		Optional<Boolean> valid = persist("record how job " + outcome.lease().jobId() + " ended",
				() -> this.outcomes.submit(outcome), hopeless);
		return valid.map((it) -> recording(outcome, it)).orElse(Recording.GIVEN_UP);
	}

	/**
	 * Records how a run ended, together with others that end at the same time, and
	 * without waiting for that unless too many do so already. While the database is away,
	 * tries again.
	 * @param outcome how it ended
	 * @param hopeless whether to stop trying; looked at after each failure
	 * @param recorded is told what became of it, on this thread or that of another run;
	 * must not throw
	 * @param refused is told instead if the store does not take the outcome, now or ever,
	 * by a {@link StoreException}, and of whatever else was thrown; must not throw
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
					// Asked again, by itself, in whatever way the first time has failed.
					recording = settle(outcome, hopeless);
				}
			}
			catch (Throwable ex) {
				// Nobody else may suffer for it: this thread has others to tell.
				refused.accept(ex);
				return;
			}
			recorded.accept(recording);
		});
	}

	/**
	 * Gives jobs back that have not begun. While the database is away, tries again.
	 * @param runs the rights to run them
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

	/** Returns those whose rows another transaction has locked, unless those are all. */
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
		long pause = FIRST_PAUSE_MILLIS;
		for (boolean told = false;; told = true) {
			try {
				T answer = call.get();
				if (told) {
					logger.info("Could {} after all", what);
				}
				return Optional.of(answer);
			}
			catch (StoreUnavailableException ex) {
				if (!told) {
					logger.warn("Cannot {} for now, and will try again: {}", what, ex.getMessage());
				}
			}
			if (hopeless.getAsBoolean() || !pause(pause)) {
				return Optional.empty();
			}
			pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
		}
	}

	/** Returns whether nobody interrupted it. */
	private static boolean pause(long millis) {
		try {
			TimeUnit.MILLISECONDS.sleep(millis);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** Somebody who claims a job, if need be again and again. */
	private static final class Asking {

		private final ClaimRequest request;

		/** When it was claimed without an answer. Whoever asks for all writes it. */
		private final Set<Instant> unanswered = new HashSet<>();

		Asking(ClaimRequest request) {
			this.request = request;
		}

		ClaimRequest request(Instant now) {
			// A lease that is over by now is nobody's, however it began.
			this.unanswered.removeIf((at) -> at.plus(this.request.lease()).isBefore(now));
			return this.request.unanswered(this.unanswered);
		}

	}

	/**
	 * What became of an outcome.
	 */
	public enum Recording {

		/** It is recorded. */
		RECORDED,

		/** The job has been cancelled, so it was not taken. */
		CANCELLED,

		/** The lease was no longer valid, so it was not taken. */
		STALE,

		/** The database was away until it was given up. */
		GIVEN_UP

	}

}
