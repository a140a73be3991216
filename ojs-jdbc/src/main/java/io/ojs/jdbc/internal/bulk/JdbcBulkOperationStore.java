package io.ojs.jdbc.internal.bulk;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.ojs.internal.bulk.BulkAction;
import io.ojs.internal.bulk.BulkOperation;
import io.ojs.internal.bulk.BulkOperationStore;
import io.ojs.internal.bulk.BulkRequest;
import io.ojs.internal.bulk.BulkState;
import io.ojs.internal.engine.FeedEvent;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.log.SafeLogger;
import io.ojs.jdbc.internal.Column;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobState;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Keeps operations on many jobs in a database.
 */
public final class JdbcBulkOperationStore implements BulkOperationStore {

	private static final Logger logger = SafeLogger.of(JdbcBulkOperationStore.class);

	private static final String TABLE = "ojs_operation";

	private static final List<Column> COLUMNS = List.of(Column.uuid("id"), Column.text("action"), Column.text("state"),
			Column.text("tenant"), Column.text("asked_by"), Column.text("request"), Column.text("position"),
			Column.bigint("matched"), Column.bool("matched_all"), Column.bigint("done"), Column.bigint("failed"),
			Column.text("skipped"), Column.text("errors"), Column.text("problem"), Column.text("process"),
			Column.time("lease_until"), Column.time("created_at"), Column.time("started_at"), Column.time("ended_at"),
			Column.time("updated_at"));

	private static final List<Column> KEY = COLUMNS.subList(0, 1);

	private static final Set<String> FIXED = Set.of("id", "action", "tenant", "asked_by", "request", "created_at");

	private static final List<Column> CHANGING = COLUMNS.stream()
		.filter((column) -> !FIXED.contains(column.name()))
		.toList();

	private static final String SELECT = "select "
			+ COLUMNS.stream().map(Column::name).collect(Collectors.joining(", ")) + " from " + TABLE;

	private static final int LONGEST_CALLER = 255;

	private final StoreDatabase database;

	private final JsonText json = new JsonText();

	public JdbcBulkOperationStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void insert(BulkOperation operation) {
		this.database.write("keep an operation", () -> {
			this.database.dialect().insert(this.database.jdbc(), TABLE, COLUMNS, List.of(row(operation)));
			return true;
		});
	}

	@Override
	public Optional<BulkOperation> find(String id) {
		return JobRow.id(id)
			.flatMap((key) -> this.database
				.read("find an operation", () -> this.database.jdbc().query(SELECT + " where id = ?", this::read, key))
				.stream()
				.findFirst());
	}

	@Override
	public List<BulkOperation> list(@Nullable String tenant, Set<BulkState> states, @Nullable String before,
			int limit) {
		StringBuilder sql = new StringBuilder(SELECT + " where 1 = 1");
		List<Object> parameters = new ArrayList<>();
		if (tenant != null) {
			sql.append(" and tenant = ?");
			parameters.add(tenant);
		}
		if (!states.isEmpty()) {
			sql.append(" and state in (")
				.append(states.stream().map((state) -> "?").collect(Collectors.joining(", ")))
				.append(")");
			states.forEach((state) -> parameters.add(state.wireName()));
		}
		if (before != null) {
			sql.append(" and id < ?");
			parameters.add(UUID.fromString(before));
		}
		sql.append(" order by id desc limit ?");
		parameters.add(limit);
		return this.database.read("list operations",
				() -> this.database.jdbc().query(sql.toString(), this::read, parameters.toArray()));
	}

	@Override
	public Outcome outcome(String id, int bound) {
		Map<JobState, Long> jobs = new EnumMap<>(JobState.class);
		RowCallbackHandler add = (row) -> jobs.put(JobState.fromWire(row.getString("state")), row.getLong("jobs"));
		this.database.read("look at the jobs of an operation", () -> {
			this.database.jdbc()
				.query("select state, count(*) as jobs from (select state from ojs_job where operation_id = ? "
						+ "order by operation_id, id limit ?) j group by state", add, UUID.fromString(id), bound);
			return jobs;
		});
		return new Outcome(jobs, jobs.values().stream().mapToLong(Long::longValue).sum() < bound);
	}

	@Override
	public Optional<BulkOperation> take(String process, Instant now, Instant until) {
		return this.database.write("take an operation", () -> {
			Optional<BulkOperation> next = this.database.jdbc()
				.query(SELECT + " where ended_at is null and (lease_until <= ? or process = ?) "
						+ "order by lease_until, id limit 1 for update skip locked", this::read, Times.utc(now),
						process)
				.stream()
				.findFirst();
			return next.map((operation) -> {
				BulkOperation taken = operation.taken(process, now, until);
				save(taken);
				if (operation.startedAt() == null) {
					append("operation.started", taken);
				}
				return taken;
			});
		});
	}

	@Override
	public Optional<Instant> nextDue() {
		return this.database
			.read("look for operations",
					() -> this.database.jdbc()
						.query("select lease_until from ojs_operation where ended_at is null and process is null "
								+ "order by lease_until limit 1", (row, index) -> SqlTimes.instant(row, "lease_until")))
			.stream()
			.findFirst();
	}

	@Override
	public Optional<BulkOperation> lock(String id) {
		return JobRow.id(id)
			.flatMap((key) -> this.database
				.read("lock an operation",
						() -> this.database.jdbc().query(SELECT + " where id = ? for update", this::read, key))
				.stream()
				.findFirst());
	}

	@Override
	public void save(BulkOperation operation) {
		this.database.write("write how far an operation is", () -> {
			this.database.dialect().update(this.database.jdbc(), TABLE, KEY, CHANGING, List.of(row(operation)));
			if (operation.state().isEnd()) {
				append("operation." + operation.state().wireName(), operation);
			}
			return true;
		});
	}

	private void append(String type, BulkOperation operation) {
		BulkOperation.Progress progress = operation.progress();
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		data.put("action", operation.action().wireName());
		data.put("matched", progress.matched());
		data.put("done", progress.done());
		data.put("failed", progress.failed());
		data.put("by", operation.by());
		if (operation.tenant() != null) {
			data.put(Tenants.META_KEY, operation.tenant());
		}
		else if (operation.problem() != null) {
			// It may name parts of the database, and a tenant reads its events.
			data.put("problem", operation.problem());
		}
		this.database.events()
			.append(List.of(new FeedEvent(type, operation.updatedAt(), operation.id(), operation.request().queue(),
					operation.tenant(), data)));
	}

	@Override
	public void release(String process, Instant now) {
		this.database.write("give up operations",
				() -> this.database.jdbc()
					.update("update ojs_operation set lease_until = ? where ended_at is null and process = ?",
							Times.utc(now), process));
	}

	private Dialect.Row row(BulkOperation operation) {
		BulkOperation.Progress progress = operation.progress();
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("id", UUID.fromString(operation.id()));
		values.put("action", operation.action().wireName());
		values.put("state", operation.state().wireName());
		values.put("tenant", operation.tenant());
		values.put("asked_by", clipped(operation.by()));
		values.put("request", this.json.write(operation.request().json()));
		values.put("position", progress.position());
		values.put("matched", progress.matched());
		values.put("matched_all", progress.complete());
		values.put("done", progress.done());
		values.put("failed", progress.failed());
		values.put("skipped", this.json.write(progress.skipped()));
		values.put("errors",
				this.json.write(progress.errors()
					.stream()
					.map((error) -> Map.of("job_id", error.jobId(), "error", error.problem()))
					.toList()));
		values.put("problem", operation.problem());
		values.put("process", operation.process());
		values.put("lease_until", Times.micros(operation.leaseUntil()));
		values.put("created_at", Times.micros(operation.createdAt()));
		values.put("started_at", micros(operation.startedAt()));
		values.put("ended_at", micros(operation.endedAt()));
		values.put("updated_at", Times.micros(operation.updatedAt()));
		return values::get;
	}

	private static @Nullable String clipped(@Nullable String name) {
		return (name != null && name.length() > LONGEST_CALLER) ? name.substring(0, LONGEST_CALLER) : name;
	}

	private static @Nullable Instant micros(@Nullable Instant time) {
		return (time != null) ? Times.micros(time) : null;
	}

	private BulkOperation read(ResultSet row, int index) throws SQLException {
		Map<String, Long> skipped = new LinkedHashMap<>();
		object(row, "skipped").forEach((reason, jobs) -> skipped.put(reason, ((Number) jobs).longValue()));
		List<BulkOperation.Unchanged> errors = new ArrayList<>();
		if (this.json.read(row.getString("errors")) instanceof List<?> list) {
			list.forEach((each) -> errors.add(new BulkOperation.Unchanged((String) ((Map<?, ?>) each).get("job_id"),
					(String) ((Map<?, ?>) each).get("error"))));
		}
		return new BulkOperation(row.getObject("id", UUID.class).toString(),
				BulkAction.fromWire(row.getString("action")).orElseThrow(),
				BulkState.fromWire(row.getString("state")).orElseThrow(), request(row), row.getString("tenant"),
				row.getString("asked_by"),
				new BulkOperation.Progress(row.getString("position"), row.getLong("matched"),
						row.getBoolean("matched_all"), row.getLong("done"), row.getLong("failed"), skipped, errors),
				row.getString("problem"), row.getString("process"), SqlTimes.instant(row, "lease_until"),
				SqlTimes.instant(row, "created_at"), SqlTimes.read(row, "started_at"), SqlTimes.read(row, "ended_at"),
				SqlTimes.instant(row, "updated_at"));
	}

	/** One that cannot be read must not keep the others from being read. */
	private BulkRequest request(ResultSet row) throws SQLException {
		try {
			return BulkRequest.read(object(row, "request"));
		}
		catch (RuntimeException ex) {
			logger.warn("The request of operation {} cannot be read", row.getString("id"), ex);
			return BulkRequest.UNREADABLE;
		}
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> object(ResultSet row, String column) throws SQLException {
		return (Map<String, Object>) Objects.requireNonNull(this.json.read(row.getString(column)));
	}

}
