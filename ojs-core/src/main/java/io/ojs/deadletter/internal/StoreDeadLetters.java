package io.ojs.deadletter.internal;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import io.ojs.crypto.internal.JobEncryption;
import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetterPage;
import io.ojs.deadletter.DeadLetterStats;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.deadletter.NotReplayableException;
import io.ojs.deadletter.ReplayListener;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.ReplayResult;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.StoreTransactions;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of the job store.
 */
public final class StoreDeadLetters implements DeadLetters {

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
	 * @param relay wakes the relay after a commit; must not wait
	 */
	public StoreDeadLetters(DeadLetterStore store, StoreTransactions transactions, JsonValues values, JobCodec codec,
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

	private StoreDeadLetters(StoreDeadLetters other, JobEncryption encryption) {
		this.store = other.store;
		this.transactions = other.transactions;
		this.values = other.values;
		this.codec = other.codec;
		this.maxEnvelopeBytes = other.maxEnvelopeBytes;
		this.clock = other.clock;
		this.relay = other.relay;
		this.encryption = encryption;
	}

	/** Returns a copy that encrypts new arguments of encrypted jobs. */
	public StoreDeadLetters encryption(JobEncryption value) {
		return new StoreDeadLetters(this, value);
	}

	@Override
	public DeadLetterPage list(DeadLetterFilter filter, int limit) {
		return list(filter, null, limit);
	}

	@Override
	public DeadLetterPage list(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit) {
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new InvalidDeadLetterRequestException("limit", limit, "must be between 1 and " + MAX_LIMIT);
		}
		List<StoredJob> letters = this.store.list(checked(filter), after, limit);
		return new DeadLetterPage(letters, (letters.size() == limit) ? behind(letters.get(limit - 1)) : null);
	}

	private static @Nullable DeadLetterCursor behind(StoredJob letter) {
		return (letter.deadLetteredAt() != null) ? new DeadLetterCursor(letter.deadLetteredAt(), letter.job().id())
				: null;
	}

	@Override
	public Optional<Instant> end(DeadLetterFilter filter) {
		return end(this.store, checked(filter));
	}

	static Optional<Instant> end(DeadLetterStore store, DeadLetterFilter filter) {
		return store.list(filter, null, 1)
			.stream()
			.map(StoredJob::deadLetteredAt)
			.filter(Objects::nonNull)
			.map((newest) -> newest.plus(1, ChronoUnit.MICROS))
			.findFirst();
	}

	@Override
	public Optional<StoredJob> get(String jobId) {
		return this.store.get(JobRules.id(jobId));
	}

	@Override
	public DeadLetterStats stats() {
		return stats(DeadLetterFilter.ANY);
	}

	@Override
	public DeadLetterStats stats(DeadLetterFilter filter) {
		return this.store.stats(checked(filter));
	}

	@Override
	public Optional<Job> replay(String jobId) {
		return replay(jobId, ReplayOverrides.NONE);
	}

	@Override
	public Optional<Job> replay(String jobId, ReplayOverrides overrides) {
		DeadLetterFilter filter = DeadLetterFilter.ANY.ids(Set.of(JobRules.id(jobId)));
		Replay replay = replay(ReplayOptions.CONFIRMED.overrides(overrides));
		ReplayBatch batch = replay.one(filter);
		return batch.decisions().stream().findFirst().map((decision) -> available(replay, decision));
	}

	private Job available(Replay replay, ReplayDecision decision) {
		if (decision instanceof ReplayDecision.Skipped skipped) {
			throw (replay.refusal() != null) ? replay.refusal() : new NotReplayableException(skipped.why());
		}
		wakeRelay();
		Job job = ((ReplayDecision.Replayed) decision).encoded().job();
		return job.toBuilder().state(JobState.AVAILABLE).attempt(0).errors(replay.errors()).build();
	}

	@Override
	public ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options) {
		return replayAll(filter, options, ReplayListener.NONE);
	}

	@Override
	public ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options, ReplayListener listener) {
		if (!options.dryRun()) {
			DeadLetterRequests.confirmed(options.confirm());
		}
		DeadLetterFilter which = checked(filter);
		Replay replay = replay(options);
		return options.dryRun() ? replay.count(which) : replay.all(which, listener);
	}

	/**
	 * Replays the next batch of an operation.
	 * @param filter the filter, whose end is before the beginning of the operation
	 * @param options with the largest number of jobs of the batch as limit, and the rate
	 * at which these are published
	 * @param after the end of the last batch; {@code null} at the beginning
	 * @param operation the id of the operation
	 */
	public ReplayBatch replayNext(DeadLetterFilter filter, ReplayOptions options, @Nullable DeadLetterCursor after,
			String operation) {
		return new Replay(this.store, editor(options), options, this.clock, this::wakeRelay, operation)
			.next(checked(filter), after);
	}

	private Replay replay(ReplayOptions options) {
		return new Replay(this.store, editor(options), options, this.clock, this::wakeRelay);
	}

	private ReplayEditor editor(ReplayOptions options) {
		return new ReplayEditor(this.codec, this.values, this.encryption, this.maxEnvelopeBytes, options.overrides());
	}

	private void wakeRelay() {
		this.transactions.afterCommit(this.relay);
	}

	@Override
	public boolean delete(String jobId) {
		DeadLetterFilter filter = DeadLetterFilter.ANY.ids(Set.of(JobRules.id(jobId)));
		return this.store.delete(filter, this.clock.instant(), 1) > 0;
	}

	@Override
	public long purge(DeadLetterFilter filter, boolean confirm) {
		DeadLetterRequests.confirmed(confirm);
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

	/** Rejects conditions that no dead letter of the store can meet. */
	private static DeadLetterFilter checked(DeadLetterFilter filter) {
		DeadLetterRequests.unsupported("filter.error_code", filter.errorCode(),
				"the job store finds errors by their type and hash");
		DeadLetterRequests.rule("filter.type", filter.type(), (type) -> JobRules.type(DeadLetterRequests.stem(type)));
		filter.ids().forEach((id) -> DeadLetterRequests.rule("filter.ids", id, JobRules::id));
		return filter;
	}

}
