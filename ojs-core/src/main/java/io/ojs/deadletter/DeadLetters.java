package io.ojs.deadletter;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import io.ojs.crypto.JobEncryption;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRules;
import io.ojs.job.JobState;
import io.ojs.json.JobCodec;
import io.ojs.json.JsonValues;
import io.ojs.store.StoreTransactions;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that failed for good, as the job store keeps them: looked at, put back to work,
 * deleted (OJS Dead Letter). Safe for use by several threads, processes and instances.
 *
 * <p>
 * Every method throws {@link io.ojs.store.StoreUnavailableException} if the database
 * cannot be reached.
 */
public final class DeadLetters {

	/** The largest page. */
	public static final int MAX_LIMIT = 1000;

	private static final int BATCH = 500;

	private final DeadLetterStore store;

	private final StoreTransactions transactions;

	private final JsonValues values;

	private final JobCodec codec;

	private final int maxEnvelopeBytes;

	private final Clock clock;

	private final Runnable relay;

	private final JobEncryption encryption;

	/**
	 * Creates it.
	 * @param store keeps dead letters
	 * @param transactions of the database that the store is in
	 * @param values turns what is different about a job into JSON
	 * @param codec reads and writes envelopes
	 * @param maxEnvelopeBytes larger envelopes are refused
	 * @param clock tells the time
	 * @param relay told, after a commit, that there is something to publish; called by
	 * threads that should not have to wait
	 */
	public DeadLetters(DeadLetterStore store, StoreTransactions transactions, JsonValues values, JobCodec codec,
			int maxEnvelopeBytes, Clock clock, Runnable relay) {
		this.store = store;
		this.transactions = transactions;
		this.values = values;
		this.codec = codec;
		this.maxEnvelopeBytes = maxEnvelopeBytes;
		this.clock = clock;
		this.relay = relay;
		this.encryption = JobEncryption.OFF;
	}

	private DeadLetters(DeadLetters other, JobEncryption encryption) {
		this.store = other.store;
		this.transactions = other.transactions;
		this.values = other.values;
		this.codec = other.codec;
		this.maxEnvelopeBytes = other.maxEnvelopeBytes;
		this.clock = other.clock;
		this.relay = other.relay;
		this.encryption = encryption;
	}

	/**
	 * Encrypts new arguments of jobs that are encrypted.
	 * @param value encrypts them
	 * @return the same with it
	 */
	public DeadLetters encryption(JobEncryption value) {
		return new DeadLetters(this, value);
	}

	/**
	 * Looks dead letters up.
	 * @param filter which ones
	 * @param limit how many at most, 1 to 1000
	 * @return the newest
	 * @throws InvalidDeadLetterRequestException if the limit cannot be
	 */
	public DeadLetterPage list(DeadLetterFilter filter, int limit) {
		return list(filter, null, limit);
	}

	/**
	 * Looks dead letters up.
	 * @param filter which ones
	 * @param after where the page before ended; {@code null} for the first page
	 * @param limit how many at most, 1 to 1000
	 * @return the next page
	 * @throws InvalidDeadLetterRequestException if the limit cannot be
	 */
	public DeadLetterPage list(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit) {
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new InvalidDeadLetterRequestException("limit", limit, "must be between 1 and " + MAX_LIMIT);
		}
		List<StoredJob> letters = this.store.list(filter, after, limit);
		return new DeadLetterPage(letters, (letters.size() == limit) ? behind(letters.get(limit - 1)) : null);
	}

	private static @Nullable DeadLetterCursor behind(StoredJob letter) {
		return (letter.deadLetteredAt() != null) ? new DeadLetterCursor(letter.deadLetteredAt(), letter.job().id())
				: null;
	}

	/**
	 * Says up to when there are dead letters now, so that what is done to many of them
	 * leaves out those that fail again meanwhile. Goes by the newest dead letter and not
	 * by a clock, since another process, whose clock is ahead, may have recorded it.
	 * @param filter which ones
	 * @return the microsecond behind the newest, an exclusive end; empty if there are
	 * none
	 */
	public Optional<Instant> end(DeadLetterFilter filter) {
		return end(this.store, filter);
	}

	static Optional<Instant> end(DeadLetterStore store, DeadLetterFilter filter) {
		return store.list(filter, null, 1)
			.stream()
			.map(StoredJob::deadLetteredAt)
			.filter(Objects::nonNull)
			.map((newest) -> newest.plus(1, ChronoUnit.MICROS))
			.findFirst();
	}

	/**
	 * Looks a dead letter up.
	 * @param jobId the id of the job
	 * @return the job with its errors; empty if there is none, or it is no dead letter
	 * @throws InvalidJobException if the id breaks a rule
	 */
	public Optional<StoredJob> get(String jobId) {
		return this.store.get(JobRules.id(jobId));
	}

	/**
	 * Counts all dead letters by what they have in common.
	 * @return the numbers
	 */
	public DeadLetterStats stats() {
		return stats(DeadLetterFilter.ANY);
	}

	/**
	 * Counts dead letters by what they have in common.
	 * @param filter which ones
	 * @return the numbers
	 */
	public DeadLetterStats stats(DeadLetterFilter filter) {
		return this.store.stats(filter);
	}

	/**
	 * Puts a dead letter back to work as it is.
	 * @param jobId the id of the job
	 * @return the job, available; empty if there is none, or it is no dead letter
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws NotReplayableException if no worker would start it
	 */
	public Optional<Job> replay(String jobId) {
		return replay(jobId, ReplayOverrides.NONE);
	}

	/**
	 * Puts a dead letter back to work.
	 * @param jobId the id of the job
	 * @param overrides what is different about it
	 * @return the job, available; empty if there is none, or it is no dead letter
	 * @throws InvalidJobException if the id breaks a rule, or the job would
	 * @throws NotReplayableException if no worker would start it
	 */
	public Optional<Job> replay(String jobId, ReplayOverrides overrides) {
		DeadLetterFilter filter = DeadLetterFilter.ANY.ids(Set.of(JobRules.id(jobId)));
		Replay replay = replay(new ReplayOptions(false, true, null, null, overrides));
		ReplayBatch batch = replay.one(filter);
		return batch.decisions().stream().findFirst().map((decision) -> available(replay, decision));
	}

	private Job available(Replay replay, ReplayDecision decision) {
		if (decision instanceof ReplayDecision.Skipped skipped) {
			throw (replay.refusal() != null) ? replay.refusal() : new NotReplayableException(skipped);
		}
		wakeRelay();
		Job job = ((ReplayDecision.Replayed) decision).encoded().job();
		return job.toBuilder().state(JobState.AVAILABLE).attempt(0).errors(replay.errors()).build();
	}

	/**
	 * Puts many dead letters back to work, the oldest first.
	 * @param filter which ones
	 * @param options how many, and how
	 * @return what became of them
	 * @throws InvalidDeadLetterRequestException if it is neither a dry run nor confirmed
	 * @throws InvalidJobException if what is to be different about them breaks a rule
	 */
	public ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options) {
		return replayAll(filter, options, ReplayListener.NONE);
	}

	/**
	 * Puts many dead letters back to work, the oldest first, in transactions of 500; if
	 * the caller has a transaction open, all in that. If the database goes away, batches
	 * that were committed stay so, and another call goes on.
	 * @param filter which ones
	 * @param options how many, and how
	 * @param listener told after each batch; can end it, as can an interrupt of the
	 * calling thread
	 * @return what became of them
	 * @throws InvalidDeadLetterRequestException if it is neither a dry run nor confirmed
	 * @throws InvalidJobException if what is to be different about them breaks a rule
	 */
	public ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options, ReplayListener listener) {
		if (!options.dryRun()) {
			confirmed(options.confirm());
		}
		Replay replay = replay(options);
		return options.dryRun() ? replay.count(filter) : replay.all(filter, listener);
	}

	private Replay replay(ReplayOptions options) {
		ReplayEditor editor = new ReplayEditor(this.codec, this.values, this.encryption, this.maxEnvelopeBytes,
				options.overrides());
		return new Replay(this.store, editor, options, this.clock, this::wakeRelay);
	}

	private void wakeRelay() {
		this.transactions.afterCommit(this.relay);
	}

	/**
	 * Deletes a dead letter.
	 * @param jobId the id of the job
	 * @return whether there was one
	 * @throws InvalidJobException if the id breaks a rule
	 */
	public boolean delete(String jobId) {
		DeadLetterFilter filter = DeadLetterFilter.ANY.ids(Set.of(JobRules.id(jobId)));
		return this.store.delete(filter, this.clock.instant(), 1) > 0;
	}

	/**
	 * Deletes many dead letters, the oldest first, in transactions of 500; if the caller
	 * has a transaction open, all in that. What becomes a dead letter meanwhile stays.
	 * @param filter which ones
	 * @param confirm whether it is meant
	 * @return how many there were
	 * @throws InvalidDeadLetterRequestException if it is not confirmed
	 */
	public long purge(DeadLetterFilter filter, boolean confirm) {
		confirmed(confirm);
		Optional<Instant> end = end(filter);
		return end.isPresent() ? purge(filter.until(end.get())) : 0;
	}

	private long purge(DeadLetterFilter present) {
		long purged = 0;
		int batch;
		do {
			batch = this.store.delete(present, this.clock.instant(), BATCH);
			purged += batch;
		}
		while (batch == BATCH && !Thread.currentThread().isInterrupted());
		return purged;
	}

	private static void confirmed(boolean confirm) {
		if (!confirm) {
			throw new InvalidDeadLetterRequestException("confirm", false,
					"must be true for something that is done to many dead letters at once");
		}
	}

}
