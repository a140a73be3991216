package io.ojs.jdbc.internal.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.QueueDepth;
import io.ojs.queue.internal.QueueDepths;
import io.ojs.store.StoredJob;

/**
 * Keeps queues within their limits. A transaction locks the row of a queue in
 * {@code ojs_queue}, so counts are exact as long as it sees what other transactions have
 * committed in the meantime ({@code READ COMMITTED}, the default of databases).
 */
public final class JdbcQueueDepths implements QueueDepths {

	/** How often to try, if workers begin jobs between the query and the lock. */
	private static final int TRIES = 3;

	private static final int PAGE = 500;

	private final StoreDatabase database;

	public JdbcQueueDepths(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void lock(String queue, Instant now) {
		this.database.write("lock queue '%s'".formatted(queue), () -> {
			if (!lock(queue)) {
				make(queue, now);
				lock(queue);
			}
			return true;
		});
	}

	private boolean lock(String queue) {
		return !this.database.jdbc()
			.queryForList("select name from ojs_queue where name = ? for update", String.class, queue)
			.isEmpty();
	}

	/**
	 * Inserts a queue without a version: {@link JdbcQueueStore#ensure} gives it one, and
	 * so makes it known to every process.
	 */
	private void make(String queue, Instant now) {
		String sql = "insert into ojs_queue (name, state, config, created_at, updated_at, version) "
				+ "values (?, 'active', '{}', ?, ?, 0)";
		this.database.dialect().insertUnlessThere(this.database.jdbc(), sql, queue, Times.utc(now), Times.utc(now));
	}

	@Override
	public QueueDepth depth(String queue) {
		return this.database.read("count the jobs of a queue", () -> {
			QueueDepth depth = this.database.jdbc()
				.queryForObject(
						"select count(*), coalesce(sum(size_bytes), 0) from ojs_job where queue = ? and "
								+ JdbcQueueJobs.UNFINISHED,
						(row, index) -> new QueueDepth(row.getLong(1), row.getLong(2)), queue);
			return (depth != null) ? depth : new QueueDepth(0, 0);
		});
	}

	@Override
	public Optional<List<Job>> dropOldest(String queue, QueueDepth excess, Instant now) {
		return this.database.write("make room in queue '%s'".formatted(queue), () -> {
			for (int i = 0; i < TRIES; i++) {
				Optional<List<UUID>> oldest = oldest(queue, excess);
				if (oldest.isEmpty()) {
					return Optional.empty();
				}
				Map<UUID, JobRow> rows = this.database.jobs().lock(oldest.get(), true);
				if (rows.size() == oldest.get().size() && rows.values()
					.stream()
					.noneMatch((row) -> row.state == JobState.ACTIVE || row.state.isTerminal())) {
					return Optional.of(drop(oldest.get().stream().map(rows::get).toList(), now));
				}
				// Workers have begun some of these jobs. The next try looks for other
				// ones.
			}
			return Optional.empty();
		});
	}

	private Optional<List<UUID>> oldest(String queue, QueueDepth excess) {
		List<UUID> oldest = new ArrayList<>();
		long[] bytes = new long[1];
		long limit = Math.max(excess.jobs(), 1);
		while (oldest.size() < excess.jobs() || bytes[0] < excess.bytes()) {
			int before = oldest.size();
			this.database.jdbc()
				.query("select id, size_bytes from ojs_job where queue = ? and " + JdbcQueueJobs.WAITING
						+ " order by created_at, id limit ? offset ?", (row) -> {
							if (oldest.size() < excess.jobs() || bytes[0] < excess.bytes()) {
								oldest.add(row.getObject(1, UUID.class));
								bytes[0] += row.getInt(2);
							}
						}, queue, limit, before);
			if (oldest.size() == before) {
				return Optional.empty();
			}
			limit = PAGE;
		}
		return Optional.of(oldest);
	}

	private List<Job> drop(List<JobRow> rows, Instant now) {
		Transitions transitions = this.database.transitions(now);
		for (JobRow row : rows) {
			transitions.drop(row,
					new JobError("overflow", "QUEUE_FULL",
							"Queue '%s' was full, and this was one of its oldest jobs.".formatted(row.queue),
							row.attempt, Rfc3339.utc(now), List.of(), Map.of()));
		}
		this.database.save(transitions);
		return rows.stream().map(this.database.codec()::stored).map(StoredJob::job).toList();
	}

}
