package io.ojs.jdbc.internal.cron;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.ojs.cron.CronEvent;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.OverlapPolicy;
import io.ojs.cron.internal.CronFiring;
import io.ojs.cron.internal.CronStore;
import io.ojs.internal.engine.FeedEvent;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.json.JobRequestJson;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.Column;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps crons in a database.
 */
public final class JdbcCronStore implements CronStore {

	private static final String CRON = "name, expression, zone, overlap, description, declared_enabled, enabled, "
			+ "source, created_at, next_run_at, last_run_at, last_job_id, run_count, job";

	private static final List<Column> COLUMNS = List.of(Column.text("expression"), Column.text("zone"),
			Column.text("overlap"), Column.text("description"), Column.bool("declared_enabled"), Column.bool("enabled"),
			Column.text("source"), Column.time("next_run_at"), Column.time("last_run_at"), Column.uuid("last_job_id"),
			Column.bigint("run_count"), Column.text("job"));

	private static final String RUN = "cron, scheduled_at, fired_at, outcome, job_id, reason, detail, triggered_by";

	/** Runs with what their jobs are doing. */
	private static final String LISTED = "select r.*, j.state as job_state, j.started_at as job_started_at, "
			+ "j.ended_at as job_ended_at from (%s) r "
			+ "left join ojs_job j on j.id = r.job_id%s order by r.cron, r.scheduled_at desc";

	private static final String LAST = LISTED
		.formatted("select %s from ojs_cron_run where cron = ? order by scheduled_at desc limit ?".formatted(RUN), "");

	private static final String LAST_OF_EACH = LISTED
		.formatted(("select %s, row_number() over (partition by cron order by scheduled_at desc) as place "
				+ "from ojs_cron_run where cron = any(?)")
			.formatted(RUN), " where r.place <= ?");

	private static final String UPDATE = """
			update ojs_cron set expression = ?, zone = ?, overlap = ?, description = ?, declared_enabled = ?,
			  enabled = ?, source = ?, next_run_at = ?, last_run_at = ?, last_job_id = ?, run_count = ?, job = ?
			where name = ?""";

	private static final String UNFINISHED = """
			select r.job_id from ojs_cron_run r join ojs_job j on j.id = r.job_id
			where r.cron = ? and r.outcome in ('triggered', 'waiting') and j.ended_at is null
			order by r.scheduled_at""";

	/**
	 * Finds a cron with a run that waits, and without an unfinished job of a run before
	 * it. Other runs that wait do not matter: the oldest goes first.
	 */
	private static final String RELEASABLE = """
			select name from ojs_cron c
			where exists (select 1 from ojs_cron_run w where w.cron = c.name and w.outcome = 'waiting')
			  and not exists (select 1 from ojs_cron_run r join ojs_job j on j.id = r.job_id
			    where r.cron = c.name and r.outcome = 'triggered' and j.ended_at is null)
			order by name limit 1 for update skip locked""";

	private static final String TRIM = """
			delete from ojs_cron_run where cron = ? and outcome <> 'waiting' and scheduled_at <
			  (select min(k.scheduled_at) from
			    (select scheduled_at from ojs_cron_run where cron = ? order by scheduled_at desc limit ?) k)""";

	/**
	 * Keeps runs with unfinished jobs, for crons whose runs do not overlap: the next
	 * firing has to know these jobs.
	 */
	private static final String ENDED_ONLY = """
			and (outcome <> 'triggered' or not exists
			 (select 1 from ojs_job j where j.id = ojs_cron_run.job_id and j.ended_at is null))""";

	private final StoreDatabase database;

	private final JsonText json = new JsonText();

	private final JsonValues values = new JsonValues(JsonMapper.shared());

	public JdbcCronStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public Optional<CronJob> find(String name) {
		return this.database.read("find a cron", () -> select("where name = ?", name).stream().findFirst());
	}

	@Override
	public List<CronJob> list() {
		return this.database.read("list crons", () -> select("order by name"));
	}

	@Override
	public Optional<CronJob> lock(String name) {
		return this.database.read("lock a cron", () -> select("where name = ? for update", name).stream().findFirst());
	}

	@Override
	public Optional<CronJob> takeDue(Instant now, Set<String> except) {
		List<Object> parameters = new ArrayList<>(List.of(Times.utc(now)));
		parameters.addAll(except);
		return this.database.read("look for crons that are due",
				() -> select("where next_run_at <= ?" + others(except)
						+ " order by next_run_at, name limit 1 for update skip locked", parameters.toArray())
					.stream()
					.findFirst());
	}

	private static String others(Set<String> except) {
		return except.isEmpty() ? ""
				: " and name not in (%s)".formatted(String.join(", ", except.stream().map((name) -> "?").toList()));
	}

	@Override
	public boolean insert(CronJob cron) {
		List<Column> columns = new ArrayList<>(COLUMNS);
		columns.add(Column.text("name"));
		columns.add(Column.time("created_at"));
		return this.database.read("keep a cron",
				() -> this.database.dialect().insertIfAbsent(this.database.jdbc(), "ojs_cron", columns, row(cron)));
	}

	@Override
	public void update(CronJob cron) {
		Dialect.Row row = row(cron);
		List<@Nullable Object> parameters = new ArrayList<>();
		COLUMNS.forEach((column) -> parameters.add(SqlTimes.parameter(row.value(column.name()))));
		parameters.add(cron.name());
		this.database.read("change a cron", () -> this.database.jdbc().update(UPDATE, parameters.toArray()));
	}

	@Override
	public void delete(String name) {
		this.database.read("delete a cron",
				() -> this.database.jdbc().update("delete from ojs_cron where name = ?", name)
						+ this.database.jdbc().update("delete from ojs_cron_run where cron = ?", name));
	}

	@Override
	public List<String> unfinished(String name) {
		return this.database
			.read("look for jobs of a cron", () -> this.database.jdbc().queryForList(UNFINISHED, UUID.class, name))
			.stream()
			.map(UUID::toString)
			.toList();
	}

	@Override
	public void record(CronJob cron, CronRun run) {
		this.database.read("note a run of a cron", () -> {
			this.database.jdbc()
				.update("insert into ojs_cron_run (%s) values (?, ?, ?, ?, ?, ?, ?, ?)".formatted(RUN), run.cron(),
						Times.utc(run.scheduledAt()), Times.utc(run.firedAt()), run.outcome().wireName(),
						id(run.jobId()), run.reason(), run.detail(),
						CronFiring.isScheduled(run.scheduledAt()) ? null : this.database.options().actor().get());
			this.database.events().append(List.of(event(cron, run)));
			boolean overlapping = cron.request().overlap() == OverlapPolicy.ALLOW;
			return this.database.jdbc().update(overlapping ? TRIM : TRIM + ENDED_ONLY, run.cron(), run.cron(), RUNS);
		});
	}

	@Override
	public Optional<CronRun> takeReleasable() {
		return this.database.read("look for runs that wait",
				() -> this.database.jdbc()
					.queryForList(RELEASABLE, String.class)
					.stream()
					.findFirst()
					// The cron is locked now. Another process may have released a run
					// before.
					.filter((name) -> this.database.jdbc()
						.queryForList("select 1 from ojs_cron_run r join ojs_job j on j.id = r.job_id where r.cron = ? "
								+ "and r.outcome = 'triggered' and j.ended_at is null", name)
						.isEmpty())
					.flatMap((name) -> waiting(name).stream().findFirst()));
	}

	@Override
	public List<CronRun> waiting(String name) {
		return this.database.read("look for runs that wait",
				() -> this.database.jdbc()
					.query("select %s from ojs_cron_run where cron = ? and outcome = 'waiting' order by scheduled_at"
						.formatted(RUN), (row, index) -> run(row), name));
	}

	@Override
	public void released(CronRun run) {
		this.database.read("note that a run waits no longer",
				() -> this.database.jdbc()
					.update("update ojs_cron_run set outcome = 'triggered' where cron = ? and scheduled_at = ?",
							run.cron(), Times.utc(run.scheduledAt())));
	}

	@Override
	public List<CronRun> runs(String name, int limit) {
		return this.database.read("list runs of a cron",
				() -> this.database.jdbc().query(LAST, (row, index) -> listed(row), name, limit));
	}

	@Override
	public Map<String, List<CronRun>> runs(Collection<String> names, int limit) {
		Map<String, List<CronRun>> runs = new LinkedHashMap<>();
		this.database.read("list runs of crons", () -> {
			this.database.jdbc().query(LAST_OF_EACH, (statement) -> {
				statement.setArray(1, statement.getConnection().createArrayOf("varchar", names.toArray()));
				statement.setInt(2, limit);
			}, (row) -> {
				CronRun run = listed(row);
				runs.computeIfAbsent(run.cron(), (name) -> new ArrayList<>()).add(run);
			});
			return runs;
		});
		return runs;
	}

	@Override
	public Optional<Instant> nextAt(Set<String> except) {
		return this.database.read("look for the next cron", () -> this.database.jdbc()
			.query("select next_run_at from ojs_cron where next_run_at is not null%s order by next_run_at limit 1"
				.formatted(others(except)), (row, index) -> SqlTimes.instant(row, "next_run_at"), except.toArray())
			.stream()
			.findFirst());
	}

	@Override
	public boolean hasWaiting() {
		return this.database.read("look for runs that wait",
				() -> !this.database.jdbc()
					.queryForList("select 1 from ojs_cron_run where outcome = 'waiting' limit 1")
					.isEmpty());
	}

	private List<CronJob> select(String rest, Object... parameters) {
		return this.database.jdbc()
			.query("select %s from ojs_cron %s".formatted(CRON, rest), (row, index) -> cron(row), parameters);
	}

	private CronJob cron(ResultSet row) throws SQLException {
		// The time from which relative times count does not matter: the job of a cron
		// must not name any.
		JobRequest job = JobRequestJson.read(this.json.readObject(row.getString("job")), Instant.EPOCH);
		CronRequest request = new CronRequest(row.getString("name"), row.getString("expression"), row.getString("zone"),
				job, OverlapPolicy.fromWire(row.getString("overlap")), row.getBoolean("declared_enabled"),
				row.getString("description"));
		UUID lastJob = row.getObject("last_job_id", UUID.class);
		return new CronJob(request, row.getBoolean("enabled"), row.getString("source"),
				SqlTimes.instant(row, "created_at"), SqlTimes.read(row, "next_run_at"),
				SqlTimes.read(row, "last_run_at"), (lastJob != null) ? lastJob.toString() : null,
				row.getLong("run_count"));
	}

	private static CronRun listed(ResultSet row) throws SQLException {
		CronRun run = run(row);
		String state = row.getString("job_state");
		return new CronRun(run.cron(), run.scheduledAt(), run.firedAt(), run.outcome(), run.jobId(), run.reason(),
				run.detail(), row.getString("triggered_by"), (state != null) ? JobState.fromWire(state) : null,
				SqlTimes.read(row, "job_started_at"), SqlTimes.read(row, "job_ended_at"));
	}

	private static CronRun run(ResultSet row) throws SQLException {
		UUID job = row.getObject("job_id", UUID.class);
		return new CronRun(row.getString("cron"), SqlTimes.instant(row, "scheduled_at"),
				SqlTimes.instant(row, "fired_at"), CronRun.Outcome.fromWire(row.getString("outcome")),
				(job != null) ? job.toString() : null, row.getString("reason"), row.getString("detail"));
	}

	private Dialect.Row row(CronJob cron) {
		CronRequest request = cron.request();
		return (column) -> switch (column) {
			case "name" -> request.name();
			case "expression" -> request.expression();
			case "zone" -> request.zone();
			case "overlap" -> request.overlap().wireName();
			case "description" -> request.description();
			case "declared_enabled" -> request.enabled();
			case "enabled" -> cron.enabled();
			case "source" -> cron.source();
			case "created_at" -> Times.micros(cron.createdAt());
			case "next_run_at" -> micros(cron.nextRunAt());
			case "last_run_at" -> micros(cron.lastRunAt());
			case "last_job_id" -> id(cron.lastJobId());
			case "run_count" -> cron.runCount();
			case "job" -> this.json.write(JobRequestJson.write(request.job(), this.values));
			default -> throw new IllegalArgumentException("No column " + column + ".");
		};
	}

	private static @Nullable Instant micros(@Nullable Instant time) {
		return (time != null) ? Times.micros(time) : null;
	}

	private static @Nullable UUID id(@Nullable String jobId) {
		return (jobId != null) ? UUID.fromString(jobId) : null;
	}

	@Override
	public void changed(CronJob cron, Change change) {
		Map<String, @Nullable Object> data = data(cron);
		String by = this.database.options().actor().get();
		if (by != null) {
			data.put("by", by);
		}
		this.database.read("tell of a change of a cron", () -> {
			this.database.events()
				.append(List.of(event(cron, change.wireName(), this.database.options().clock().instant(), data)));
			return cron;
		});
	}

	private static FeedEvent event(CronJob cron, String type, Instant at, Map<String, @Nullable Object> data) {
		String queue = cron.request().job().queue();
		return new FeedEvent(type, at, cron.name(), (queue != null) ? queue : JobRules.DEFAULT_QUEUE, null, data);
	}

	private static Map<String, @Nullable Object> data(CronJob cron) {
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		data.put("cron_name", cron.name());
		data.put("cron_expr", cron.request().expression());
		data.put("timezone", cron.request().zone());
		data.put("job_type", cron.request().job().type());
		return data;
	}

	private static FeedEvent event(CronJob cron, CronRun run) {
		Map<String, @Nullable Object> data = data(cron);
		data.put("scheduled_at", Rfc3339.format(run.scheduledAt()));
		data.put("actual_time", Rfc3339.format(run.firedAt()));
		if (run.outcome() == CronRun.Outcome.SKIPPED) {
			data.put("reason", run.reason());
			data.put("existing_job_id", run.jobId());
		}
		else {
			data.put("job_id", run.jobId());
			data.put("run_count", cron.runCount());
		}
		return event(cron, CronEvent.of(cron, run).name(), run.firedAt(), data);
	}

}
