package io.ojs.jdbc.internal.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.ojs.crypto.internal.JobEncryption;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.engine.JobRow;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Finds jobs in a database. Reads ids in their order from the index that fits best, in
 * windows that grow, until the page is full or the time is used up. No statement reads
 * more rows than its window has, except for jobs that have not ended: they are read at
 * once, if they are few enough.
 */
public final class JdbcJobSearch implements JobSearch {

	/** Leaves a part of 200 ms for the last window, and for what a page shows. */
	private static final Duration BUDGET = Duration.ofMillis(100);

	private static final int FIRST_WINDOW = 1000;

	private static final int LARGEST_WINDOW = 10_000;

	private static final int GROWTH = 4;

	/** The number of windows after which jobs that have not ended are read at once. */
	private static final int WINDOWS = 2;

	private static final int MOST_UNFINISHED = 120_000;

	/** The most jobs with labels that begin in some way whose ids are sorted. */
	private static final int MOST_SORTED = 10_000;

	/** The envelopes that are looked into. */
	private static final int SMALL_ENVELOPE = 65_536;

	private static final String COLUMNS = JobColumn.NAMES + ", size_bytes";

	private static final RowMapper<JobRow> ROW = (set, index) -> {
		JobRow row = JobColumn.read(set);
		row.sizeBytes = set.getInt("size_bytes");
		return row;
	};

	private final StoreDatabase database;

	private final NamedParameterJdbcTemplate named;

	private final JobIndexes indexes;

	private final Duration budget;

	private final int firstWindow;

	public JdbcJobSearch(StoreDatabase database) {
		this(database, BUDGET, FIRST_WINDOW);
	}

	/**
	 * Creates a search with a budget.
	 * @param budget the time after which a search begins no further window
	 * @param firstWindow the number of ids in the first window
	 */
	public JdbcJobSearch(StoreDatabase database, Duration budget, int firstWindow) {
		this.database = database;
		this.named = new NamedParameterJdbcTemplate(database.jdbc());
		this.indexes = new JobIndexes(database);
		this.budget = budget;
		this.firstWindow = firstWindow;
	}

	@Override
	public Result search(Criteria criteria, @Nullable String before, int limit) {
		IdRange range = IdRange.of(criteria, before);
		if (range.isEmpty()) {
			return new Result(List.of(), null, true, null);
		}
		return this.database.read("search jobs", () -> new Search(criteria, range, limit).result());
	}

	@Override
	public Marks marks(String jobId) {
		return JobRow.id(jobId)
			.flatMap((id) -> this.database.read("look at the labels of a job", () -> marks(id)))
			.orElse(Marks.NONE);
	}

	private Optional<Marks> marks(UUID id) {
		List<String> labels = new ArrayList<>();
		return this.database.jdbc()
			.query("select j.workflow_id, l.label from ojs_job j left join ojs_job_label l on l.job_id = j.id "
					+ "where j.id = ? order by l.label", (row, index) -> {
						if (row.getString("label") != null) {
							labels.add(row.getString("label"));
						}
						return Optional.ofNullable(row.getString("workflow_id"));
					}, id)
			.stream()
			.findFirst()
			.map((workflow) -> new Marks(workflow.orElse(null), labels));
	}

	private List<Found> found(List<JobRow> rows) {
		if (rows.isEmpty()) {
			return List.of();
		}
		List<UUID> ids = rows.stream().map((row) -> row.id).toList();
		Map<UUID, List<String>> labels = labels(ids);
		Map<UUID, Boolean> encoded = encoded(rows, ids);
		return rows.stream()
			.map((row) -> new Found(row, lastError(row), labels.getOrDefault(row.id, List.of()), encoded.get(row.id)))
			.toList();
	}

	private Map<UUID, List<String>> labels(Collection<UUID> ids) {
		Map<UUID, List<String>> labels = new HashMap<>();
		this.database.jdbc()
			.query("select job_id, label from ojs_job_label where job_id = any(?) order by label", Dialect.ids(ids),
					(set) -> {
						labels.computeIfAbsent(set.getObject("job_id", UUID.class), (id) -> new ArrayList<>())
							.add(set.getString("label"));
					});
		return labels;
	}

	/**
	 * Returns which jobs have encoded arguments, without those whose envelopes are large.
	 */
	private Map<UUID, Boolean> encoded(List<JobRow> rows, List<UUID> ids) {
		Map<UUID, JobRow> small = new HashMap<>();
		rows.stream().filter((row) -> row.sizeBytes <= SMALL_ENVELOPE).forEach((row) -> small.put(row.id, row));
		Map<UUID, Boolean> encoded = new HashMap<>();
		small.keySet().forEach((id) -> encoded.put(id, false));
		String marked = "case when size_bytes <= %d and envelope like '%%\"ojs_encoded\"%%' then envelope end"
			.formatted(SMALL_ENVELOPE);
		this.database.jdbc()
			.query(this.database.dialect().byIds("id, " + marked + " as envelope", ""), Dialect.ids(ids), (set) -> {
				String envelope = set.getString("envelope");
				JobRow row = small.get(set.getObject("id", UUID.class));
				if (envelope != null && row != null) {
					JobRow whole = row.copy();
					whole.envelope = envelope;
					encoded.put(row.id, JobEncryption.isEncoded(this.database.codec().envelope(whole).args()));
				}
			});
		return encoded;
	}

	private @Nullable JobError lastError(JobRow row) {
		List<JobError> errors = this.database.codec().json().readErrors(row.errors);
		return errors.isEmpty() ? null : errors.get(errors.size() - 1);
	}

	/**
	 * One search.
	 */
	private final class Search {

		private final Criteria criteria;

		private final IdRange range;

		private final int limit;

		private final IdSource source;

		private final MapSqlParameterSource parameters = new MapSqlParameterSource();

		private final String where;

		/** Whether the index serves all criteria. */
		private final boolean isServed;

		private final List<JobRow> rows = new ArrayList<>();

		/** Jobs with this id and above were looked at; {@code null} if all were. */
		private @Nullable UUID reached;

		Search(Criteria criteria, IdRange range, int limit) {
			this.criteria = criteria;
			this.range = range;
			this.limit = limit;
			this.reached = range.before();
			List<LabelMatch> labels = rarestFirst(criteria.labels());
			// Labels that begin in some way have no ids in their order: many are not
			// sorted.
			LabelMatch first = (labels.isEmpty() || criteria.workflowId() != null
					|| (labels.get(0).isPrefix() && jobs(labels.get(0)) > MOST_SORTED)) ? null : labels.get(0);
			this.source = IdSource.of(criteria, first, JdbcJobSearch.this.indexes);
			List<String> conditions = conditions();
			labels.stream().filter((label) -> label != first).map(LabelMatch::ofJob).forEach(conditions::add);
			this.where = " where 1 = 1" + String.join("", conditions);
			this.isServed = conditions.size() == (this.source.isOfJobs() ? this.source.serves() : 0);
			this.parameters.addValue("from", range.from());
		}

		Result result() {
			long start = System.nanoTime();
			long size = JdbcJobSearch.this.firstWindow;
			int windows = 0;
			while (true) {
				if (windows++ == WINDOWS && isUnfinished() && isFew()) {
					look(unfinished(), null);
					break;
				}
				long began = System.nanoTime();
				window((int) size);
				long now = System.nanoTime();
				long left = JdbcJobSearch.this.budget.toNanos() - (now - start);
				if (this.reached == null || this.rows.size() >= this.limit || left <= 0) {
					break;
				}
				// No more than fit into the time that is left.
				long fit = (long) (size * (double) left / Math.max(1, now - began));
				size = Math.max(JdbcJobSearch.this.firstWindow, Math.min(Math.min(size * GROWTH, LARGEST_WINDOW), fit));
			}
			if (this.rows.size() > this.limit) {
				this.rows.subList(this.limit, this.rows.size()).clear();
				this.reached = this.rows.get(this.limit - 1).id;
			}
			UUID end = this.reached;
			return new Result(found(this.rows), (end != null) ? end.toString() : null,
					end == null || this.rows.size() == this.limit, (end != null) ? IdRange.time(end) : null);
		}

		/** Looks at the next window. */
		private void window(int size) {
			this.parameters.addValue("before", this.reached).addValue("limit", wanted()).addValue("size", size - 1);
			UUID end = this.isServed ? null : end();
			this.parameters.addValue("from", (end != null) ? end : this.range.from());
			look(query(this.source.isOfAll() ? ofAll() : ofSource()), end);
			this.parameters.addValue("from", this.range.from());
		}

		/** One more than the page has, which tells whether there is another page. */
		private int wanted() {
			return this.limit - this.rows.size() + 1;
		}

		/**
		 * Adds what was found.
		 * @param end the end of the window; {@code null} if no id is behind it
		 */
		private void look(List<JobRow> found, @Nullable UUID end) {
			boolean cut = found.size() == wanted();
			found.stream().filter(this::hasText).forEach(this.rows::add);
			this.reached = cut ? found.get(found.size() - 1).id : end;
		}

		/** Finds the last id of the next window; {@code null} if it has all the rest. */
		private @Nullable UUID end() {
			String sql = "select %2$s from %1$s where %2$s >= :from and %2$s < :before%3$s order by %2$s desc limit 1 offset :size"
				.formatted(this.source.table(), this.source.id(), this.source.condition());
			List<UUID> ends = JdbcJobSearch.this.named.query(sql, this.parameters,
					(set, index) -> set.getObject(1, UUID.class));
			return ends.isEmpty() ? null : ends.get(0);
		}

		private List<JobRow> query(String sql) {
			return JdbcJobSearch.this.named.query(sql, this.parameters, ROW);
		}

		private String ofAll() {
			return "select " + COLUMNS + " from ojs_job" + this.where
					+ " and id >= :from and id < :before order by id desc limit :limit";
		}

		/**
		 * Reads ids from the index, and looks up each job by itself: the planner does not
		 * know how rare a value is, and could read all jobs of the window's time instead.
		 */
		private String ofSource() {
			boolean each = JdbcJobSearch.this.database.dialect() == Dialect.POSTGRESQL;
			String jobs = each ? "cross join lateral (select * from ojs_job where id = l.job_id limit 1) as j"
					: "join ojs_job on id = l.job_id";
			return "select %1$s from (select %2$s as job_id from %3$s where %2$s >= :from and %2$s < :before%4$s order by %2$s desc) as l %5$s%6$s order by l.job_id desc limit :limit"
				.formatted(COLUMNS, this.source.id(), this.source.table(), this.source.condition(), jobs, this.where);
		}

		private boolean isUnfinished() {
			JobFilter filter = this.criteria.filter();
			return this.source.isOfJobs() && (this.criteria.worker() != null
					|| (!filter.states().isEmpty() && filter.states().stream().noneMatch(JobState::isTerminal)));
		}

		/** Whether the jobs that have not ended can be read at once. */
		private boolean isFew() {
			this.parameters.addValue("most", MOST_UNFINISHED + 1);
			Integer count = JdbcJobSearch.this.named
				.queryForObject("select count(*) from (select 1 as one from ojs_job where " + notEnded()
						+ " order by queue limit :most) as u", this.parameters, Integer.class);
			return Objects.requireNonNull(count) <= MOST_UNFINISHED;
		}

		/**
		 * Reads the rest of the jobs that have not ended. The offset keeps the planner
		 * from using an index for the other conditions, which all jobs may meet.
		 */
		private List<JobRow> unfinished() {
			this.parameters.addValue("before", this.reached).addValue("limit", wanted());
			return query("select * from (select " + COLUMNS + " from ojs_job where " + notEnded() + " offset 0) as u"
					+ this.where + " and id >= :from and id < :before order by id desc limit :limit");
		}

		private String notEnded() {
			return "ended_at is null" + ((this.criteria.filter().queue() != null) ? " and queue = :queue" : "");
		}

		private boolean hasText(JobRow row) {
			String text = this.criteria.error();
			JobError error = (text != null) ? lastError(row) : null;
			return text == null || (error != null
					&& error.message().toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT)));
		}

		/** Returns the conditions on rows of jobs, and sets their parameters. */
		private List<String> conditions() {
			JobFilter filter = this.criteria.filter();
			List<String> conditions = new ArrayList<>(
					JdbcAdminStore.conditions(filter.since(null).until(null).states(Set.of()), "", this.parameters));
			if (!filter.states().isEmpty()) {
				conditions.add(" and state in (:states)");
				this.parameters.addValue("states", filter.states().stream().map(JobState::wireName).sorted().toList());
			}
			if (this.criteria.errorType() != null) {
				conditions
					.add(JdbcAdminStore.matches("error_type", "errorType", this.criteria.errorType(), this.parameters));
			}
			if (this.criteria.error() != null) {
				// The column has JSON, which also has other errors.
				String json = JdbcJobSearch.this.database.codec().json().write(this.criteria.error());
				conditions.add(" and errors is not null and errors ilike :error escape '!'");
				this.parameters.addValue("error",
						"%" + json.substring(1, json.length() - 1).replaceAll("[!%_]", "!$0") + "%");
			}
			if (this.criteria.workflowId() != null) {
				this.parameters.addValue("workflow", UUID.fromString(this.criteria.workflowId()));
			}
			if (this.criteria.idEnd() != null) {
				conditions.add(" and replace(cast(id as varchar), '-', '') like :idEnd");
				this.parameters.addValue("idEnd", "%" + this.criteria.idEnd());
			}
			if (this.criteria.worker() != null) {
				conditions.add(" and worker = :worker");
				this.parameters.addValue("worker", JobRow.workerName(this.criteria.worker()));
			}
			return conditions;
		}

		private List<LabelMatch> rarestFirst(Set<String> texts) {
			Map<LabelMatch, Integer> jobs = new LinkedHashMap<>();
			for (String text : texts) {
				LabelMatch label = LabelMatch.of(text, jobs.size());
				label.addTo(this.parameters);
				jobs.put(label, (texts.size() > 1) ? jobs(label) : 0);
			}
			return jobs.keySet().stream().sorted(Comparator.comparing(jobs::get)).toList();
		}

		/**
		 * Returns how many jobs have a label, or {@link #MOST_SORTED} and one if they are
		 * more.
		 */
		private int jobs(LabelMatch label) {
			this.parameters.addValue("most", MOST_SORTED + 1);
			Integer count = JdbcJobSearch.this.named
				.queryForObject("select count(*) from (select 1 as one from ojs_job_label where " + label.range()
						+ " order by label limit :most) as l", this.parameters, Integer.class);
			return Objects.requireNonNull(count);
		}

	}

}
