package io.ojs.internal.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.internal.VersionKey;
import org.jspecify.annotations.Nullable;

/**
 * The row of a job, read to be changed and written again within one transaction. Only
 * {@link Transitions} changes the state of a job that is kept already.
 */
public final class JobRow implements Cloneable {

	/** The rank of jobs that wait for a limit in their order. */
	public static final int IN_ORDER = 1;

	/** The rank of jobs that had a place under a limit and did not take it. */
	public static final int LAST = 3;

	/** Of how many replays the row knows the time. */
	private static final int MOST_REPLAYS = 10;

	public final UUID id;

	public String type = "";

	public String queue = "";

	public JobState state = JobState.AVAILABLE;

	public int priority;

	public int attempt;

	public int maxAttempts;

	public long run;

	public int replays;

	/** When the latest replays were, the earliest first; {@code null} without any. */
	public @Nullable String replayTimes;

	public int sizeBytes;

	/** The position among the jobs of an ordered queue. */
	public @Nullable Long ordinal;

	/** Whether a new job gets an {@link #ordinal}. */
	public boolean ordered;

	/** Whether the store has just adopted the job from another producer; not a column. */
	public boolean adopted;

	public Instant createdAt = Instant.EPOCH;

	public Instant enqueuedAt = Instant.EPOCH;

	public @Nullable Instant scheduledAt;

	public @Nullable Instant expiresAt;

	public @Nullable Instant startedAt;

	public @Nullable Instant endedAt;

	public @Nullable Instant dueAt;

	/**
	 * When to look at the job: the relay publishes a waiting job at this time, and a
	 * process checks whether the lease of an active job is over. For an active job it may
	 * be too early, and is never too late.
	 */
	public @Nullable Instant relayAt;

	public @Nullable Instant publishedAt;

	public @Nullable Instant leaseUntil;

	/**
	 * When the run of a worker over HTTP times out. The store cannot interrupt that
	 * worker.
	 */
	public @Nullable Instant timeoutAt;

	/**
	 * The milliseconds by which a heartbeat extends the lease of a worker over HTTP;
	 * {@code null} for other workers.
	 */
	public @Nullable Long leaseMillis;

	/** The milliseconds between the last failed attempt and the next one. */
	public @Nullable Long retryDelayMillis;

	public @Nullable Instant deadLetteredAt;

	/** The dead letter queue that the job belongs to. */
	public @Nullable String deadLetterQueue;

	public @Nullable Instant pruneAt;

	public @Nullable String worker;

	public @Nullable String errorType;

	/** The hash of the place in the code of the last error; written, not read. */
	public @Nullable String errorHash;

	public @Nullable String uniqueKey;

	/** The tenant in the envelope. */
	public @Nullable String tenant;

	/**
	 * Whether the job waits in the store for the turn of its tenant; {@code false} if it
	 * has had its turn, {@code null} if shares do not concern it.
	 */
	public @Nullable Boolean awaitsTurn;

	/** The key of the limit in the envelope. */
	public @Nullable String rateKey;

	/** The key of the limit that an available job waits for. */
	public @Nullable String blockedBy;

	/**
	 * When a waiting job may ask its limit again; {@code null} until another job has
	 * ended. For a job that was let through: how long its place is kept.
	 */
	public @Nullable Instant blockedUntil;

	/**
	 * The order of jobs that wait for a limit: a lower rank first, then a higher
	 * priority.
	 */
	public int blockedRank = IN_ORDER;

	/**
	 * Whether limits count the job: it was let through, or it runs and has a limit or a
	 * tenant.
	 */
	public boolean hasPlaces;

	/** The version as a number, see {@link JobVersion#ordinal}. */
	public @Nullable Long versionKey;

	/** Since when the job waits for a worker that can run its version. */
	public @Nullable Instant workerWaitSince;

	/** Until when the next message waits because no worker can run the version. */
	public @Nullable Instant workerWaitUntil;

	/**
	 * Whether {@link #workerWaitSince} or {@link #workerWaitUntil} have to be written.
	 */
	public boolean workerWaitChanged;

	/** The operation that has replayed the job last; written, not read. */
	public @Nullable UUID operationId;

	/** The labels of a new job; not a column. */
	public List<String> labels = List.of();

	public @Nullable String headers;

	public @Nullable String errors;

	public @Nullable String result;

	/**
	 * The workflow that the job belongs to; only its own store writes this.
	 */
	public @Nullable UUID workflowId;

	/** The number of the job in its workflow. */
	public int workflowStep;

	/** The envelope as text; empty unless it was read. */
	public String envelope = "";

	/** Whether the job had places under limits when the row was read. */
	public boolean hadPlaces;

	/** The key of the limit that the job waited for when the row was read. */
	public @Nullable String wasBlockedBy;

	/** Whether the job had had the turn of its tenant when the row was read. */
	public boolean hadTurn;

	private @Nullable Change change;

	public JobRow(UUID id) {
		this.id = id;
	}

	/**
	 * Converts the id of a job to that of a row.
	 * @return the id; empty if it is not a UUID
	 */
	public static Optional<UUID> id(String jobId) {
		try {
			return Optional.of(UUID.fromString(jobId));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/** Adds columns that have to be written. */
	void changes(Change what) {
		this.change = (this.change != null) ? this.change.and(what) : what;
	}

	/**
	 * Returns the columns that have to be written.
	 * @return the columns; {@code null} if no column has changed
	 */
	public @Nullable Change change() {
		return this.change;
	}

	/** Converts a number to the version that it stands for. */
	public static @Nullable JobVersion version(@Nullable Long key) {
		return (key != null) ? VersionKey.version(key) : null;
	}

	/**
	 * Returns the version of the job.
	 * @return the version; {@code null} without one
	 */
	public @Nullable JobVersion version() {
		return version(this.versionKey);
	}

	/** Remembers when the job was replayed. */
	void replayed(Instant at) {
		List<Instant> times = new ArrayList<>(replayTimes());
		times.add(at);
		this.replays++;
		this.replayTimes = times.subList(Math.max(0, times.size() - MOST_REPLAYS), times.size())
			.stream()
			.map(Instant::toString)
			.collect(Collectors.joining(" "));
	}

	/** Returns when the latest replays were, the earliest first. */
	public List<Instant> replayTimes() {
		return (this.replayTimes != null) ? Stream.of(this.replayTimes.split(" ")).map(Instant::parse).toList()
				: List.of();
	}

	/** Sets or ends the wait for a worker that can run the version. */
	void waitForWorker(@Nullable Instant since, @Nullable Instant until) {
		if (since != null || this.workerWaitSince != null || this.workerWaitUntil != null) {
			this.workerWaitSince = since;
			this.workerWaitUntil = until;
			this.workerWaitChanged = true;
		}
	}

	/**
	 * Makes the job wait for a limit. The relay does not publish it meanwhile.
	 * @param until when to ask the limit again; {@code null} to wait until another job
	 * has ended
	 * @param rank the rank among the jobs that wait for the limit
	 */
	public void block(String key, @Nullable Instant until, int rank) {
		this.blockedBy = key;
		this.blockedUntil = (until != null) ? Times.micros(until) : null;
		this.blockedRank = rank;
		this.hasPlaces = false;
		this.relayAt = null;
	}

	/**
	 * Lets the job through its limit, to be published.
	 * @param keptUntil how long its places are kept for it; {@code null} if it has none
	 * and has to ask again
	 */
	public void letThrough(Instant relayAt, @Nullable Instant keptUntil) {
		this.blockedBy = null;
		this.blockedUntil = keptUntil;
		this.hasPlaces = keptUntil != null;
		this.relayAt = relayAt;
	}

	/** Whether a limit or the share of its tenant has marked the job. */
	boolean hasMarks() {
		return this.blockedBy != null || this.blockedUntil != null || this.blockedRank != IN_ORDER || this.hasPlaces
				|| this.awaitsTurn != null;
	}

	/** Removes the marks of limits and of the share of the tenant. */
	void clearMarks() {
		this.blockedBy = null;
		this.blockedUntil = null;
		this.blockedRank = IN_ORDER;
		this.hasPlaces = false;
		this.awaitsTurn = null;
	}

	/** Returns the end of a lease, which is not later than the timeout of the run. */
	public Instant leaseEnd(Instant leaseUntil) {
		return (this.timeoutAt != null && this.timeoutAt.isBefore(leaseUntil)) ? this.timeoutAt : leaseUntil;
	}

	/** Whether the lease ended because the run timed out. */
	public boolean isTimedOut() {
		return this.timeoutAt != null && this.leaseUntil != null && !this.leaseUntil.isBefore(this.timeoutAt);
	}

	/**
	 * Notes what limits have of the job, before a transition changes it.
	 */
	public void noteLimits() {
		this.hadPlaces = this.hasPlaces;
		this.wasBlockedBy = this.blockedBy;
		this.hadTurn = Boolean.FALSE.equals(this.awaitsTurn);
	}

	/** Copies the row, without a change to be written. */
	public JobRow copy() {
		try {
			JobRow copy = (JobRow) clone();
			copy.change = null;
			copy.workerWaitChanged = false;
			copy.adopted = false;
			copy.noteLimits();
			return copy;
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns the name of a worker as rows have it.
	 * @return the name, shortened to 128 characters
	 */
	public static String workerName(String name) {
		return EventText.worker(name);
	}

	/**
	 * The columns that a transition changes. Limits and waits for a worker write other
	 * columns.
	 */
	public enum Change {

		/** The columns of the beginning of an attempt. */
		START,

		/**
		 * The columns of the beginning of an attempt, and when a process looks at the run
		 * next.
		 */
		START_AND_LOOK,

		/** The columns of a success. */
		SUCCESS,

		/** The columns that any transition may change. */
		PROGRESS,

		/** The columns that any transition or the end of an attempt may change. */
		ENDS,

		/** The columns of {@link #ENDS}, and what only a failure changes. */
		FAILURE;

		/** Returns a part that includes both. */
		Change and(Change other) {
			if (this == other) {
				return this;
			}
			if (isStart() && other.isStart()) {
				return START_AND_LOOK;
			}
			if (this == FAILURE || other == FAILURE) {
				return FAILURE;
			}
			boolean ends = this == ENDS || other == ENDS || this == SUCCESS || other == SUCCESS;
			return ends ? ENDS : PROGRESS;
		}

		private boolean isStart() {
			return this == START || this == START_AND_LOOK;
		}

	}

}
