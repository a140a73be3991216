package io.ojs.jdbc;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.ToLongFunction;

import io.ojs.store.RetentionStore;

/**
 * Forgets what has ended in a database.
 */
public final class JdbcRetentionStore implements RetentionStore {

	private final StoreDatabase database;

	/**
	 * Creates the store.
	 * @param database where jobs are kept
	 */
	public JdbcRetentionStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public int prune(Instant now, int limit) {
		return this.database.write("delete jobs that ended long ago",
				// Not before its workflow has no more use for its result.
				() -> delete(
						"select id, unique_key from ojs_job j where prune_at < ? and (workflow_id is null "
								+ "or not exists (select 1 from ojs_workflow w where w.id = j.workflow_id "
								+ "and w.ended_at is null)) order by prune_at limit ? for update skip locked",
						Times.utc(now), limit));
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
		List<Doomed> doomed = this.database.jdbc()
			.query(sql, (row, index) -> new Doomed(row.getObject("id", UUID.class), row.getString("unique_key")),
					parameters);
		delete(this.database, doomed.stream().map(Doomed::id).toList(),
				doomed.stream().map(Doomed::uniqueKey).filter(Objects::nonNull).toList());
		return doomed.size();
	}

	/** Deletes jobs that are locked, and the keys that nobody else has. */
	static void delete(StoreDatabase database, List<UUID> ids, List<String> uniqueKeys) {
		if (ids.isEmpty()) {
			return;
		}
		database.jdbc().update("delete from ojs_job where id = any(?)", Dialect.ids(ids));
		TreeSet<String> keys = new TreeSet<>(uniqueKeys);
		if (!keys.isEmpty()) {
			// Nothing depends on the row once no job has the key: it is only what those
			// wait for who insert such a job at the same time.
			database.jdbc()
				.batchUpdate(
						"delete from ojs_unique_key k where k.unique_key = ? "
								+ "and not exists (select 1 from ojs_job j where j.unique_key = k.unique_key)",
						keys.stream().map((key) -> new Object[] { key }).toList());
		}
	}

	private record Doomed(UUID id, String uniqueKey) {
	}

	@Override
	public int pruneEvents(Instant before, int limit) {
		// Only among the oldest: the others are not looked at.
		return this.database.write("delete old events", () -> this.database.jdbc()
			.update("delete from ojs_event where seq in (select o.seq from "
					+ "(select seq, occurred_at from ojs_event order by seq limit ?) o " + "where o.occurred_at < ?)",
					limit, Times.utc(before)));
	}

}
