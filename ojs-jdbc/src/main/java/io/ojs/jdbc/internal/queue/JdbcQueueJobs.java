package io.ojs.jdbc.internal.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.QueueStats;
import io.ojs.queue.internal.lifecycle.QueueJobs;
import io.ojs.store.StoredJob;

/**
 * Counts, finds, discards and moves the jobs of a queue, in a database.
 */
public final class JdbcQueueJobs implements QueueJobs {

	static final String UNFINISHED = "ended_at is null";

	static final String WAITING = "ended_at is null and state <> 'active'";

	private static final int PAGE = 500;

	/** Jobs that wait for a time go on waiting; available jobs are published again. */
	private static final String MOVE = """
			update ojs_job set queue = ?, published_at = null, has_places = false, blocked_by = null,
			  blocked_until = null, blocked_rank = 1, relay_at = case
			  when state = 'available' then cast(? as timestamp with time zone)
			  when state in ('scheduled', 'retryable') then coalesce(due_at, cast(? as timestamp with time zone))
			  else relay_at end where id = any(?)""";

	/** Jobs that ended are not counted: there may be millions. */
	private static final String TODAY = "select coalesce(sum(completed), 0), coalesce(sum(discarded), 0) from ojs_minute "
			+ "where step_seconds = 3600 and began_at >= ? and queue = ?";

	private final StoreDatabase database;

	public JdbcQueueJobs(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public QueueStats stats(String queue, Instant startOfDay) {
		return this.database.read("count the jobs of a queue", () -> {
			Map<JobState, Long> now = count(UNFINISHED, queue);
			return this.database.jdbc()
				.query(TODAY,
						(row, index) -> new QueueStats(now.values().stream().mapToLong(Long::longValue).sum(),
								of(now, JobState.AVAILABLE), of(now, JobState.ACTIVE), of(now, JobState.RETRYABLE),
								of(now, JobState.SCHEDULED), of(now, JobState.PENDING), row.getLong(1), row.getLong(2)),
						Times.utc(startOfDay), queue)
				.get(0);
		});
	}

	private Map<JobState, Long> count(String which, String queue) {
		Map<JobState, Long> counts = new EnumMap<>(JobState.class);
		this.database.jdbc()
			.query("select state, count(*) from ojs_job where queue = ? and %s group by state".formatted(which),
					(row) -> {
						counts.put(JobState.fromWire(row.getString(1)), row.getLong(2));
					}, queue);
		return counts;
	}

	private static long of(Map<JobState, Long> counts, JobState state) {
		return counts.getOrDefault(state, 0L);
	}

	@Override
	public long unfinished(String queue) {
		return this.database.read("count the jobs of a queue", () -> {
			Long count = this.database.jdbc()
				.queryForObject("select count(*) from ojs_job where queue = ? and " + UNFINISHED, Long.class, queue);
			return (count != null) ? count : 0;
		});
	}

	@Override
	public Map<String, Map<JobState, Long>> unfinished() {
		return this.database.read("count the jobs of all queues", () -> {
			Map<String, Map<JobState, Long>> counts = new HashMap<>();
			this.database.jdbc()
				.query("select queue, state, count(*) from ojs_job where " + UNFINISHED + " group by state, queue",
						(row) -> {
							counts.computeIfAbsent(row.getString(1), (queue) -> new EnumMap<>(JobState.class))
								.put(JobState.fromWire(row.getString(2)), row.getLong(3));
						});
			return counts;
		});
	}

	@Override
	public List<String> discardWaiting(String queue, Instant now) {
		return this.database.write("discard the jobs of queue '%s'".formatted(queue), () -> {
			List<String> discarded = new ArrayList<>();
			eachPage(queue, (ids, rows) -> {
				Transitions transitions = this.database.transitions(now);
				rows.forEach((row) -> transitions.dropUntold(row, deleted(row, now)));
				this.database.save(transitions);
				ids.forEach((id) -> discarded.add(id.toString()));
			});
			return discarded;
		});
	}

	@Override
	public List<StoredJob> find(Collection<String> jobIds) {
		// The caller's transaction may not see what was committed since it began.
		return this.database.writeAlone("find jobs", () -> this.database.jobs().read(JobRows.ids(jobIds)))
			.values()
			.stream()
			.map(this.database.codec()::stored)
			.toList();
	}

	private static JobError deleted(JobRow row, Instant now) {
		return new JobError("queue_deleted", "QUEUE_DELETED",
				"Queue '%s' was deleted before this job ran.".formatted(row.queue), row.attempt, Rfc3339.utc(now),
				List.of(), Map.of());
	}

	@Override
	public long moveWaiting(String queue, String target, Instant now) {
		return this.database.write("move the jobs of queue '%s'".formatted(queue),
				() -> eachPage(queue, (ids, rows) -> {
					this.database.jdbc().update(MOVE, (statement) -> {
						statement.setString(1, target);
						statement.setObject(2, Times.utc(now));
						statement.setObject(3, Times.utc(now));
						statement.setArray(4, statement.getConnection().createArrayOf("uuid", ids.toArray()));
					});
					Transitions transitions = this.database.transitions(now);
					rows.forEach(transitions::moved);
					this.database.within(transitions);
				}));
	}

	/** Changes jobs in pages. Each page is locked in the order of ids, as everywhere. */
	private long eachPage(String queue, BiConsumer<List<UUID>, List<JobRow>> change) {
		long changed = 0;
		while (true) {
			List<UUID> ids = this.database.jdbc()
				.queryForList("select id from ojs_job where queue = ? and %s order by id limit ?".formatted(WAITING),
						UUID.class, queue, PAGE);
			if (ids.isEmpty()) {
				return changed;
			}
			List<JobRow> waiting = this.database.jobs()
				.lock(ids, false)
				.values()
				.stream()
				.filter((row) -> row.state != JobState.ACTIVE && !row.state.isTerminal() && row.queue.equals(queue))
				.toList();
			change.accept(waiting.stream().map((row) -> row.id).toList(), waiting);
			changed += waiting.size();
		}
	}

}
