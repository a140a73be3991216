package io.ojs.jdbc.internal.retention;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.DeletedJobs;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.UniquePolicy;
import io.ojs.store.internal.RetentionStore;
import org.jspecify.annotations.Nullable;

/**
 * Deletes jobs, workflows and events from a database when their retention is over.
 */
public final class JdbcRetentionStore implements RetentionStore {

	private final StoreDatabase database;

	public JdbcRetentionStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public int prune(Instant now, int limit) {
		return this.database.write("delete jobs that ended long ago", () -> {
			// A job stays while its workflow has not ended: the workflow may need its
			// result.
			List<Due> due = this.database.jdbc()
				.query("select id, unique_key, state, created_at, case when unique_key is not null then envelope end "
						+ "as envelope from ojs_job j where prune_at < ? and (workflow_id is null "
						+ "or not exists (select 1 from ojs_workflow w where w.id = j.workflow_id "
						+ "and w.ended_at is null)) order by prune_at limit ? for update skip locked",
						(row, index) -> new Due(doomed(row), neededUntil(row)), Times.utc(now), limit);
			Map<Boolean, List<Due>> needed = due.stream()
				.collect(Collectors.partitioningBy((each) -> each.neededUntil().isAfter(now)));
			delete(needed.getOrDefault(false, List.of()).stream().map(Due::doomed).toList());
			// A job that is still needed is looked at again when its time has come, not
			// each time.
			this.database.jdbc()
				.batchUpdate("update ojs_job set prune_at = ? where id = ?",
						needed.getOrDefault(true, List.of())
							.stream()
							.map((each) -> new Object[] { Times.utc(each.neededUntil()), each.doomed().id() })
							.toList());
			new DeletedJobs(this.database).prune(now, limit);
			return due.size();
		});
	}

	/** Returns until when an ended job stands in the way of others like it. */
	private Instant neededUntil(ResultSet row) throws SQLException {
		String envelope = row.getString("envelope");
		UniquePolicy policy = (envelope != null) ? policy(envelope) : null;
		boolean meets = policy != null && policy.period() != null
				&& policy.states().contains(JobState.fromWire(row.getString("state")))
				&& (policy.onConflict() == OnConflict.REJECT || policy.onConflict() == OnConflict.IGNORE);
		return meets ? SqlTimes.instant(row, "created_at").plus(policy.period()) : Instant.MIN;
	}

	private @Nullable UniquePolicy policy(String envelope) {
		try {
			return this.database.options().codec().decode(envelope.getBytes(StandardCharsets.UTF_8)).unique();
		}
		catch (UndecodableJobException | InvalidJobException ex) {
			// An envelope that cannot be read was never enqueued.
			return null;
		}
	}

	private static Doomed doomed(ResultSet row) throws SQLException {
		return new Doomed(row.getObject("id", UUID.class), row.getString("unique_key"));
	}

	/**
	 * A job whose retention is over.
	 *
	 * @param neededUntil until when it must stay
	 */
	private record Due(Doomed doomed, Instant neededUntil) {
	}

	@Override
	public int pruneWorkflows(Instant now, int limit) {
		return this.database.write("delete workflows that ended long ago", () -> {
			List<UUID> ids = this.database.jdbc()
				.queryForList("select id from ojs_workflow where prune_at < ? order by prune_at limit ? "
						+ "for update skip locked", UUID.class, Times.utc(now), limit);
			if (!ids.isEmpty()) {
				this.database.jdbc()
					.update("delete from ojs_workflow_job where workflow_id = any(?)", Dialect.ids(ids));
				this.database.jdbc().update("delete from ojs_workflow where id = any(?)", Dialect.ids(ids));
			}
			return ids.size();
		});
	}

	@Override
	public int pruneOperations(Instant before, int limit) {
		return this.database.write("delete operations that ended long ago",
				() -> this.database.jdbc()
					.update("delete from ojs_operation where id in (select id from ojs_operation where ended_at < ? "
							+ "order by id limit ?)", Times.utc(before), limit));
	}

	@Override
	public int trimDeadLetters(ToLongFunction<String> keep, int limit) {
		return this.database.write("delete the oldest dead letters", () -> {
			int deleted = 0;
			List<Surplus> queues = this.database.jdbc()
				.query("select dead_letter_queue, count(*) as jobs from ojs_job where dead_lettered_at is not null "
						+ "group by dead_letter_queue order by dead_letter_queue", (row, index) -> {
							String queue = row.getString("dead_letter_queue");
							return new Surplus(queue, row.getLong("jobs") - keep.applyAsLong(queue));
						});
			for (Surplus surplus : queues) {
				if (surplus.jobs() > 0) {
					deleted += delete(
							"select id, unique_key from ojs_job where dead_lettered_at is not null "
									+ "and dead_letter_queue = ? order by dead_lettered_at, id limit ? "
									+ "for update skip locked",
							surplus.queue(), Math.min(surplus.jobs(), limit - deleted));
				}
			}
			return deleted;
		});
	}

	private record Surplus(String queue, long jobs) {
	}

	private int delete(String sql, Object... parameters) {
		List<Doomed> doomed = this.database.jdbc().query(sql, (row, index) -> doomed(row), parameters);
		delete(doomed);
		return doomed.size();
	}

	private void delete(List<Doomed> doomed) {
		Map<UUID, @Nullable String> uniqueKeys = new LinkedHashMap<>();
		doomed.forEach((job) -> uniqueKeys.put(job.id(), job.uniqueKey()));
		this.database.jobs().delete(uniqueKeys);
	}

	private record Doomed(UUID id, @Nullable String uniqueKey) {
	}

	@Override
	public int pruneEvents(Instant before, int limit) {
		// Looks only at the oldest rows, so that the query does not read the others.
		return this.database.write("delete old events", () -> this.database.jdbc()
			.update("delete from ojs_event where seq in (select o.seq from "
					+ "(select seq, occurred_at from ojs_event order by seq limit ?) o " + "where o.occurred_at < ?)",
					limit, Times.utc(before)));
	}

}
