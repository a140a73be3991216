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
 * Lists, replays and deletes the dead letters in the job store (OJS Dead Letter). Safe
 * for use by several threads, processes and instances.
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
	 * Creates the dead letters.
	 * @param store keeps dead letters
	 * @param transactions the transactions of the store
	 * @param values converts the values of overrides to JSON
	 * @param codec reads and writes envelopes
	 * @param maxEnvelopeBytes the largest envelope
	 * @param clock tells the time
	 * @param relay wakes the relay after a commit; must not wait
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
	 * Returns a copy that encrypts new arguments of encrypted jobs.
	 * @param value encrypts arguments
	 * @return the copy
	 */
	public DeadLetters encryption(JobEncryption value) {
		return new DeadLetters(this, value);
	}

	/**
	 * Lists the newest dead letters.
	 * @param filter the filter
	 * @param limit the largest number, 1 to 1000
	 * @return the first page
	 * @throws InvalidDeadLetterRequestException if the limit is out of range
	 */
	public DeadLetterPage list(DeadLetterFilter filter, int limit) {
		return list(filter, null, limit);
	}

	/**
	 * Lists dead letters, the newest first.
	 * @param filter the filter
	 * @param after the position of the page; {@code null} for the first one
	 * @param limit the largest number, 1 to 1000
	 * @return the page
	 * @throws InvalidDeadLetterRequestException if the limit is out of range
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
	 * Returns the end of the current dead letters, so that an operation on many of them
	 * excludes jobs that fail again meanwhile. It follows from the newest dead letter and
	 * not from a clock, because a process whose clock is ahead may have recorded it.
	 * @param filter the filter
	 * @return the microsecond after the newest, as an exclusive end; empty if there are
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
	 * Finds a dead letter.
	 * @param jobId the id of the job
	 * @return the job with its errors; empty if it does not exist, or is not a dead
	 * letter
	 * @throws InvalidJobException if the id breaks a rule
	 */
	public Optional<StoredJob> get(String jobId) {
		return this.store.get(JobRules.id(jobId));
	}

	/**
	 * Counts all dead letters by queue, type and error type.
	 * @return the numbers
	 */
	public DeadLetterStats stats() {
		return stats(DeadLetterFilter.ANY);
	}

	/**
	 * Counts dead letters by queue, type and error type.
	 * @param filter the filter
	 * @return the numbers
	 */
	public DeadLetterStats stats(DeadLetterFilter filter) {
		return this.store.stats(filter);
	}

	/**
	 * Replays a dead letter without changes.
	 * @param jobId the id of the job
	 * @return the job, available; empty if it does not exist, or is not a dead letter
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws NotReplayableException if no worker would start the job
	 */
	public Optional<Job> replay(String jobId) {
		return replay(jobId, ReplayOverrides.NONE);
	}

	/**
	 * Replays a dead letter with changes.
	 * @param jobId the id of the job
	 * @param overrides the changes
	 * @return the job, available; empty if it does not exist, or is not a dead letter
	 * @throws InvalidJobException if the id breaks a rule, or the changed job does
	 * @throws NotReplayableException if no worker would start the job
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
	 * Replays many dead letters, the oldest first.
	 * @param filter the filter
	 * @param options how many to replay, and how
	 * @return the result
	 * @throws InvalidDeadLetterRequestException if the replay is neither a dry run nor
	 * confirmed
	 * @throws InvalidJobException if the overrides break a rule
	 */
	public ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options) {
		return replayAll(filter, options, ReplayListener.NONE);
	}

	/**
	 * Replays many dead letters, the oldest first, in transactions of 500, or in the
	 * caller's transaction. If the database goes away, committed batches stay replayed,
	 * and another call continues.
	 * @param filter the filter
	 * @param options how many to replay, and how
	 * @param listener called after each batch; it can stop the replay, as can an
	 * interrupt of the calling thread
	 * @return the result
	 * @throws InvalidDeadLetterRequestException if the replay is neither a dry run nor
	 * confirmed
	 * @throws InvalidJobException if the overrides break a rule
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
	 * @return whether it existed
	 * @throws InvalidJobException if the id breaks a rule
	 */
	public boolean delete(String jobId) {
		DeadLetterFilter filter = DeadLetterFilter.ANY.ids(Set.of(JobRules.id(jobId)));
		return this.store.delete(filter, this.clock.instant(), 1) > 0;
	}

	/**
	 * Deletes many dead letters, the oldest first, in transactions of 500, or in the
	 * caller's transaction. Keeps jobs that become dead letters meanwhile.
	 * @param filter the filter
	 * @param confirm {@code true} to confirm the deletion
	 * @return the number of deleted dead letters
	 * @throws InvalidDeadLetterRequestException if the deletion is not confirmed
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
