package io.ojs.jdbc.internal.deadletter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetterStats;
import io.ojs.deadletter.internal.DeadLetterCount;
import io.ojs.deadletter.internal.DeadLetterFacets;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.deadletter.internal.KeptDeadLetter;
import io.ojs.deadletter.internal.Recorded;
import io.ojs.deadletter.internal.ReplayBatch;
import io.ojs.deadletter.internal.ReplayDecision;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Transitions;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Keeps dead letters in a database.
 */
public final class JdbcDeadLetterStore implements DeadLetterStore {

	/**
	 * The rows that are skipped, and those of other queues, are read in the index alone.
	 */
	private static final String NUMBERED = "select %s from ojs_job join (select id as letter from ojs_job where %s "
			+ "order by dead_lettered_at desc, id desc limit ? offset ?) l on id = letter "
			+ "order by dead_lettered_at desc, id desc";

	private final StoreDatabase database;

	public JdbcDeadLetterStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public List<Recorded> record(List<FoundDeadLetter> found, Instant now) {
		if (found.isEmpty()) {
			return List.of();
		}
		return this.database.write("record dead letters",
				() -> new DeadLetterRecording(this.database, now).record(found));
	}

	@Override
	public List<StoredJob> list(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit) {
		DeadLetterConditions where = new DeadLetterConditions(filter).olderThan(after);
		return list("select " + JobColumn.ALL_NAMES + " from ojs_job where " + where.sql()
				+ " order by dead_lettered_at desc, id desc limit ?", where.parameters(List.of(), limit));
	}

	@Override
	public List<StoredJob> list(DeadLetterFilter filter, long offset, int limit) {
		DeadLetterConditions where = new DeadLetterConditions(filter);
		return list(NUMBERED.formatted(JobColumn.ALL_NAMES, where.sql()), where.parameters(List.of(), limit, offset));
	}

	private List<StoredJob> list(String sql, PreparedStatementSetter parameters) {
		return this.database.read("list dead letters", () -> this.database.jdbc().query(sql, parameters, JobRows.ALL))
			.stream()
			.map(this.database.codec()::stored)
			.toList();
	}

	@Override
	public Optional<StoredJob> get(String jobId) {
		return JobRow.id(jobId)
			.flatMap((id) -> list(DeadLetterFilter.ANY.ids(Set.of(id.toString())), null, 1).stream().findFirst());
	}

	@Override
	public DeadLetterCount count(DeadLetterFilter filter, Instant now) {
		DeadLetterConditions where = new DeadLetterConditions(filter);
		return this.database.read("count dead letters", () -> this.database.jdbc()
			.query("select count(*), count(case when expires_at <= ? then 1 end) from ojs_job where " + where.sql(),
					where.parameters(List.of(now)), (row, index) -> new DeadLetterCount(row.getLong(1), row.getLong(2)))
			.get(0));
	}

	@Override
	public AdminStore.BoundedCount countUpTo(DeadLetterFilter filter, int bound) {
		DeadLetterConditions where = new DeadLetterConditions(filter);
		long counted = this.database.read("count dead letters",
				() -> this.database.jdbc()
					.query("select count(*) from (select 1 as one from ojs_job where " + where.sql() + " limit ?) d",
							where.parameters(List.of(), bound + 1), (row, index) -> row.getLong(1))
					.get(0));
		return new AdminStore.BoundedCount(Math.min(counted, bound), counted <= bound);
	}

	@Override
	public Map<String, Long> countByQueue() {
		Map<String, Long> counts = new TreeMap<>();
		RowCallbackHandler put = (row) -> counts.put(row.getString(1), row.getLong(2));
		this.database.read("count dead letters", () -> {
			this.database.jdbc()
				.query("select dead_letter_queue, count(*) from ojs_job where dead_lettered_at is not null "
						+ "group by dead_letter_queue", put);
			return counts;
		});
		return counts;
	}

	@Override
	public DeadLetterStats stats(DeadLetterFilter filter) {
		DeadLetterConditions where = new DeadLetterConditions(filter);
		Tally tally = new Tally();
		RowCallbackHandler add = (row) -> tally.add(row.getString("dead_letter_queue"), row.getString("type"),
				row.getString("error_type"), row.getLong("jobs"), SqlTimes.instant(row, "oldest"),
				SqlTimes.instant(row, "newest"));
		this.database.read("count dead letters", () -> {
			this.database.jdbc()
				.query("select dead_letter_queue, type, error_type, count(*) as jobs, min(dead_lettered_at) as oldest, "
						+ "max(dead_lettered_at) as newest from ojs_job where " + where.sql()
						+ " group by dead_letter_queue, type, error_type", where.parameters(List.of()), add);
			return tally;
		});
		return tally.stats();
	}

	@Override
	public DeadLetterFacets facets(DeadLetterFilter filter, Instant now, int bound) {
		return this.database.read("count dead letters",
				() -> new FacetCounting(this.database, filter).count(now, bound));
	}

	@Override
	public ReplayBatch replay(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit, Instant now,
			Function<KeptDeadLetter, ReplayDecision> decide) {
		return this.database.write("replay dead letters", () -> {
			List<JobRow> rows = lock(filter, after, limit);
			if (rows.isEmpty()) {
				return new ReplayBatch(List.of(), null);
			}
			DeadLetterCursor last = place(rows.get(rows.size() - 1));
			Transitions transitions = this.database.transitions(now);
			List<ReplayDecision> decisions = new ArrayList<>(rows.size());
			for (JobRow row : rows) {
				KeptDeadLetter letter = new KeptDeadLetter(this.database.codec().stored(row),
						row.envelope.getBytes(StandardCharsets.UTF_8));
				ReplayDecision decision = decide.apply(letter);
				if (decision instanceof ReplayDecision.Replayed replayed) {
					replay(row, replayed, transitions);
					this.database.contentChanged(row, letter.stored().job());
				}
				decisions.add(decision);
			}
			if (!transitions.changed().isEmpty()) {
				this.database.jobs().update(JobColumn.REPLAY, transitions.changed());
				this.database.events().append(transitions.events());
				this.database.tell(transitions);
			}
			return new ReplayBatch(decisions, last);
		});
	}

	private void replay(JobRow row, ReplayDecision.Replayed replayed, Transitions transitions) {
		EncodedJob encoded = replayed.encoded();
		Job job = encoded.job();
		transitions.retried(row);
		row.queue = job.queue();
		row.priority = (job.priority() != null) ? job.priority() : 0;
		row.operationId = (replayed.operation() != null) ? UUID.fromString(replayed.operation()) : null;
		row.maxAttempts = encoded.maxAttempts();
		row.sizeBytes = encoded.body().length;
		row.envelope = new String(encoded.body(), StandardCharsets.UTF_8);
		transitions.replay(row, replayed.relayAt());
	}

	/** Locks dead letters, the oldest first. */
	private List<JobRow> lock(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit) {
		DeadLetterConditions where = new DeadLetterConditions(filter).newerThan(after);
		return this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where " + where.sql()
					+ " order by dead_lettered_at, id limit ? " + forUpdate(filter), where.parameters(List.of(), limit),
					JobRows.ALL);
	}

	/**
	 * A caller that names jobs needs the result of each, so the query waits for locked
	 * rows.
	 */
	private static String forUpdate(DeadLetterFilter filter) {
		return filter.ids().isEmpty() ? "for update skip locked" : "for update";
	}

	private static @Nullable DeadLetterCursor place(JobRow row) {
		return (row.deadLetteredAt != null) ? new DeadLetterCursor(row.deadLetteredAt, row.id.toString()) : null;
	}

	@Override
	public int delete(DeadLetterFilter filter, Instant now, int limit) {
		return this.database.write("delete dead letters", () -> {
			DeadLetterConditions where = new DeadLetterConditions(filter);
			List<JobRow> rows = this.database.jdbc()
				.query("select " + JobColumn.NAMES + " from ojs_job where " + where.sql()
						+ " order by dead_lettered_at, id limit ? " + forUpdate(filter),
						where.parameters(List.of(), limit), JobRows.WITHOUT_CONTENT);
			Transitions transitions = this.database.transitions(now);
			rows.forEach(transitions::deleted);
			Map<UUID, @Nullable String> uniqueKeys = new LinkedHashMap<>();
			rows.forEach((row) -> uniqueKeys.put(row.id, row.uniqueKey));
			this.database.jobs().delete(uniqueKeys);
			this.database.events().append(transitions.events());
			return rows.size();
		});
	}

	/**
	 * Adds up the counts of dead letters.
	 */
	private static final class Tally {

		private final Map<String, Long> byQueue = new TreeMap<>();

		private final Map<String, Long> byType = new TreeMap<>();

		private final Map<String, Long> byErrorType = new TreeMap<>();

		private long total;

		private @Nullable Instant oldest;

		private @Nullable Instant newest;

		void add(String queue, String type, @Nullable String errorType, long jobs, Instant first, Instant last) {
			this.total += jobs;
			this.byQueue.merge(queue, jobs, Long::sum);
			this.byType.merge(type, jobs, Long::sum);
			this.byErrorType.merge((errorType != null) ? errorType : DeadLetterStats.UNKNOWN, jobs, Long::sum);
			this.oldest = (this.oldest == null || first.isBefore(this.oldest)) ? first : this.oldest;
			this.newest = (this.newest == null || last.isAfter(this.newest)) ? last : this.newest;
		}

		DeadLetterStats stats() {
			return new DeadLetterStats(this.total, this.byQueue, this.byType, this.byErrorType, this.oldest,
					this.newest);
		}

	}

}
