package io.ojs.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code ojs_job}, read to be changed and written again within one transaction.
 */
final class JobRow implements Dialect.Row {

	/** What is always read. */
	static final String COLUMNS = "id, type, queue, state, priority, attempt, max_attempts, run, replays, created_at, "
			+ "enqueued_at, scheduled_at, expires_at, started_at, ended_at, due_at, relay_at, published_at, "
			+ "lease_until, timeout_at, lease_ms, retry_delay_ms, dead_lettered_at, dead_letter_queue, prune_at, worker, "
			+ "error_type, unique_key, rate_key, waiting_for, waiting_until, waiting_rank, rate_granted, tenant, held_back, workflow_id, "
			+ "workflow_step, version_key, held_at, held_until, errors";

	/** What may be large, and is read where it is asked for. */
	static final String ALL_COLUMNS = COLUMNS + ", headers, envelope, result";

	static final List<Column> KEY = List.of(Column.uuid("id"));

	/** What any transition may change. */
	static final List<Column> PROGRESS = List.of(Column.text("state"), Column.integer("attempt"), Column.bigint("run"),
			Column.integer("replays"), Column.time("enqueued_at"), Column.time("started_at"), Column.time("ended_at"),
			Column.time("due_at"), Column.time("relay_at"), Column.time("lease_until"), Column.time("dead_lettered_at"),
			Column.text("dead_letter_queue"), Column.time("prune_at"), Column.text("worker"), Column.time("timeout_at"),
			Column.bigint("lease_ms"), Column.bool("held_back"));

	/** What the end of an attempt changes too. */
	static final List<Column> ENDS = Stream
		.concat(PROGRESS.stream(), Stream.of(Column.text("error_type"), Column.text("errors"), Column.text("result"),
				Column.bigint("retry_delay_ms")))
		.toList();

	/** What changes when a job is begun and nothing else happens to it. */
	static final List<Column> START = List.of(Column.text("state"), Column.integer("attempt"), Column.bigint("run"),
			Column.time("started_at"), Column.time("due_at"), Column.time("relay_at"), Column.time("lease_until"),
			Column.text("worker"));

	/** What changes when a job succeeds. */
	static final List<Column> SUCCESS = List.of(Column.text("state"), Column.time("ended_at"), Column.time("due_at"),
			Column.time("relay_at"), Column.time("prune_at"), Column.time("lease_until"), Column.text("worker"),
			Column.time("timeout_at"), Column.bigint("lease_ms"), Column.text("result"));

	/** What belongs to the job itself, and rarely changes. */
	static final List<Column> CONTENT = List.of(Column.text("type"), Column.text("queue"), Column.integer("priority"),
			Column.integer("max_attempts"), Column.integer("size_bytes"), Column.time("scheduled_at"),
			Column.time("expires_at"), Column.text("tenant"), Column.text("rate_key"), Column.bigint("version_key"),
			Column.text("headers"), Column.text("envelope"));

	/** What a limit changes. */
	static final List<Column> WAITING = List.of(Column.text("waiting_for"), Column.time("waiting_until"),
			Column.integer("waiting_rank"), Column.bool("rate_granted"), Column.time("relay_at"),
			Column.time("enqueued_at"));

	/** What changes when a job begins or ends to wait for a worker of its version. */
	static final List<Column> HOLD = List.of(Column.time("held_at"), Column.time("held_until"),
			Column.bool("rate_granted"));

	/** The rank of those that wait in the order in which they came. */
	static final int IN_ORDER = 1;

	/** The rank of those that had a place, and did not take it. */
	static final int LAST = 3;

	/** Everything. */
	static final List<Column> EVERY = Stream.of(KEY.stream(), ENDS.stream(), CONTENT.stream(),
			Stream.of(Column.time("created_at"), Column.time("published_at"), Column.text("unique_key"),
					Column.bigint("ordinal"), Column.text("waiting_for"), Column.time("waiting_until"),
					Column.integer("waiting_rank")))
		.flatMap((columns) -> columns)
		.toList();

	final UUID id;

	String type = "";

	String queue = "";

	JobState state = JobState.AVAILABLE;

	int priority;

	int attempt;

	int maxAttempts;

	long run;

	int replays;

	int sizeBytes;

	/** Where it stands among the jobs of its queue, if that keeps them in their order. */
	@Nullable Long ordinal;

	/** Whether a new job is to get an {@link #ordinal}. */
	boolean ordered;

	/** Whether another producer's job is new to the store; not a column. */
	boolean adopted;

	Instant createdAt = Instant.EPOCH;

	Instant enqueuedAt = Instant.EPOCH;

	@Nullable Instant scheduledAt;

	@Nullable Instant expiresAt;

	@Nullable Instant startedAt;

	@Nullable Instant endedAt;

	@Nullable Instant dueAt;

	@Nullable Instant relayAt;

	@Nullable Instant publishedAt;

	@Nullable Instant leaseUntil;

	/** When a run has failed whose worker nobody can interrupt. */
	@Nullable Instant timeoutAt;

	/** By how much a heartbeat extends the lease of a fetched job. */
	@Nullable Long leaseMillis;

	/** What came between the last two attempts, if the last one but one has failed. */
	@Nullable Long retryDelayMillis;

	@Nullable Instant deadLetteredAt;

	/** Among whose dead letters it is. */
	@Nullable String deadLetterQueue;

	@Nullable Instant pruneAt;

	@Nullable String worker;

	@Nullable String errorType;

	@Nullable String uniqueKey;

	/** Whose it is, as its envelope says. */
	@Nullable String tenant;

	/**
	 * Whether it waits in the store for the turn of its tenant; {@code false} if it has
	 * had its turn, {@code null} if nobody has asked.
	 */
	@Nullable Boolean heldBack;

	/** What limits it, of its own. */
	@Nullable String rateKey;

	/** The limit that does not let it start, if one has been asked. */
	@Nullable String waitingFor;

	/**
	 * When that may be asked again; {@code null} when another has ended. Of a job that
	 * was let through, how long its place is kept.
	 */
	@Nullable Instant waitingUntil;

	/** Who comes first of those that wait: a lower rank, then a higher priority. */
	int waitingRank = IN_ORDER;

	/** Whether it has been let through, and counted. */
	boolean rateGranted;

	/** Its version, as {@link JobVersion#ordinal} has it. */
	@Nullable Long versionKey;

	/** Since when it waits for a worker that can run its version, if it does. */
	@Nullable Instant heldAt;

	/** Until when its next message is held back because of that. */
	@Nullable Instant heldUntil;

	/** Whether {@link #heldAt} or {@link #heldUntil} are to be written. */
	boolean holdChanged;

	@Nullable String headers;

	@Nullable String errors;

	@Nullable String result;

	/**
	 * The workflow that it belongs to, which says so itself and is never changed here.
	 */
	@Nullable UUID workflowId;

	/** Its number among the jobs of that. */
	int workflowStep;

	/** Empty unless it was read. */
	String envelope = "";

	/** Whether it had places of limits when it was read. */
	boolean hadPlaces;

	/** In which line it was then. */
	@Nullable String wasWaitingFor;

	private List<Column> toWrite = List.of();

	/**
	 * Notes what is to be written: one of {@link #START}, {@link #SUCCESS},
	 * {@link #PROGRESS} and {@link #ENDS}, or what has them all.
	 */
	void changes(List<Column> columns) {
		if (this.toWrite.isEmpty() || this.toWrite == columns) {
			this.toWrite = columns;
			return;
		}
		boolean ends = List.of(this.toWrite, columns).stream().anyMatch((each) -> each == ENDS || each == SUCCESS);
		this.toWrite = ends ? ENDS : PROGRESS;
	}

	/** What is to be written. */
	List<Column> toWrite() {
		return this.toWrite;
	}

	JobRow(UUID id) {
		this.id = id;
	}

	/** Reads {@link #COLUMNS}. */
	static JobRow read(ResultSet row) throws SQLException {
		JobRow job = new JobRow(row.getObject("id", UUID.class));
		job.type = row.getString("type");
		job.queue = row.getString("queue");
		job.state = JobState.fromWire(row.getString("state"));
		job.priority = row.getInt("priority");
		job.attempt = row.getInt("attempt");
		job.maxAttempts = row.getInt("max_attempts");
		job.run = row.getLong("run");
		job.replays = row.getInt("replays");
		job.createdAt = Times.instant(row, "created_at");
		job.enqueuedAt = Times.instant(row, "enqueued_at");
		job.scheduledAt = Times.read(row, "scheduled_at");
		job.expiresAt = Times.read(row, "expires_at");
		job.startedAt = Times.read(row, "started_at");
		job.endedAt = Times.read(row, "ended_at");
		job.dueAt = Times.read(row, "due_at");
		job.relayAt = Times.read(row, "relay_at");
		job.publishedAt = Times.read(row, "published_at");
		job.leaseUntil = Times.read(row, "lease_until");
		job.timeoutAt = Times.read(row, "timeout_at");
		job.leaseMillis = row.getObject("lease_ms", Long.class);
		job.retryDelayMillis = row.getObject("retry_delay_ms", Long.class);
		job.deadLetteredAt = Times.read(row, "dead_lettered_at");
		job.deadLetterQueue = row.getString("dead_letter_queue");
		job.pruneAt = Times.read(row, "prune_at");
		job.worker = row.getString("worker");
		job.errorType = row.getString("error_type");
		job.uniqueKey = row.getString("unique_key");
		job.tenant = row.getString("tenant");
		job.heldBack = row.getObject("held_back", Boolean.class);
		job.rateKey = row.getString("rate_key");
		job.waitingFor = row.getString("waiting_for");
		job.waitingUntil = Times.read(row, "waiting_until");
		job.waitingRank = row.getInt("waiting_rank");
		job.rateGranted = row.getBoolean("rate_granted");
		job.versionKey = row.getObject("version_key", Long.class);
		job.heldAt = Times.read(row, "held_at");
		job.heldUntil = Times.read(row, "held_until");
		job.errors = row.getString("errors");
		job.hadPlaces = job.hasPlaces();
		job.wasWaitingFor = (job.state == JobState.AVAILABLE) ? job.waitingFor : null;
		job.workflowId = row.getObject("workflow_id", UUID.class);
		job.workflowStep = row.getInt("workflow_step");
		return job;
	}

	/** Reads {@link #ALL_COLUMNS}. */
	static JobRow readAll(ResultSet row) throws SQLException {
		JobRow job = read(row);
		job.headers = row.getString("headers");
		job.envelope = row.getString("envelope");
		job.result = row.getString("result");
		return job;
	}

	/** The version that a number stands for. */
	static @Nullable JobVersion version(@Nullable Long key) {
		return (key != null) ? JobVersion.ofOrdinal(key) : null;
	}

	@Nullable JobVersion version() {
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

	/** Whether limits count it among those that run. */
	boolean hasPlaces() {
		return this.state == JobState.ACTIVE || (this.state == JobState.AVAILABLE && this.rateGranted);
	}

	/** When a lease ends that would last so long. */
	Instant limited(Instant leaseUntil) {
		return (this.timeoutAt != null && this.timeoutAt.isBefore(leaseUntil)) ? this.timeoutAt : leaseUntil;
	}

	/** Whether the lease ended because the time of the run was over. */
	boolean isTimedOut() {
		return this.timeoutAt != null && this.leaseUntil != null && !this.leaseUntil.isBefore(this.timeoutAt);
	}

	@Override
	public @Nullable Object value(String column) {
		return switch (column) {
			case "id" -> this.id;
			case "type" -> this.type;
			case "queue" -> this.queue;
			case "state" -> this.state.wireName();
			case "priority" -> this.priority;
			case "attempt" -> this.attempt;
			case "max_attempts" -> this.maxAttempts;
			case "run" -> this.run;
			case "replays" -> this.replays;
			case "size_bytes" -> this.sizeBytes;
			case "ordinal" -> this.ordinal;
			case "lease_ms" -> this.leaseMillis;
			case "held_back" -> this.heldBack;
			case "retry_delay_ms" -> this.retryDelayMillis;
			case "dead_letter_queue" -> this.deadLetterQueue;
			case "worker" -> this.worker;
			case "error_type" -> this.errorType;
			case "unique_key" -> this.uniqueKey;
			case "tenant" -> this.tenant;
			case "version_key" -> this.versionKey;
			case "rate_key" -> this.rateKey;
			case "waiting_for" -> this.waitingFor;
			case "waiting_rank" -> this.waitingRank;
			case "rate_granted" -> this.rateGranted;
			case "headers" -> this.headers;
			case "errors" -> this.errors;
			case "result" -> this.result;
			case "envelope" -> this.envelope;
			default -> time(column);
		};
	}

	private @Nullable Instant time(String column) {
		Instant time = switch (column) {
			case "created_at" -> this.createdAt;
			case "enqueued_at" -> this.enqueuedAt;
			case "scheduled_at" -> this.scheduledAt;
			case "expires_at" -> this.expiresAt;
			case "started_at" -> this.startedAt;
			case "ended_at" -> this.endedAt;
			case "due_at" -> this.dueAt;
			case "relay_at" -> this.relayAt;
			case "published_at" -> this.publishedAt;
			case "lease_until" -> this.leaseUntil;
			case "timeout_at" -> this.timeoutAt;
			case "dead_lettered_at" -> this.deadLetteredAt;
			case "prune_at" -> this.pruneAt;
			case "waiting_until" -> this.waitingUntil;
			case "held_at" -> this.heldAt;
			case "held_until" -> this.heldUntil;
			default -> throw new IllegalArgumentException("No column " + column + ".");
		};
		return (time != null) ? Times.micros(time) : null;
	}

}
