package io.ojs.engine;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import org.jspecify.annotations.Nullable;

/**
 * A job as a store keeps it, read to be changed and written again within one transaction.
 * {@link Transitions} alone changes the state of one that is kept already.
 */
public final class JobRow implements Cloneable {

	/** The rank of those that wait in the order in which they came. */
	public static final int IN_ORDER = 1;

	/** The rank of those that had a place, and did not take it. */
	public static final int LAST = 3;

	public final UUID id;

	public String type = "";

	public String queue = "";

	public JobState state = JobState.AVAILABLE;

	public int priority;

	public int attempt;

	public int maxAttempts;

	public long run;

	public int replays;

	public int sizeBytes;

	/** Where it stands among the jobs of its queue, if that keeps them in their order. */
	public @Nullable Long ordinal;

	/** Whether a new job is to get an {@link #ordinal}. */
	public boolean ordered;

	/** Whether another producer's job is new to the store; not kept. */
	public boolean adopted;

	public Instant createdAt = Instant.EPOCH;

	public Instant enqueuedAt = Instant.EPOCH;

	public @Nullable Instant scheduledAt;

	public @Nullable Instant expiresAt;

	public @Nullable Instant startedAt;

	public @Nullable Instant endedAt;

	public @Nullable Instant dueAt;

	/**
	 * When to look at it. Of a job that waits: when the relay publishes it. Of one that
	 * runs: when a process checks whether its lease is over; this may be too early, and
	 * is never too late.
	 */
	public @Nullable Instant relayAt;

	public @Nullable Instant publishedAt;

	public @Nullable Instant leaseUntil;

	/** When a run has failed whose worker the store cannot interrupt. */
	public @Nullable Instant timeoutAt;

	/** By how much a heartbeat extends the lease of a fetched job. */
	public @Nullable Long leaseMillis;

	/** What came between the last two attempts, if the last one but one has failed. */
	public @Nullable Long retryDelayMillis;

	public @Nullable Instant deadLetteredAt;

	/** Among whose dead letters it is. */
	public @Nullable String deadLetterQueue;

	public @Nullable Instant pruneAt;

	public @Nullable String worker;

	public @Nullable String errorType;

	public @Nullable String uniqueKey;

	/** Whose it is, as its envelope says. */
	public @Nullable String tenant;

	/**
	 * Whether it waits in the store for the turn of its tenant; {@code false} if it has
	 * had its turn, {@code null} if that was not asked.
	 */
	public @Nullable Boolean heldBack;

	/** What limits it, of its own. */
	public @Nullable String rateKey;

	/** The limit that does not let it start, if one has been asked: it is available. */
	public @Nullable String blockedBy;

	/**
	 * When that may be asked again; {@code null} when another has ended. Of a job that
	 * was let through, how long its place is kept.
	 */
	public @Nullable Instant blockedUntil;

	/** The order of those that wait: a lower rank first, then a higher priority. */
	public int blockedRank = IN_ORDER;

	/**
	 * Whether limits count it: it was let through, or it runs and has a key or a tenant.
	 */
	public boolean hasPlaces;

	/** Its version, as {@link JobVersion#ordinal} has it. */
	public @Nullable Long versionKey;

	/** Since when it waits for a worker that can run its version, if it does. */
	public @Nullable Instant heldAt;

	/** Until when its next message is held back because of that. */
	public @Nullable Instant heldUntil;

	/** Whether {@link #heldAt} or {@link #heldUntil} are to be written. */
	public boolean holdChanged;

	public @Nullable String headers;

	public @Nullable String errors;

	public @Nullable String result;

	/**
	 * The workflow that it belongs to, which says so itself and is never changed here.
	 */
	public @Nullable UUID workflowId;

	/** Its number among the jobs of that. */
	public int workflowStep;

	/** Empty unless it was read. */
	public String envelope = "";

	/** Whether it had places of limits when it was read. */
	public boolean hadPlaces;

	/** In which line it was then. */
	public @Nullable String wasBlockedBy;

	/** Whether it had had the turn of its tenant then. */
	public boolean hadTurn;

	private @Nullable Change change;

	/**
	 * Creates a row.
	 * @param id the id of the job
	 */
	public JobRow(UUID id) {
		this.id = id;
	}

	/**
	 * The id of a job as rows have it.
	 * @param jobId the id of the job
	 * @return the id; empty if it cannot be the id of a job
	 */
	public static Optional<UUID> id(String jobId) {
		try {
			return Optional.of(UUID.fromString(jobId));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/** Notes what is to be written. */
	void changes(Change what) {
		this.change = (this.change != null) ? this.change.and(what) : what;
	}

	/**
	 * What is to be written.
	 * @return {@code null} if nothing has changed
	 */
	public @Nullable Change change() {
		return this.change;
	}

	/** The version that a number stands for. */
	public static @Nullable JobVersion version(@Nullable Long key) {
		return (key != null) ? JobVersion.ofOrdinal(key) : null;
	}

	/**
	 * The version of the job.
	 * @return the version; {@code null} without one
	 */
	public @Nullable JobVersion version() {
		return version(this.versionKey);
	}

	/** It waits for a worker that can run its version, or no longer. */
	void hold(@Nullable Instant since, @Nullable Instant until) {
		if (since != null || this.heldAt != null || this.heldUntil != null) {
			this.heldAt = since;
			this.heldUntil = until;
			this.holdChanged = true;
		}
	}

	/**
	 * A limit does not let it start: it waits in the line of that, and the relay does not
	 * publish it.
	 * @param key the key of the limit
	 * @param until when to ask again; {@code null} when another has ended
	 * @param rank its rank in the line
	 */
	public void block(String key, @Nullable Instant until, int rank) {
		this.blockedBy = key;
		this.blockedUntil = (until != null) ? Times.micros(until) : null;
		this.blockedRank = rank;
		this.hasPlaces = false;
		this.relayAt = null;
	}

	/**
	 * It is let through, and to be published.
	 * @param relayAt when
	 * @param keptUntil how long its places are kept for it; {@code null} if it has none,
	 * and has to ask again
	 */
	public void letThrough(Instant relayAt, @Nullable Instant keptUntil) {
		this.blockedBy = null;
		this.blockedUntil = keptUntil;
		this.hasPlaces = keptUntil != null;
		this.relayAt = relayAt;
	}

	/** Whether it has a mark of a limit, or of the share of its tenant. */
	boolean hasMarks() {
		return this.blockedBy != null || this.blockedUntil != null || this.blockedRank != IN_ORDER || this.hasPlaces
				|| this.heldBack != null;
	}

	/** It waits for nothing any more, and has no place. */
	void clearMarks() {
		this.blockedBy = null;
		this.blockedUntil = null;
		this.blockedRank = IN_ORDER;
		this.hasPlaces = false;
		this.heldBack = null;
	}

	/** When a lease ends that would last so long. */
	public Instant leaseEnd(Instant leaseUntil) {
		return (this.timeoutAt != null && this.timeoutAt.isBefore(leaseUntil)) ? this.timeoutAt : leaseUntil;
	}

	/** Whether the lease ended because the time of the run was over. */
	public boolean isTimedOut() {
		return this.timeoutAt != null && this.leaseUntil != null && !this.leaseUntil.isBefore(this.timeoutAt);
	}

	/**
	 * Notes what limits have of the job, before anything changes.
	 */
	public void noteLimits() {
		this.hadPlaces = this.hasPlaces;
		this.wasBlockedBy = this.blockedBy;
		this.hadTurn = Boolean.FALSE.equals(this.heldBack);
	}

	/**
	 * The row as it is now, of which nothing is to be written.
	 * @return another row with the same values
	 */
	public JobRow copy() {
		try {
			JobRow copy = (JobRow) clone();
			copy.change = null;
			copy.holdChanged = false;
			copy.adopted = false;
			copy.noteLimits();
			return copy;
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The name of a worker as it is kept.
	 * @param name the name
	 * @return at most 128 characters of it
	 */
	public static String workerName(String name) {
		return EventText.worker(name);
	}

	/**
	 * Which part of a row a transition changes; limits and waits change others.
	 */
	public enum Change {

		/** What the beginning of an attempt changes. */
		START,

		/** The same, and when a process looks at the run next. */
		START_AND_LOOK,

		/** What success changes. */
		SUCCESS,

		/** What any transition may change. */
		PROGRESS,

		/** What the end of an attempt may change too. */
		ENDS;

		/** The part that has both. */
		Change and(Change other) {
			if (this == other) {
				return this;
			}
			if (isStart() && other.isStart()) {
				return START_AND_LOOK;
			}
			boolean ends = this == ENDS || other == ENDS || this == SUCCESS || other == SUCCESS;
			return ends ? ENDS : PROGRESS;
		}

		private boolean isStart() {
			return this == START || this == START_AND_LOOK;
		}

	}

}
