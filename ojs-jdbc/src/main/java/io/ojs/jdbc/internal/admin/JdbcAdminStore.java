package io.ojs.jdbc.internal.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Counts, searches and deletes jobs for operators, in a database.
 */
public final class JdbcAdminStore implements AdminStore {

	private static final String TERMINAL = " and state in ('completed', 'cancelled', 'discarded')";

	/** How long jobs that have ended are counted. */
	private static final Duration COUNTING = Duration.ofMillis(150);

	/** How many jobs are read at once to be counted. */
	private static final int WINDOW = 5000;

	private static final String JOBS = "select %s from ojs_job%s order by %sid desc limit :limit offset :offset";

	/** Goes from one tenant to the next, without reading all jobs of each. */
	private static final String NEXT_TENANTS = "with recursive t (tenant) as "
			+ "((select tenant from ojs_job where tenant > :after order by tenant limit 1) union all "
			+ "select n.tenant from t cross join lateral (select tenant from ojs_job where tenant > t.tenant "
			+ "order by tenant limit 1) n) select tenant from t limit :limit";

	private static final String DISTINCT_TENANTS = "select distinct tenant from ojs_job where tenant > :after "
			+ "order by tenant limit :limit";

	private static final String DEAD = "dead";

	private static final String READY = "due_at is null and ended_at is null";

	private static final String LATER = "due_at is not null";

	/**
	 * Each part has an index. The orders have it read, whatever is known of the number.
	 */
	private static final String UNFINISHED = "select kind, state, count(*) as jobs from ("
			+ part("ready", READY, "created_at") + " union all " + part("later", LATER, "created_at") + " union all "
			+ part(DEAD, "dead_lettered_at is not null", "dead_lettered_at") + ") p group by kind, state";

	private static final UUID LAST_ID = UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff");

	private final StoreDatabase database;

	private final NamedParameterJdbcTemplate named;

	public JdbcAdminStore(StoreDatabase database) {
		this.database = database;
		this.named = new NamedParameterJdbcTemplate(database.jdbc());
	}

	@Override
	public Map<String, Map<JobState, Long>> counts(@Nullable String queue, @Nullable String tenant) {
		MapSqlParameterSource parameters = new MapSqlParameterSource();
		String where = where(JobFilter.ANY.queue(queue).tenant(tenant), "created_at", parameters);
		return counts("select queue as name, state, count(*) as jobs from ojs_job" + where
				+ " group by queue, state order by queue", parameters);
	}

	@Override
	public Map<String, Map<JobState, Long>> countsByTenant(@Nullable String after, int limit) {
		MapSqlParameterSource parameters = new MapSqlParameterSource("after", (after != null) ? after : "")
			.addValue("limit", limit);
		return counts("select tenant as name, state, count(*) as jobs from ojs_job where tenant in (select distinct "
				+ "tenant from ojs_job where tenant > :after order by tenant limit :limit) group by tenant, state order by tenant",
				parameters);
	}

	@Override
	public Map<String, TenantJobs> unfinishedByTenant(@Nullable String after, int limit, int bound) {
		Map<String, TenantJobs> jobs = new LinkedHashMap<>();
		String tenants = (this.database.dialect() == Dialect.POSTGRESQL) ? NEXT_TENANTS : DISTINCT_TENANTS;
		this.database.read("count jobs of tenants", () -> {
			this.named
				.queryForList(tenants,
						new MapSqlParameterSource("after", (after != null) ? after : "").addValue("limit", limit),
						String.class)
				.forEach((tenant) -> jobs.put(tenant, ofTenant(tenant, bound)));
			return null;
		});
		return jobs;
	}

	@Override
	public Map<String, Map<JobState, Long>> unfinished(String tenant, int bound) {
		// H2 takes the result of the last call if only the parameter of a limit differs.
		String sql = "select queue as name, state, count(*) as jobs from (" + ofQueues(READY, bound) + " union all "
				+ ofQueues(LATER, bound) + ") p group by queue, state order by queue";
		return counts(sql, new MapSqlParameterSource("tenant", tenant));
	}

	private TenantJobs ofTenant(String tenant, int bound) {
		Map<JobState, Long> unfinished = new EnumMap<>(JobState.class);
		Map<String, Long> kinds = new HashMap<>();
		this.named.query(UNFINISHED, new MapSqlParameterSource("tenant", tenant).addValue("bound", bound), (row) -> {
			long jobs = row.getLong("jobs");
			kinds.merge(row.getString("kind"), jobs, Long::sum);
			if (!row.getString("kind").equals(DEAD)) {
				unfinished.merge(JobState.fromWire(row.getString("state")), jobs, Long::sum);
			}
		});
		return new TenantJobs(unfinished, kinds.getOrDefault(DEAD, 0L),
				kinds.values().stream().allMatch((jobs) -> jobs < bound));
	}

	private static String part(String kind, String condition, String order) {
		return "(select '%s' as kind, %s as state from ojs_job where tenant = :tenant and %s order by %s limit :bound)"
			.formatted(kind, kind.equals(DEAD) ? "'discarded'" : "state", condition, order);
	}

	private static String ofQueues(String condition, int bound) {
		return "(select queue, state from ojs_job where tenant = :tenant and %s order by created_at limit %d)"
			.formatted(condition, bound);
	}

	private Map<String, Map<JobState, Long>> counts(String sql, MapSqlParameterSource parameters) {
		Map<String, Map<JobState, Long>> counts = new LinkedHashMap<>();
		this.database.read("count jobs", () -> {
			this.named.query(sql, parameters, (row) -> {
				counts.computeIfAbsent(row.getString("name"), (name) -> new EnumMap<>(JobState.class))
					.put(JobState.fromWire(row.getString("state")), row.getLong("jobs"));
			});
			return null;
		});
		return counts;
	}

	@Override
	public Map<JobState, Long> ended(Instant since) {
		Map<JobState, Long> counts = new EnumMap<>(JobState.class);
		this.database.read("count jobs that ended", () -> {
			this.named.query("select state, count(*) as jobs from ojs_job where ended_at >= :since group by state",
					new MapSqlParameterSource("since", Times.utc(since)), (row) -> {
						counts.put(JobState.fromWire(row.getString("state")), row.getLong("jobs"));
					});
			return null;
		});
		return counts;
	}

	@Override
	public long count(JobFilter filter) {
		MapSqlParameterSource parameters = new MapSqlParameterSource();
		String sql = "select count(*) from ojs_job" + where(filter, created(filter), parameters);
		return this.database.read("count jobs",
				() -> Objects.requireNonNull(this.named.queryForObject(sql, parameters, Long.class)));
	}

	@Override
	public List<StoredJob> search(JobFilter filter, long offset, int limit) {
		MapSqlParameterSource parameters = new MapSqlParameterSource("limit", limit).addValue("offset", offset);
		String sql = JOBS.formatted(JobColumn.ALL_NAMES, where(filter, created(filter), parameters),
				filter.deadLetters() ? "dead_lettered_at desc, " : "");
		return this.database.read("list jobs", () -> this.named.query(sql, parameters, JobRows.ALL))
			.stream()
			.map(this.database.codec()::stored)
			.toList();
	}

	@Override
	public BoundedCount countUpTo(JobFilter filter, boolean ended, int bound) {
		return this.database.read("count jobs", () -> ended ? countEnded(filter, bound) : countWaiting(filter, bound));
	}

	private BoundedCount countWaiting(JobFilter filter, int bound) {
		MapSqlParameterSource parameters = new MapSqlParameterSource("limit", bound + 1);
		long jobs = Objects
			.requireNonNull(
					this.named.queryForObject(
							"select count(*) from (select 1 as one from ojs_job"
									+ where(filter, "created_at", parameters) + " and ended_at is null limit :limit) j",
							parameters, Long.class));
		return new BoundedCount(Math.min(jobs, bound), jobs <= bound);
	}

	/** Reads windows of ids, the newest first, until the time is over. */
	private BoundedCount countEnded(JobFilter filter, int bound) {
		long end = System.nanoTime() + COUNTING.toNanos();
		long counted = 0;
		UUID before = LAST_ID;
		while (before != null && counted <= bound && System.nanoTime() - end < 0) {
			UUID from = window(filter, before);
			MapSqlParameterSource parameters = new MapSqlParameterSource("before", before).addValue("from", from);
			String sql = "select count(*) from ojs_job" + where(filter, "ended_at", parameters) + TERMINAL
					+ " and id <= :before" + ((from != null) ? " and id > :from" : "");
			counted += Objects.requireNonNull(this.named.queryForObject(sql, parameters, Long.class));
			before = from;
		}
		return new BoundedCount(Math.min(counted, bound), before == null && counted <= bound);
	}

	/** Returns the last id before a window; {@code null} if it is the last window. */
	private @Nullable UUID window(JobFilter filter, UUID before) {
		MapSqlParameterSource parameters = new MapSqlParameterSource("before", before).addValue("window", WINDOW)
			.addValue("tenant", filter.tenant());
		return this.named
			.query("select id from ojs_job where id <= :before"
					+ ((filter.tenant() != null) ? " and tenant = :tenant" : "")
					+ " order by id desc limit 1 offset :window", parameters,
					(row, index) -> row.getObject("id", UUID.class))
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static String created(JobFilter filter) {
		return filter.deadLetters() ? "dead_lettered_at" : "created_at";
	}

	@Override
	public int delete(JobFilter filter, int limit) {
		MapSqlParameterSource parameters = new MapSqlParameterSource("limit", limit);
		String sql = "select id, unique_key from ojs_job%s%s order by id limit :limit for update skip locked"
			.formatted(where(filter, "ended_at", parameters), TERMINAL);
		return this.database.write("delete jobs", () -> {
			Map<UUID, @Nullable String> uniqueKeys = new LinkedHashMap<>();
			this.named.query(sql, parameters, (row) -> {
				uniqueKeys.put(row.getObject("id", UUID.class), row.getString("unique_key"));
			});
			this.database.jobs().delete(uniqueKeys);
			return uniqueKeys.size();
		});
	}

	private static String where(JobFilter filter, String time, MapSqlParameterSource parameters) {
		return " where 1 = 1" + String.join("", conditions(filter, time, parameters));
	}

	/**
	 * Returns the condition that a column has a value, or begins with it if the value has
	 * an asterisk at its end, and sets its parameter.
	 */
	static String matches(String column, String parameter, String value, MapSqlParameterSource parameters) {
		boolean isPrefix = JobFilter.isPrefix(value);
		parameters.addValue(parameter, isPrefix ? JobFilter.prefix(value).replaceAll("[!%_]", "!$0") + "%" : value);
		return " and " + column + (isPrefix ? " like :%s escape '!'" : " = :%s").formatted(parameter);
	}

	/**
	 * Returns the conditions of a filter, each with {@code and} before it, and sets their
	 * parameters.
	 * @param time the column that {@code since} and {@code until} are compared with
	 */
	static List<String> conditions(JobFilter filter, String time, MapSqlParameterSource parameters) {
		List<String> conditions = new ArrayList<>();
		if (filter.queue() != null) {
			conditions.add(" and queue = :queue");
			parameters.addValue("queue", filter.queue());
		}
		if (filter.tenant() != null) {
			conditions.add(" and tenant = :tenant");
			parameters.addValue("tenant", filter.tenant());
		}
		if (filter.type() != null) {
			conditions.add(matches("type", "type", filter.type(), parameters));
		}
		if (filter.operation() != null) {
			conditions.add(" and operation_id = :operation");
			parameters.addValue("operation", UUID.fromString(filter.operation()));
		}
		if (!filter.states().isEmpty()) {
			conditions.add(JobRows.in(filter.states()));
			parameters.addValue("states", filter.states().stream().map(JobState::wireName).sorted().toList());
		}
		if (!filter.ids().isEmpty()) {
			conditions.add(" and id in (:ids)");
			parameters.addValue("ids", JobRows.ids(filter.ids()));
		}
		if (filter.deadLetters()) {
			conditions.add(" and dead_lettered_at is not null");
		}
		if (filter.since() != null) {
			conditions.add(" and " + time + " >= :since");
			parameters.addValue("since", Times.utc(filter.since()));
		}
		if (filter.until() != null) {
			conditions.add(" and " + time + " < :until");
			parameters.addValue("until", Times.utc(filter.until()));
		}
		return conditions;
	}

}
