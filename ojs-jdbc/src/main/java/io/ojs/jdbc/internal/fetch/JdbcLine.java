package io.ojs.jdbc.internal.fetch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Line;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.tenant.internal.limit.FairShares;
import org.jspecify.annotations.Nullable;

/**
 * The jobs in the table {@code ojs_job} that one worker can run, for one transaction.
 */
final class JdbcLine implements Line {

	/** What is asked of jobs that wait for a worker; its parameter is the queue. */
	static final String READY = " queue = ? and fetchable and blocked_by is null and state = 'available'";

	private final StoreDatabase database;

	/** The only tenant whose jobs the worker wants; {@code null} for all. */
	private final @Nullable String tenant;

	private final HandledCondition handled;

	/** The queue of which this transaction has locked all jobs that were free. */
	private @Nullable String exhausted;

	JdbcLine(StoreDatabase database, @Nullable String tenant, HandledCondition handled) {
		this.database = database;
		this.tenant = tenant;
		this.handled = handled;
	}

	@Override
	public List<JobRow> due(String queue, Instant now, int most) {
		return this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where queue = ? and due_at <= ? "
					+ "and state in ('scheduled', 'retryable') order by due_at limit ? for update skip locked",
					JobRows.ALL, queue, Times.utc(now), most);
	}

	@Override
	public List<JobRow> next(String queue, int most) {
		if (hasTurns()) {
			return new FetchTurns(this.database, this.handled).next(queue, most);
		}
		if (queue.equals(this.exhausted)) {
			return List.of();
		}
		List<JobRow> rows = this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where" + READY + condition()
					+ " order by priority desc, enqueued_at, id limit ? for update skip locked", JobRows.ALL,
					parameters(queue, most));
		this.exhausted = (rows.size() < most) ? queue : null;
		return rows;
	}

	private boolean hasTurns() {
		return this.tenant == null && this.database.options().shares().isEnabled();
	}

	@Override
	public void taken(JobRow row) {
		FairShares shares = this.database.options().shares();
		if (hasTurns() && row.tenant != null) {
			// Not a tenant whose job was only looked at: the next fetch begins after the
			// last tenant that was served.
			shares.serve(row.queue, row.tenant);
		}
	}

	/**
	 * Whether jobs are available, including those that another transaction, such as that
	 * of the relay, has locked.
	 */
	boolean isAvailable(List<String> queues) {
		String sql = "select 1 from ojs_job where" + READY + condition() + " limit 1";
		return queues.stream()
			.anyMatch((queue) -> !this.database
				.read("look for available jobs",
						() -> this.database.jdbc().queryForList(sql, Integer.class, parameters(queue)))
				.isEmpty());
	}

	private String condition() {
		return ((this.tenant != null) ? " and tenant = ?" : "") + this.handled.sql();
	}

	private Object[] parameters(String queue, Object... more) {
		List<Object> parameters = new ArrayList<>(List.of(queue));
		if (this.tenant != null) {
			parameters.add(this.tenant);
		}
		parameters.addAll(this.handled.parameters());
		parameters.addAll(List.of(more));
		return parameters.toArray();
	}

}
