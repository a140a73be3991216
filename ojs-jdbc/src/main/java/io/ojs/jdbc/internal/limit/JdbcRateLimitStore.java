package io.ojs.jdbc.internal.limit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.rate.LimitedJobs;
import io.ojs.internal.rate.LimitedJobs.LimitedJob;
import io.ojs.internal.rate.RateLimitStatus;
import io.ojs.internal.rate.RateLimitStore;
import io.ojs.internal.rate.RateMeter;
import io.ojs.internal.worker.RunTerms;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StartLimits;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps rate limits in a database.
 */
public final class JdbcRateLimitStore implements RateLimitStore {

	/** How long a key is kept after its counts have ended. */
	private static final Duration FORGOTTEN = Duration.ofDays(1);

	/** How long a job that did not take its place is behind all others. */
	private static final Duration BEHIND = Duration.ofMinutes(5);

	private static final int PAGE = 500;

	private static final String RUNS = "relay_at <= ? and state = 'active'";

	private static final String IS_LET_THROUGH = "has_places and state <> 'active'";

	private static final String HAS_PLACE = "has_places and ended_at is null";

	private static final String OF_QUEUE = "(select count(*) from ojs_job where queue = substring(l.rate_key from "
			+ (StartLimits.QUEUE.length() + 1) + ") and ";

	/**
	 * Jobs have no places under the limit of their queue, which counts starts alone. The
	 * {@code relay_at} of a running job is no later than the end of its lease, and a job
	 * that waits for a limit has none: its index finds the running ones among many that
	 * wait.
	 */
	private static final String STATUS = "select l.rate_key, l.policy, l.meter, case when l.rate_key like '"
			+ StartLimits.QUEUE + "%' then " + OF_QUEUE + RUNS + ") + " + OF_QUEUE + IS_LET_THROUGH
			+ ") else (select count(*) from ojs_job where rate_key = l.rate_key and " + HAS_PLACE + ") end "
			+ "as running, ";

	/** The order has the index read, whatever is known of the number. */
	private static final String WAITING = "(select count(*) from (select 1 from ojs_job where blocked_by = l.rate_key"
			+ WaitingPlace.IN_TURN + "limit " + RateLimitStatus.MAX_WAITING + ") w)";

	/** H2 cannot name the key in a table of a subquery. */
	private static final String WAITING_IN_ALL = "least((select count(*) from ojs_job where blocked_by = l.rate_key), "
			+ RateLimitStatus.MAX_WAITING + ")";

	/** No more jobs with places are read to find those that began first. */
	private static final int MOST_RUNNING = 1_000;

	private static final String PLACE = "(select id, type, tenant, case when state = 'active' and started_at is not null "
			+ "then started_at else enqueued_at end as since from ojs_job where %s limit " + MOST_RUNNING + ")";

	private static final String IN_TIME = " order by since, id limit ?";

	private static final String RUNNING_JOBS = "select * from " + PLACE.formatted("rate_key = ? and " + HAS_PLACE)
			+ " p" + IN_TIME;

	private static final String RUNNING_JOBS_OF_QUEUE = "select * from (" + PLACE.formatted("queue = ? and " + RUNS)
			+ " union all " + PLACE.formatted("queue = ? and " + IS_LET_THROUGH) + ") p" + IN_TIME;

	private static final String WAITING_JOBS = "select id, type, tenant, enqueued_at as since from ojs_job "
			+ "where blocked_by = ?" + WaitingPlace.IN_TURN + "limit ?";

	private static final String STATUS_OF = " as waiting from ojs_rate_limit l where l.rate_key not like '"
			+ StartLimits.TENANT + "%' ";

	private static final String TIMED = "blocked_by is not null and blocked_until is not null";

	/** Goes from one key to the next, without reading all jobs that wait for each. */
	private static final String SKIPPING = "with recursive line (blocked_by) as "
			+ "((select blocked_by from ojs_job where %1$s order by blocked_by limit 1) union all "
			+ "select n.blocked_by from line l cross join lateral (select blocked_by from ojs_job where %1$s "
			+ "and blocked_by > l.blocked_by order by blocked_by limit 1) n) ";

	private static final String DISTINCT = "with line as (select distinct blocked_by from ojs_job where %1$s) ";

	/**
	 * Reads when to ask for the first job in the line of each key. No job passes it, so
	 * the query need not look at the others.
	 */
	private static final String FIRST = "select * from (select k.blocked_by, (select j.blocked_until from ojs_job j "
			+ "where j.blocked_by = k.blocked_by" + RateLimits.NOT_PAUSED + WaitingPlace.IN_TURN
			+ "limit 1) as blocked_until from line k) f where blocked_until is not null order by blocked_until";

	private static final String UNUSED = "select rate_key from ojs_rate_limit l where (counts_until < ? "
			+ "or (counts_until is null and not exists (select 1 from ojs_job where rate_key = l.rate_key "
			+ "and ended_at is null))) and not exists (select 1 from ojs_job where blocked_by = l.rate_key) limit 1000 "
			+ "for update skip locked";

	private static final String LAST = "select id from ojs_job where blocked_by is not null and blocked_rank = "
			+ JobRow.LAST + " and enqueued_at < ? order by id limit 1000 for update skip locked";

	/** Finds the first job in the line of each key, if it has no time at which to ask. */
	private static final String SILENT = "select id from (select (select case when j.blocked_until is null then j.id end "
			+ "from ojs_job j where j.blocked_by = k.blocked_by" + RateLimits.NOT_PAUSED + WaitingPlace.IN_TURN
			+ "limit 1) as id from line k) f where id is not null";

	private static final String WAITED_FOR = "blocked_by is not null";

	/**
	 * Finds jobs that were let through and do not start while others wait: their queue is
	 * paused, or no worker runs its jobs.
	 */
	private static final String IDLE = "select " + JobColumn.ALL_NAMES + " from ojs_job j where has_places "
			+ "and blocked_until is not null and (blocked_until < ? "
			+ "or queue in (select name from ojs_queue where state = 'paused')) "
			+ "and exists (select 1 from ojs_job w where w.blocked_by in (j.rate_key, '" + StartLimits.TENANT
			+ "' || j.tenant, '" + StartLimits.QUEUE + "' || j.queue)) order by id limit 100 for update skip locked";

	private final StoreDatabase database;

	public JdbcRateLimitStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public int release(Instant now) {
		List<String> due = this.database.read("look for jobs that wait for a limit",
				() -> first().stream().filter((first) -> !first.until().isAfter(now)).map(First::key).toList());
		return release(due, now);
	}

	private List<First> first() {
		return this.database.jdbc()
			.query(lines(TIMED) + FIRST,
					(row, index) -> new First(row.getString("blocked_by"), SqlTimes.instant(row, "blocked_until")));
	}

	private String lines(String which) {
		return ((this.database.dialect() == Dialect.POSTGRESQL) ? SKIPPING : DISTINCT).formatted(which);
	}

	@Override
	public int releaseAll(Instant now) {
		passOn(now);
		inOrderAgain(now);
		int released = release(now) + release(missed(), now);
		forget(now);
		return released;
	}

	/**
	 * Deletes unused keys. Leaves out locked keys: the transactions that have locked them
	 * ask for them.
	 */
	private void forget(Instant now) {
		this.database.write("forget limits", () -> {
			List<String> keys = this.database.jdbc()
				.queryForList(UNUSED, String.class, Times.utc(now.minus(FORGOTTEN)));
			if (!keys.isEmpty()) {
				this.database.jdbc().update("delete from ojs_rate_limit where rate_key = any(?)", Dialect.texts(keys));
			}
			return keys;
		});
	}

	/**
	 * Finds keys whose first job may start, but has no time at which to ask: the store
	 * did not notice that it became the first, or that another job gave up its place.
	 */
	private List<String> missed() {
		return this.database.read("look for jobs that wait for a limit", () -> {
			List<UUID> silent = this.database.jdbc().queryForList(lines(WAITED_FOR) + SILENT, UUID.class);
			List<String> missed = new ArrayList<>();
			for (int i = 0; i < silent.size(); i += PAGE) {
				missed.addAll(missed(silent.subList(i, Math.min(silent.size(), i + PAGE))));
			}
			return missed;
		});
	}

	/**
	 * Asks only the limits that the jobs wait for: the release asks their other limits.
	 */
	private List<String> missed(List<UUID> heads) {
		JobLimits limits = new JobLimits(this.database);
		Map<String, KeyedLimit> asked = new LinkedHashMap<>();
		List<String> missed = new ArrayList<>();
		for (JobRow row : this.database.jobs().read(heads).values()) {
			String key = row.blockedBy;
			if (key != null) {
				limits.of(row, this.database.codec().stored(row).job())
					.stream()
					.filter((limit) -> limit.key().equals(key))
					.findFirst()
					// The job no longer has this limit, so it need not wait.
					.ifPresentOrElse((limit) -> asked.put(key, limit), () -> missed.add(key));
			}
		}
		Map<String, RateMeter> meters = new MeterRows(this.database).read(asked.keySet());
		Instant now = this.database.options().clock().instant();
		asked.forEach((key, limit) -> {
			if (Objects.requireNonNull(meters.get(key)).ask(limit.limit(), now) == null) {
				missed.add(key);
			}
		});
		return missed;
	}

	/**
	 * Moves jobs that did not take a place back into the order, after {@link #BEHIND}.
	 */
	private void inOrderAgain(Instant now) {
		this.database.write("let those wait in order again that did not take a place", () -> {
			List<UUID> ids = this.database.jdbc().queryForList(LAST, UUID.class, Times.utc(now.minus(BEHIND)));
			if (!ids.isEmpty()) {
				this.database.jdbc().update("update ojs_job set blocked_rank = 1 where id = any(?)", Dialect.ids(ids));
			}
			return ids;
		});
	}

	/** Gives the places of jobs that were let through and do not start to other jobs. */
	private void passOn(Instant now) {
		this.database.write("pass the places of idle jobs on", () -> {
			JobLimits limits = new JobLimits(this.database);
			Set<String> freed = new TreeSet<>(JobLimits.ORDER);
			List<JobRow> idle = this.database.jdbc().query(IDLE, JobRows.ALL, Times.utc(now));
			for (JobRow row : idle) {
				List<KeyedLimit> ofJob = limits.of(row, this.database.codec().stored(row).job());
				if (row.blockedUntil != null && row.blockedUntil.isBefore(now)) {
					// The job goes behind the others, or it would get the same place
					// again.
					row.blockedRank = JobRow.LAST;
					row.enqueuedAt = Times.micros(now);
				}
				if (ofJob.isEmpty()) {
					row.letThrough(Times.micros(now), null);
				}
				else {
					row.block(ofJob.get(0).key(), now, row.blockedRank);
				}
				ofJob.forEach((limit) -> freed.add(limit.key()));
			}
			if (!idle.isEmpty()) {
				this.database.jobs().update(JobColumn.BLOCKED, idle);
				new RateRelease(this.database, now).release(freed);
			}
			return idle;
		});
	}

	private int release(List<String> keys, Instant now) {
		int released = 0;
		for (String key : keys) {
			int more;
			do {
				more = this.database.write("let jobs through that wait for a limit",
						() -> new RateRelease(this.database, now).release(List.of(key)));
				released += more;
			}
			while (more > 0);
		}
		return released;
	}

	@Override
	public Optional<Instant> nextRelease() {
		return this.database.read("look for the next job that a limit lets through",
				() -> first().stream().map(First::until).findFirst());
	}

	@Override
	public Optional<RateLimitStatus> find(String key) {
		return this.database.read("look at a limit",
				() -> this.database.jdbc()
					.query(statuses() + "and l.rate_key = ?", this::row, longestLease(), key)
					.stream()
					.findFirst()
					.map(this::status)
					.or(() -> unasked(key)));
	}

	/** Finds a limit by a job that names it, if no job has asked the limit yet. */
	private Optional<RateLimitStatus> unasked(String key) {
		return named(key).map((limit) -> status(key, limit, new RateMeter(key, 0), 0));
	}

	/** The limit as a job names it that waits: 0 at a time is never counted. */
	private Optional<RateLimit> named(String key) {
		return this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where rate_key = ? "
					+ "and ended_at is null and state <> 'active' limit 1", JobRows.ALL, key)
			.stream()
			.findFirst()
			.flatMap((row) -> RateLimitJson.of(this.database.codec().stored(row).job()));
	}

	@Override
	public LimitedJobs jobs(String key, int limit) {
		return this.database.read("look at the jobs of a limit",
				() -> new LimitedJobs(running(key, limit), jobs(WAITING_JOBS, key, limit)));
	}

	private List<LimitedJob> running(String key, int limit) {
		if (!StartLimits.isOfQueue(key)) {
			return jobs(RUNNING_JOBS, key, limit);
		}
		String queue = key.substring(StartLimits.QUEUE.length());
		return jobs(RUNNING_JOBS_OF_QUEUE, queue, longestLease(), queue, limit);
	}

	private List<LimitedJob> jobs(String sql, Object... parameters) {
		return this.database.jdbc()
			.query(sql, (row, index) -> new LimitedJob(row.getString("id"), row.getString("type"),
					row.getString("tenant"), SqlTimes.instant(row, "since")), parameters);
	}

	@Override
	public List<RateLimitStatus> list(String after, int limit) {
		return this.database.read("list limits",
				() -> this.database.jdbc()
					.query(statuses() + "and l.rate_key > ? order by l.rate_key limit ?", this::row, longestLease(),
							after, limit)
					.stream()
					.map(this::status)
					.toList());
	}

	private String statuses() {
		return STATUS + ((this.database.dialect() == Dialect.POSTGRESQL) ? WAITING : WAITING_IN_ALL) + STATUS_OF;
	}

	private OffsetDateTime longestLease() {
		return Times.utc(this.database.options().clock().instant().plus(RunTerms.LONGEST_LEASE));
	}

	private LimitRow row(ResultSet row, int index) throws SQLException {
		return new LimitRow(row.getString("rate_key"), row.getString("policy"), row.getString("meter"),
				row.getLong("running"), row.getLong("waiting"));
	}

	/**
	 * Not while the rows are read: {@link #named} asks, and would need a second
	 * connection for it.
	 */
	private RateLimitStatus status(LimitRow row) {
		JsonText json = this.database.codec().json();
		Map<String, @Nullable Object> policy = json.readObject(row.policy());
		// A key that was asked and never counted has no policy.
		RateLimit limit = policy.isEmpty() ? named(row.key()).orElseGet(() -> RateLimit.of(row.key()))
				: RateLimitJson.read(policy, "default");
		return status(row.key(), limit, MeterText.read(json, row.key(), row.running(), row.meter()), row.waiting());
	}

	private RateLimitStatus status(String key, RateLimit limit, RateMeter meter, long waiting) {
		List<RateLimitStatus.Counted> windows = new ArrayList<>();
		Rate rate = limit.rate();
		RateMeter.Window window = (rate != null) ? meter.windows().get(rate.period()) : null;
		Instant now = this.database.options().clock().instant();
		if (rate != null && window != null && window.since().plus(rate.period()).isAfter(now)) {
			windows.add(new RateLimitStatus.Counted(rate, window.starts(), window.since().plus(rate.period())));
		}
		Instant next = meter.nextStarts().values().stream().max(Instant::compareTo).orElse(null);
		return new RateLimitStatus(key, limit, meter.running(), waiting, windows, next);
	}

	/**
	 * The first job in the line of a key.
	 *
	 */
	private record First(String key, Instant until) {
	}

	/**
	 * A limit as its row has it.
	 *
	 */
	private record LimitRow(String key, String policy, String meter, long running, long waiting) {
	}

}
