package io.ojs.jdbc.internal.stats;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import io.ojs.cron.CronRun;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.figures.FigureStore;
import io.ojs.internal.figures.StoreFigures;
import io.ojs.internal.figures.Troubles;
import io.ojs.internal.version.HandlerStore;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StartLimits;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Counts what waits, in a database.
 */
public final class JdbcFigureStore implements FigureStore {

	/** How many items of a list are read. */
	private static final int MOST = 50;

	private static final String UNFINISHED = "select count(*) from (select queue from ojs_job "
			+ "where ended_at is null order by queue limit ?) j";

	private static final String DEAD = "select count(*) from (select dead_letter_queue from ojs_job "
			+ "where dead_lettered_at is not null order by dead_letter_queue limit ?) j";

	private static final String OUTBOX = "select count(*) as jobs, min(relay_at) as oldest from (select relay_at "
			+ "from ojs_job where relay_at <= ? and state <> 'active' order by relay_at limit ?) j";

	/**
	 * Finds enabled crons that enqueued no job the last time, unless an earlier job had
	 * not ended, and those whose last job failed for good.
	 */
	private static final String CRONS = "select c.name, r.scheduled_at, r.reason, r.detail, j.id, j.error_type "
			+ "from ojs_cron c join ojs_cron_run r on r.cron = c.name and r.scheduled_at = (select max(l.scheduled_at) "
			+ "from ojs_cron_run l where l.cron = c.name) left join ojs_job j on j.id = r.job_id "
			+ "and j.state = 'discarded' where c.enabled and ((j.id is not null and r.outcome <> 'skipped') "
			+ "or (r.outcome = 'skipped' and r.reason <> '" + CronRun.OVERLAP_SKIP + "')) order by c.name limit "
			+ MOST;

	private static final String OPERATIONS = "select id, action, state, tenant, asked_by, "
			+ "case when matched_all then matched end as matched, done, created_at from ojs_operation where ended_at is null order by created_at limit "
			+ MOST;

	private final StoreDatabase database;

	private final int bound;

	/** How many jobs are counted if there are more than the bound: queue by queue. */
	private final int someBound;

	private final int deadBound;

	public JdbcFigureStore(StoreDatabase database) {
		this(database, BOUND, DEAD_BOUND);
	}

	/**
	 * Creates the store.
	 * @param bound how many jobs are counted
	 * @param deadBound how many dead letters are counted
	 */
	public JdbcFigureStore(StoreDatabase database, int bound, int deadBound) {
		this.database = database;
		this.bound = bound;
		this.someBound = Math.max(1, bound / 5);
		this.deadBound = deadBound;
	}

	private FigureQueries queries() {
		return (this.database.dialect() == Dialect.POSTGRESQL) ? FigureQueries.POSTGRESQL : FigureQueries.H2;
	}

	@Override
	public StoreFigures figures(Instant now) {
		return this.database.read("count jobs", () -> {
			boolean all = isWithin(UNFINISHED, this.bound);
			boolean allDead = isWithin(DEAD, this.deadBound);
			return new StoreFigures(queues(all ? this.bound + 1 : part(this.someBound, queries().queues()), all),
					deadLetters(allDead ? this.deadBound + 1 : part(this.deadBound, queries().deadQueues())),
					outbox(now), all, allDead);
		});
	}

	private boolean isWithin(String total, int limit) {
		Integer found = this.database.jdbc().queryForObject(total, Integer.class, limit + 1);
		return found == null || found <= limit;
	}

	/** Returns how many rows of each queue are counted if not all are. */
	private int part(int limit, String queues) {
		return Math.max(1, limit / Math.max(1, this.database.jdbc().queryForList(queues, String.class).size()));
	}

	private Map<String, StoreFigures.Depth> queues(int ofEach, boolean all) {
		Map<String, Map<JobState, Long>> counts = new TreeMap<>();
		Map<String, Long> blocked = new HashMap<>();
		RowCallbackHandler counting = (row) -> {
			String queue = row.getString("queue");
			Map<JobState, Long> ofQueue = counts.computeIfAbsent(queue, (name) -> new EnumMap<>(JobState.class));
			if (row.getBoolean("blocked")) {
				blocked.merge(queue, row.getLong("jobs"), Long::sum);
			}
			else {
				ofQueue.merge(JobState.fromWire(row.getString("state")), row.getLong("jobs"), Long::sum);
			}
		};
		if (all) {
			this.database.jdbc().query(FigureQueries.ALL_JOBS, counting);
		}
		else {
			this.database.jdbc().query(queries().someJobs(), counting, ofEach);
		}
		Map<String, Instant> oldest = oldest();
		Map<String, StoreFigures.Depth> queues = new TreeMap<>();
		counts.forEach((queue, states) -> {
			long waiting = blocked.getOrDefault(queue, 0L);
			long found = waiting + states.values().stream().mapToLong(Long::longValue).sum();
			queues.put(queue,
					new StoreFigures.Depth(of(states, JobState.SCHEDULED), of(states, JobState.AVAILABLE),
							of(states, JobState.PENDING), of(states, JobState.ACTIVE), of(states, JobState.RETRYABLE),
							waiting, oldest.get(queue), all || found < ofEach));
		});
		return queues;
	}

	private static long of(Map<JobState, Long> states, JobState state) {
		return states.getOrDefault(state, 0L);
	}

	private Map<String, Instant> oldest() {
		Map<String, Instant> oldest = new HashMap<>();
		this.database.jdbc().query(queries().oldest(), (row) -> {
			oldest.merge(row.getString("queue"), SqlTimes.instant(row, "enqueued_at"),
					(one, other) -> one.isBefore(other) ? one : other);
		});
		return oldest;
	}

	private Map<String, Long> deadLetters(int ofEach) {
		Map<String, Long> counts = new TreeMap<>();
		this.database.jdbc().query(queries().deadLetters(), (row) -> {
			counts.put(row.getString("queue"), row.getLong("jobs"));
		}, ofEach);
		return counts;
	}

	private StoreFigures.Outbox outbox(Instant now) {
		return Objects.requireNonNull(this.database.jdbc()
			.queryForObject(OUTBOX,
					(row, index) -> new StoreFigures.Outbox(row.getLong("jobs"), SqlTimes.read(row, "oldest")),
					Times.utc(now), this.bound));
	}

	@Override
	public Troubles troubles(Instant now, Instant deadSince, Instant waitingBefore) {
		return this.database.read("look for what needs attention", () -> new Troubles(worked(now),
				limits(waitingBefore), processes(), crons(), operations(), fresh(deadSince)));
	}

	private Set<String> worked(Instant now) {
		JsonText json = this.database.codec().json();
		Set<String> worked = new TreeSet<>(this.database.jdbc()
			.queryForList("select queue from ojs_fetched_queue where fetched_at >= ?", String.class,
					Times.utc(now.minus(FetchedQueues.FETCHED))));
		this.database.jdbc()
			.queryForList("select queues from ojs_handler where seen_at >= ?", String.class,
					Times.utc(now.minus(HandlerStore.TRUSTED)))
			.forEach((queues) -> worked.addAll(json.readObject(queues).keySet()));
		return worked;
	}

	private List<Troubles.FullLimit> limits(Instant waitingBefore) {
		return this.database.jdbc().query(queries().limits(), JdbcFigureStore::limit, Times.utc(waitingBefore), MOST);
	}

	private static Troubles.FullLimit limit(ResultSet row, int index) throws SQLException {
		String key = row.getString("blocked_by");
		String tenant = StartLimits.tenantOf(key);
		return new Troubles.FullLimit((tenant != null || StartLimits.isOfQueue(key)) ? null : key, tenant,
				row.getString("queue"), SqlTimes.instant(row, "enqueued_at"));
	}

	private List<Troubles.Process> processes() {
		return this.database.jdbc()
			.query("select process, seen_at from ojs_handler order by seen_at limit " + MOST,
					(row, index) -> new Troubles.Process(row.getString("process"), SqlTimes.instant(row, "seen_at")));
	}

	private List<Troubles.FailedCron> crons() {
		return this.database.jdbc().query(CRONS, (row, index) -> {
			UUID job = row.getObject("id", UUID.class);
			String reason = (job != null) ? row.getString("error_type") : row.getString("detail");
			return new Troubles.FailedCron(row.getString("name"), SqlTimes.instant(row, "scheduled_at"),
					(job != null) ? job.toString() : null, text(reason, row.getString("reason")));
		});
	}

	private static String text(@Nullable String reason, @Nullable String otherwise) {
		return (reason != null) ? reason : Objects.requireNonNullElse(otherwise, "unknown");
	}

	private List<Troubles.Operation> operations() {
		return this.database.jdbc()
			.query(OPERATIONS, (row, index) -> new Troubles.Operation(row.getObject("id", UUID.class).toString(),
					row.getString("action"), row.getString("state"), row.getString("tenant"), row.getString("asked_by"),
					row.getObject("matched", Long.class), row.getLong("done"), SqlTimes.instant(row, "created_at")));
	}

	private List<Troubles.Fresh> fresh(Instant since) {
		return this.database.jdbc()
			.query(queries().fresh(), (row, index) -> new Troubles.Fresh(row.getString("queue"), row.getLong("jobs"),
					SqlTimes.instant(row, "first")), Times.utc(since), FRESH_BOUND);
	}

}
