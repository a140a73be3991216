package io.ojs.jdbc;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.ojs.deadletter.ReplayMarks;
import io.ojs.engine.Times;
import org.jspecify.annotations.Nullable;

/**
 * Remembers jobs that were deleted and had not completed. A message of another producer
 * does not say that this store knew its job, and may be delivered again after that: its
 * worker has lost it, and its queue is paused. It does not bring the job back.
 */
public final class DeletedJobs {

	/**
	 * Whichever state it had. A job that no worker has ever had is left out, as its
	 * message was acknowledged, and one that has completed, as its worker has done so.
	 */
	private static final String REMEMBER = "insert into ojs_deleted_job (id, prune_at) "
			+ "select r.id, current_timestamp + interval '7' day from (%s) r where r.run <> 0 "
			+ "and r.state <> 'completed' and not exists (select 1 from ojs_deleted_job d where d.id = r.id)";

	private final StoreDatabase database;

	/**
	 * Creates it.
	 * @param database where the jobs were
	 */
	public DeletedJobs(StoreDatabase database) {
		this.database = database;
	}

	/** Remembers those of some jobs that may come back. They are locked. */
	void remember(Collection<UUID> ids) {
		this.database.jdbc()
			.update(REMEMBER.formatted(this.database.dialect().byIds("id, run, state", "")), Dialect.ids(ids));
	}

	/**
	 * Which of some jobs are remembered.
	 * @param stores the ids of the stores that their messages name, by their own
	 */
	public Set<UUID> among(Map<UUID, @Nullable String> stores) {
		List<UUID> ids = stores.keySet()
			.stream()
			// Asked for by an operator, whatever became of it before.
			.filter((id) -> !ReplayMarks.STORE.equals(stores.get(id)))
			.toList();
		return ids.isEmpty() ? Set.of()
				: new HashSet<>(this.database.jdbc()
					.query(this.database.dialect().byIds("ojs_deleted_job", "id", ""), Dialect.ids(ids),
							(row, index) -> row.getObject("id", UUID.class)));
	}

	/** Forgets those whose time is over. */
	void prune(Instant now, int limit) {
		List<UUID> ids = this.database.jdbc()
			.queryForList("select id from ojs_deleted_job where prune_at < ? order by prune_at limit ? "
					+ "for update skip locked", UUID.class, Times.utc(now), limit);
		if (!ids.isEmpty()) {
			this.database.jdbc().update("delete from ojs_deleted_job where id = any(?)", Dialect.ids(ids));
		}
	}

}
