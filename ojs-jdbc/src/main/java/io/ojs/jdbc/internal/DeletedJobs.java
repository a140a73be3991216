package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.ojs.deadletter.internal.ReplayMarks;
import io.ojs.internal.engine.Times;
import org.jspecify.annotations.Nullable;

/**
 * Remembers jobs that were deleted and had not completed. The broker may still have the
 * message of such a job, after its worker has lost it and while its queue is paused. A
 * message of another producer does not say that this store knew its job: the remembered
 * id keeps the store from creating the job again when the message is delivered.
 */
public final class DeletedJobs {

	/**
	 * Remembers jobs whatever their state was, with two exceptions: completed jobs, whose
	 * worker has acknowledged the message, and jobs that no worker ever had, whose
	 * message was acknowledged.
	 */
	private static final String REMEMBER = "insert into ojs_deleted_job (id, prune_at) "
			+ "select r.id, current_timestamp + interval '7' day from (%s) r where r.run <> 0 "
			+ "and r.state <> 'completed' and not exists (select 1 from ojs_deleted_job d where d.id = r.id)";

	private final StoreDatabase database;

	public DeletedJobs(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Remembers those of some jobs that could be created again. The caller has locked
	 * them.
	 */
	public void remember(Collection<UUID> ids) {
		this.database.jdbc()
			.update(REMEMBER.formatted(this.database.dialect().byIds("id, run, state", "")), Dialect.ids(ids));
	}

	/**
	 * Returns which of some jobs are remembered. A job that an operator replays from the
	 * broker is never among them.
	 * @param stores the ids of the stores that the messages name, by the ids of their
	 * jobs
	 */
	public Set<UUID> among(Map<UUID, @Nullable String> stores) {
		List<UUID> ids = stores.keySet()
			.stream()
			// An operator wants this job to run, even if the store has deleted it.
			.filter((id) -> !ReplayMarks.STORE.equals(stores.get(id)))
			.toList();
		return ids.isEmpty() ? Set.of()
				: new HashSet<>(this.database.jdbc()
					.query(this.database.dialect().byIds("ojs_deleted_job", "id", ""), Dialect.ids(ids),
							(row, index) -> row.getObject("id", UUID.class)));
	}

	/** Forgets jobs that were deleted more than seven days ago. */
	public void prune(Instant now, int limit) {
		List<UUID> ids = this.database.jdbc()
			.queryForList("select id from ojs_deleted_job where prune_at < ? order by prune_at limit ? "
					+ "for update skip locked", UUID.class, Times.utc(now), limit);
		if (!ids.isEmpty()) {
			this.database.jdbc().update("delete from ojs_deleted_job where id = any(?)", Dialect.ids(ids));
		}
	}

}
