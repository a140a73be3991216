package io.ojs.deadletter.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayListener;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayProgress;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.UndecodableJobException;
import org.jspecify.annotations.Nullable;

/**
 * One replay of dead letters.
 */
final class Replay {

	private static final int BATCH = 500;

	private final DeadLetterStore store;

	private final ReplayEditor editor;

	private final ReplayOptions options;

	private final Clock clock;

	private final Runnable batchDone;

	private final Instant start;

	private final Map<SkipReason, Long> skipped = new EnumMap<>(SkipReason.class);

	private final List<ReplayResult.Skipped> examples = new ArrayList<>();

	/** The operation that replays; {@code null} for a call that waits. */
	private final @Nullable String operation;

	private long replayed;

	/** When the relay publishes the last of the committed jobs. */
	private @Nullable Instant publishedBy;

	private @Nullable InvalidJobException refusal;

	private List<JobError> errors = List.of();

	Replay(DeadLetterStore store, ReplayEditor editor, ReplayOptions options, Clock clock, Runnable batchDone) {
		this(store, editor, options, clock, batchDone, null);
	}

	/**
	 * Creates a replay, which may be a part of an operation.
	 * @param operation the id of the operation; {@code null} without one
	 */
	Replay(DeadLetterStore store, ReplayEditor editor, ReplayOptions options, Clock clock, Runnable batchDone,
			@Nullable String operation) {
		this.store = store;
		this.editor = editor;
		this.options = options;
		this.clock = clock;
		this.batchDone = batchDone;
		this.start = clock.instant();
		this.operation = operation;
	}

	/** Replays one dead letter. */
	ReplayBatch one(DeadLetterFilter filter) {
		return this.store.replay(filter, null, 1, this.start, (letter) -> {
			this.errors = letter.stored().job().errors();
			return decide(letter, this.start, this.start);
		});
	}

	/** Counts the dead letters that would be replayed. */
	ReplayResult count(DeadLetterFilter filter) {
		DeadLetterCount count = this.store.count(filter, this.start);
		this.replayed = count.total() - count.expired();
		if (count.expired() > 0) {
			this.skipped.put(SkipReason.EXPIRED, count.expired());
		}
		Long limit = this.options.limit();
		boolean limited = limit != null && this.replayed > limit;
		if (limited) {
			this.replayed = limit;
		}
		return result(limited ? ReplayEnd.LIMIT : ReplayEnd.DONE);
	}

	/** Replays all dead letters that match a filter. */
	ReplayResult all(DeadLetterFilter filter, ReplayListener listener) {
		DeadLetterFilter present = StoreDeadLetters.end(this.store, filter).map(filter::until).orElse(null);
		DeadLetterCursor last = null;
		boolean more = present != null;
		while (more) {
			int size = batchSize();
			if (size == 0) {
				return result(ReplayEnd.LIMIT);
			}
			if (Thread.currentThread().isInterrupted() || listener.isCancelled()) {
				return result(ReplayEnd.CANCELLED);
			}
			ReplayBatch batch = batch(present, last, size);
			last = batch.last();
			more = batch.decisions().size() == size;
			if (!batch.decisions().isEmpty()) {
				listener.progressed(progress());
			}
		}
		return result(ReplayEnd.DONE);
	}

	/** Replays the next batch. */
	ReplayBatch next(DeadLetterFilter filter, @Nullable DeadLetterCursor after) {
		return batch(filter, after, batchSize());
	}

	private int batchSize() {
		Long limit = this.options.limit();
		return (limit != null) ? (int) Math.min(BATCH, limit - this.replayed) : BATCH;
	}

	private ReplayBatch batch(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int size) {
		Instant now = this.clock.instant();
		// Counted separately, since the total must stay right if the batch is rolled
		// back.
		Slots slots = new Slots(this.replayed);
		ReplayBatch batch = this.store.replay(filter, after, size, now, (letter) -> {
			ReplayDecision decision = decide(letter, now, slots.next(now));
			if (decision instanceof ReplayDecision.Replayed) {
				slots.taken++;
			}
			return decision;
		});
		batch.decisions().forEach(this::tally);
		this.batchDone.run();
		return batch;
	}

	private void tally(ReplayDecision decision) {
		if (decision instanceof ReplayDecision.Replayed done) {
			this.replayed++;
			if (this.publishedBy == null || done.relayAt().isAfter(this.publishedBy)) {
				this.publishedBy = done.relayAt();
			}
		}
		else if (decision instanceof ReplayDecision.Skipped stays) {
			this.skipped.merge(stays.why().reason(), 1L, Long::sum);
			if (this.examples.size() < ReplayResult.EXAMPLES) {
				this.examples.add(stays.why());
			}
		}
	}

	private ReplayDecision decide(KeptDeadLetter letter, Instant now, Instant slot) {
		Job job = letter.stored().job();
		OffsetDateTime expiresAt = job.expiresAt();
		if (expiresAt != null && !expiresAt.toInstant().isAfter(now)) {
			return stays(job, SkipReason.EXPIRED,
					"its expires_at, %s, is over, and no worker would start it.".formatted(expiresAt));
		}
		try {
			EncodedJob encoded = this.editor.edit(letter, now);
			return new ReplayDecision.Replayed(encoded, notBefore(job.scheduledAt(), slot), this.operation);
		}
		catch (InvalidJobException ex) {
			this.refusal = ex;
			return invalid(job, ex);
		}
		catch (UndecodableJobException ex) {
			return invalid(job, ex);
		}
	}

	private static ReplayDecision invalid(Job job, RuntimeException problem) {
		return stays(job, SkipReason.INVALID, String.valueOf(problem.getMessage()));
	}

	private static ReplayDecision stays(Job job, SkipReason reason, String problem) {
		return new ReplayDecision.Skipped(new ReplayResult.Skipped(job.id(), reason, problem));
	}

	private static Instant notBefore(@Nullable OffsetDateTime scheduledAt, Instant slot) {
		return (scheduledAt != null && scheduledAt.toInstant().isAfter(slot)) ? scheduledAt.toInstant() : slot;
	}

	@Nullable InvalidJobException refusal() {
		return this.refusal;
	}

	List<JobError> errors() {
		return this.errors;
	}

	private ReplayProgress progress() {
		long stay = this.skipped.values().stream().mapToLong(Long::longValue).sum();
		return new ReplayProgress(null, this.replayed + stay, this.replayed, stay);
	}

	private ReplayResult result(ReplayEnd end) {
		return ReplayResult.of(end, this.replayed)
			.dryRun(this.options.dryRun())
			.skipped(this.skipped, this.examples)
			.publishedBy(this.publishedBy);
	}

	/**
	 * Assigns each job of a batch the time at which it is published.
	 */
	private final class Slots {

		private long taken;

		Slots(long before) {
			this.taken = before;
		}

		Instant next(Instant now) {
			Double rate = Replay.this.options.rate();
			if (rate == null) {
				return now;
			}
			Instant slot = Replay.this.start.plus(Duration.ofNanos((long) (this.taken / rate * 1e9)));
			return slot.isAfter(now) ? slot : now;
		}

	}

}
