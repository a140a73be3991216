package io.ojs.jdbc.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Times;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A column of {@code ojs_job}: its name and type, how it is read into a {@link JobRow},
 * and which value of the row is written to it. The columns before {@link #HEADERS} are
 * those of {@link #NAMES}, in this order.
 */
public enum JobColumn {

	ID(Column.uuid("id"), null, (row) -> row.id),

	TYPE(Column.text("type"), (row, set, at) -> row.type = set.getString(at), (row) -> row.type),

	QUEUE(Column.text("queue"), (row, set, at) -> row.queue = set.getString(at), (row) -> row.queue),

	STATE(Column.text("state"), (row, set, at) -> row.state = JobState.fromWire(set.getString(at)),
			(row) -> row.state.wireName()),

	PRIORITY(Column.integer("priority"), (row, set, at) -> row.priority = set.getInt(at), (row) -> row.priority),

	ATTEMPT(Column.integer("attempt"), (row, set, at) -> row.attempt = set.getInt(at), (row) -> row.attempt),

	MAX_ATTEMPTS(Column.integer("max_attempts"), (row, set, at) -> row.maxAttempts = set.getInt(at),
			(row) -> row.maxAttempts),

	RUN(Column.bigint("run"), (row, set, at) -> row.run = set.getLong(at), (row) -> row.run),

	REPLAYS(Column.integer("replays"), (row, set, at) -> row.replays = set.getInt(at), (row) -> row.replays),

	CREATED_AT(Column.time("created_at"), (row, set, at) -> row.createdAt = required(set, at), (row) -> row.createdAt),

	ENQUEUED_AT(Column.time("enqueued_at"), (row, set, at) -> row.enqueuedAt = required(set, at),
			(row) -> row.enqueuedAt),

	SCHEDULED_AT(Column.time("scheduled_at"), (row, set, at) -> row.scheduledAt = SqlTimes.read(set, at),
			(row) -> row.scheduledAt),

	EXPIRES_AT(Column.time("expires_at"), (row, set, at) -> row.expiresAt = SqlTimes.read(set, at),
			(row) -> row.expiresAt),

	STARTED_AT(Column.time("started_at"), (row, set, at) -> row.startedAt = SqlTimes.read(set, at),
			(row) -> row.startedAt),

	ENDED_AT(Column.time("ended_at"), (row, set, at) -> row.endedAt = SqlTimes.read(set, at), (row) -> row.endedAt),

	DUE_AT(Column.time("due_at"), (row, set, at) -> row.dueAt = SqlTimes.read(set, at), (row) -> row.dueAt),

	RELAY_AT(Column.time("relay_at"), (row, set, at) -> row.relayAt = SqlTimes.read(set, at), (row) -> row.relayAt),

	PUBLISHED_AT(Column.time("published_at"), (row, set, at) -> row.publishedAt = SqlTimes.read(set, at),
			(row) -> row.publishedAt),

	LEASE_UNTIL(Column.time("lease_until"), (row, set, at) -> row.leaseUntil = SqlTimes.read(set, at),
			(row) -> row.leaseUntil),

	TIMEOUT_AT(Column.time("timeout_at"), (row, set, at) -> row.timeoutAt = SqlTimes.read(set, at),
			(row) -> row.timeoutAt),

	LEASE_MS(Column.bigint("lease_ms"), (row, set, at) -> row.leaseMillis = set.getObject(at, Long.class),
			(row) -> row.leaseMillis),

	RETRY_DELAY_MS(Column.bigint("retry_delay_ms"),
			(row, set, at) -> row.retryDelayMillis = set.getObject(at, Long.class), (row) -> row.retryDelayMillis),

	DEAD_LETTERED_AT(Column.time("dead_lettered_at"), (row, set, at) -> row.deadLetteredAt = SqlTimes.read(set, at),
			(row) -> row.deadLetteredAt),

	DEAD_LETTER_QUEUE(Column.text("dead_letter_queue"), (row, set, at) -> row.deadLetterQueue = set.getString(at),
			(row) -> row.deadLetterQueue),

	PRUNE_AT(Column.time("prune_at"), (row, set, at) -> row.pruneAt = SqlTimes.read(set, at), (row) -> row.pruneAt),

	WORKER(Column.text("worker"), (row, set, at) -> row.worker = set.getString(at), (row) -> row.worker),

	ERROR_TYPE(Column.text("error_type"), (row, set, at) -> row.errorType = set.getString(at), (row) -> row.errorType),

	UNIQUE_KEY(Column.text("unique_key"), (row, set, at) -> row.uniqueKey = set.getString(at), (row) -> row.uniqueKey),

	RATE_KEY(Column.text("rate_key"), (row, set, at) -> row.rateKey = set.getString(at), (row) -> row.rateKey),

	BLOCKED_BY(Column.text("blocked_by"), (row, set, at) -> row.blockedBy = set.getString(at), (row) -> row.blockedBy),

	BLOCKED_UNTIL(Column.time("blocked_until"), (row, set, at) -> row.blockedUntil = SqlTimes.read(set, at),
			(row) -> row.blockedUntil),

	BLOCKED_RANK(Column.integer("blocked_rank"), (row, set, at) -> row.blockedRank = set.getInt(at),
			(row) -> row.blockedRank),

	HAS_PLACES(Column.bool("has_places"), (row, set, at) -> row.hasPlaces = set.getBoolean(at), (row) -> row.hasPlaces),

	TENANT(Column.text("tenant"), (row, set, at) -> row.tenant = set.getString(at), (row) -> row.tenant),

	AWAITS_TURN(Column.bool("awaits_turn"), (row, set, at) -> row.awaitsTurn = set.getObject(at, Boolean.class),
			(row) -> row.awaitsTurn),

	WORKFLOW_ID(Column.uuid("workflow_id"), (row, set, at) -> row.workflowId = set.getObject(at, UUID.class),
			(row) -> row.workflowId),

	WORKFLOW_STEP(Column.integer("workflow_step"), (row, set, at) -> row.workflowStep = set.getInt(at),
			(row) -> row.workflowStep),

	VERSION_KEY(Column.bigint("version_key"), (row, set, at) -> row.versionKey = set.getObject(at, Long.class),
			(row) -> row.versionKey),

	WORKER_WAIT_SINCE(Column.time("worker_wait_since"), (row, set, at) -> row.workerWaitSince = SqlTimes.read(set, at),
			(row) -> row.workerWaitSince),

	WORKER_WAIT_UNTIL(Column.time("worker_wait_until"), (row, set, at) -> row.workerWaitUntil = SqlTimes.read(set, at),
			(row) -> row.workerWaitUntil),

	ERRORS(Column.text("errors"), (row, set, at) -> row.errors = set.getString(at), (row) -> row.errors),

	// These columns may be large. They are read only on request.

	HEADERS(Column.text("headers"), (row, set, at) -> row.headers = set.getString(at), (row) -> row.headers),

	ENVELOPE(Column.text("envelope"), (row, set, at) -> row.envelope = set.getString(at), (row) -> row.envelope),

	RESULT(Column.text("result"), (row, set, at) -> row.result = set.getString(at), (row) -> row.result),

	REPLAY_TIMES(Column.text("replay_times"), (row, set, at) -> row.replayTimes = set.getString(at),
			(row) -> row.replayTimes),

	// These columns are only written.

	ERROR_HASH(Column.text("error_hash"), null, (row) -> row.errorHash),

	OPERATION_ID(Column.uuid("operation_id"), null, (row) -> row.operationId),

	SIZE_BYTES(Column.integer("size_bytes"), null, (row) -> row.sizeBytes),

	ORDINAL(Column.bigint("ordinal"), null, (row) -> row.ordinal),

	/** The terminal state of a job that has ended; otherwise empty. */
	ENDED_AS(Column.text("ended_as"), null, (row) -> row.state.isTerminal() ? row.state.wireName() : ""),

	/**
	 * Whether the job is in the indexes of workers that fetch. {@link #START} does not
	 * write it, so a running job may stay there: the queries of these workers also check
	 * the state.
	 */
	FETCHABLE(Column.bool("fetchable"), null, (row) -> row.state == JobState.AVAILABLE);

	private static final List<JobColumn> ALWAYS = Arrays.asList(values()).subList(0, HEADERS.ordinal());

	private static final List<JobColumn> ALL = Arrays.asList(values()).subList(0, ERROR_HASH.ordinal());

	private static final List<JobColumn> MORE = List.of(ID, MAX_ATTEMPTS, REPLAYS, CREATED_AT, ENQUEUED_AT, WORKFLOW_ID,
			HEADERS, ENVELOPE);

	private static final Map<String, JobColumn> BY_NAME = Arrays.stream(values())
		.collect(Collectors.toUnmodifiableMap((each) -> each.column.name(), Function.identity()));

	static {
		if (ALL.stream().anyMatch((each) -> each.reader == null && each != ID)) {
			throw new IllegalStateException("A column that is read needs a reader: " + ALL);
		}
	}

	/**
	 * Names of the columns that a query reads unless it needs all, separated by commas.
	 */
	public static final String NAMES = names(ALWAYS);

	/** Names of all columns that can be read, separated by commas. */
	public static final String ALL_NAMES = names(ALL);

	/** Names of the columns that {@link PlainStart} reads back when a job begins. */
	public static final String MORE_NAMES = names(MORE);

	/** The key of the table. */
	public static final List<Column> KEY = columns(ID);

	/** The columns that any transition may change. */
	public static final List<Column> PROGRESS = columns(STATE, ATTEMPT, RUN, REPLAYS, ENQUEUED_AT, STARTED_AT, ENDED_AT,
			DUE_AT, RELAY_AT, LEASE_UNTIL, DEAD_LETTERED_AT, DEAD_LETTER_QUEUE, PRUNE_AT, WORKER, TIMEOUT_AT, LEASE_MS,
			AWAITS_TURN, BLOCKED_BY, BLOCKED_UNTIL, BLOCKED_RANK, HAS_PLACES, FETCHABLE, ENDED_AS);

	/** The columns that the end of an attempt may change. */
	public static final List<Column> ENDS = Sql.concat(PROGRESS, columns(ERROR_TYPE, ERRORS, RESULT, RETRY_DELAY_MS));

	/** The columns that a failure may change. */
	public static final List<Column> FAILURE = Sql.concat(ENDS, columns(ERROR_HASH));

	/**
	 * The columns that change when a job begins and nothing else happens to it.
	 * PostgreSQL has an index on none of them except {@code due_at}, and an available job
	 * has no {@code due_at}.
	 */
	public static final List<Column> START = columns(STATE, ATTEMPT, RUN, STARTED_AT, DUE_AT, LEASE_UNTIL, WORKER);

	/**
	 * The columns of {@link #START}, and those that change if {@code relay_at} is missing
	 * or later than the end of the lease.
	 */
	public static final List<Column> START_AND_LOOK = Sql.concat(START, columns(RELAY_AT, FETCHABLE));

	/** The columns that change when a job succeeds. */
	public static final List<Column> SUCCESS = columns(STATE, ENDED_AT, DUE_AT, RELAY_AT, PRUNE_AT, LEASE_UNTIL, WORKER,
			TIMEOUT_AT, LEASE_MS, RESULT, FETCHABLE, ENDED_AS);

	/** The columns with the content of the job, which rarely changes. */
	public static final List<Column> CONTENT = columns(TYPE, QUEUE, PRIORITY, MAX_ATTEMPTS, SIZE_BYTES, SCHEDULED_AT,
			EXPIRES_AT, TENANT, RATE_KEY, VERSION_KEY, HEADERS, ENVELOPE);

	/**
	 * The columns that a replay changes: those of all transitions, when it was and which
	 * operation did it, and those of the job that an operator can override.
	 */
	public static final List<Column> REPLAY = Sql.concat(PROGRESS,
			columns(QUEUE, PRIORITY, MAX_ATTEMPTS, SIZE_BYTES, ENVELOPE, REPLAY_TIMES, OPERATION_ID));

	/** The columns that a limit changes. */
	public static final List<Column> BLOCKED = columns(BLOCKED_BY, BLOCKED_UNTIL, BLOCKED_RANK, HAS_PLACES, RELAY_AT,
			ENQUEUED_AT);

	/**
	 * The columns that change when a job begins or stops waiting for a worker of its
	 * version.
	 */
	public static final List<Column> WORKER_WAIT = columns(WORKER_WAIT_SINCE, WORKER_WAIT_UNTIL);

	/** The columns that are written for a new job. */
	public static final List<Column> EVERY = Stream
		.of(KEY, ENDS, CONTENT, columns(CREATED_AT, PUBLISHED_AT, UNIQUE_KEY, ORDINAL))
		.flatMap(List::stream)
		.toList();

	private final Column column;

	private final @Nullable Reader reader;

	private final Function<JobRow, @Nullable Object> value;

	JobColumn(Column column, @Nullable Reader reader, Function<JobRow, @Nullable Object> value) {
		this.column = column;
		this.reader = reader;
		this.value = value;
	}

	private static List<Column> columns(JobColumn... columns) {
		return Arrays.stream(columns).map((each) -> each.column).toList();
	}

	private static String names(List<JobColumn> columns) {
		return columns.stream().map((each) -> each.column.name()).collect(Collectors.joining(", "));
	}

	/** Returns the columns that a change writes. */
	public static List<Column> of(JobRow.Change change) {
		return switch (change) {
			case START -> START;
			case START_AND_LOOK -> START_AND_LOOK;
			case SUCCESS -> SUCCESS;
			case PROGRESS -> PROGRESS;
			case ENDS -> ENDS;
			case FAILURE -> FAILURE;
		};
	}

	/** Returns the values of a row, by the names of columns. */
	public static Dialect.Row values(JobRow row) {
		return (name) -> value(row, name);
	}

	/**
	 * Returns the value of a row that is written to a column.
	 * @return the value; points in time in microseconds
	 * @throws IllegalArgumentException if there is no such column
	 */
	public static @Nullable Object value(JobRow row, String name) {
		JobColumn column = BY_NAME.get(name);
		if (column == null) {
			throw new IllegalArgumentException("No column " + name + ".");
		}
		Object value = column.value.apply(row);
		return (value instanceof Instant time) ? Times.micros(time) : value;
	}

	/** Reads a row whose first columns are {@link #NAMES}. */
	public static JobRow read(ResultSet set) throws SQLException {
		return read(set, ALWAYS);
	}

	/** Reads a row whose first columns are {@link #ALL_NAMES}. */
	public static JobRow readAll(ResultSet set) throws SQLException {
		return read(set, ALL);
	}

	private static JobRow read(ResultSet set, List<JobColumn> columns) throws SQLException {
		JobRow row = new JobRow(set.getObject(1, UUID.class));
		read(row, set, columns);
		row.noteLimits();
		return row;
	}

	/** Reads the columns of {@link #MORE_NAMES}, without the id, into a row. */
	public static void readMore(JobRow row, ResultSet set) throws SQLException {
		read(row, set, MORE);
	}

	private static void read(JobRow row, ResultSet set, List<JobColumn> columns) throws SQLException {
		for (int i = 1; i < columns.size(); i++) {
			Reader reader = columns.get(i).reader;
			if (reader != null) {
				reader.read(row, set, i + 1);
			}
		}
	}

	private static Instant required(ResultSet set, int at) throws SQLException {
		return Objects.requireNonNull(SqlTimes.read(set, at));
	}

	/**
	 * Reads a column into a row.
	 */
	@FunctionalInterface
	private interface Reader {

		void read(JobRow row, ResultSet set, int at) throws SQLException;

	}

}
