package io.ojs.jdbc.internal.fetch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.internal.engine.JobRow;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.Turns;
import io.ojs.tenant.internal.limit.FairShares;
import org.jspecify.annotations.Nullable;

/**
 * Locks jobs for a fetch. Jobs of equal priority come from one tenant after another. A
 * fetch looks at no more tenants than it takes jobs.
 */
final class FetchTurns {

	private static final String IN_ORDER = " order by priority desc, enqueued_at, id limit ? for update skip locked";

	private final StoreDatabase database;

	private final FairShares shares;

	/**
	 * Condition on the jobs that the worker takes. Its parameters are the queue and
	 * {@code handled}.
	 */
	private final String ready;

	private final List<Object> handled;

	FetchTurns(StoreDatabase database, HandledCondition handled) {
		this.database = database;
		this.ready = JdbcLine.READY + handled.sql() + " ";
		this.handled = handled.parameters();
		this.shares = database.options().shares();
	}

	/**
	 * Locks the next jobs of a queue.
	 * @param most how many jobs at most
	 * @return the jobs; empty if other transactions have locked all that there are
	 */
	List<JobRow> next(String queue, int most) {
		Optional<Head> head = head(queue, null);
		while (head.isPresent()) {
			List<JobRow> rows = next(queue, head.get(), most);
			if (!rows.isEmpty()) {
				return rows;
			}
			// Other transactions have locked all jobs of this priority.
			head = head(queue, head.get().priority());
		}
		return List.of();
	}

	private List<JobRow> next(String queue, Head head, int most) {
		if (head.ordered()) {
			return inOrder(queue, head.priority(), most);
		}
		if (head.tenant() == null) {
			List<JobRow> ofNobody = inOrder(queue, head.priority(), most).stream()
				.takeWhile((row) -> row.tenant == null)
				.toList();
			if (!ofNobody.isEmpty()) {
				return ofNobody;
			}
		}
		List<JobRow> rows = byTurns(queue, head.priority(), most);
		return rows.isEmpty() ? inOrder(queue, head.priority(), most) : rows;
	}

	/** The first job of a queue, even if another transaction has locked it. */
	private Optional<Head> head(String queue, @Nullable Integer below) {
		return this.database.jdbc()
			.query("select priority, tenant, ordinal from ojs_job where" + this.ready
					+ ((below != null) ? "and priority < ? " : "") + "order by priority desc, enqueued_at, id limit 1",
					(row, index) -> new Head(row.getInt("priority"), row.getString("tenant"),
							row.getObject("ordinal") != null),
					(below != null) ? parameters(queue, below) : parameters(queue))
			.stream()
			.findFirst();
	}

	private List<JobRow> inOrder(String queue, int priority, int most) {
		return this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where" + this.ready + "and priority >= ?"
					+ IN_ORDER, JobRows.ALL, parameters(queue, priority, most));
	}

	private List<JobRow> byTurns(String queue, int priority, int most) {
		String last = this.shares.served(queue);
		List<String> tenants = new ArrayList<>(tenants(queue, priority, last, most));
		if (tenants.size() < most && !last.isEmpty()) {
			tenants(queue, priority, "", most).stream()
				.takeWhile((tenant) -> !tenants.contains(tenant))
				.limit(most - tenants.size())
				.toList()
				.forEach(tenants::add);
		}
		if (tenants.isEmpty()) {
			return List.of();
		}
		int each = Math.max(1, most / tenants.size());
		Map<String, List<JobRow>> rows = new LinkedHashMap<>();
		for (String tenant : tenants) {
			List<JobRow> own = this.database.jdbc()
				.query("select " + JobColumn.ALL_NAMES + " from ojs_job where" + this.ready
						+ "and priority = ? and tenant = ?" + IN_ORDER, JobRows.ALL,
						parameters(queue, priority, tenant, each));
			if (!own.isEmpty()) {
				rows.put(tenant, own);
			}
		}
		return Turns.alternating(rows.values());
	}

	/** The tenants after another one, in their order. */
	private List<String> tenants(String queue, int priority, String after, int limit) {
		String first = "select tenant from ojs_job where" + this.ready
				+ "and priority = ? and tenant > ? order by tenant limit ";
		if (this.database.dialect() != Dialect.POSTGRESQL) {
			return this.database.jdbc()
				.queryForList(first.replace("select tenant", "select distinct tenant") + "?", String.class,
						parameters(queue, priority, after, limit));
		}
		String next = first.replace("tenant > ?", "tenant > l.tenant");
		List<Object> parameters = new ArrayList<>(List.of(parameters(queue, priority, after)));
		parameters.addAll(List.of(parameters(queue, priority)));
		parameters.add(limit);
		return this.database.jdbc()
			.queryForList(
					"with recursive line (tenant) as ((" + first + "1) union all select n.tenant from line l "
							+ "cross join lateral (" + next + "1) n) select tenant from line limit ?",
					String.class, parameters.toArray());
	}

	private Object[] parameters(String queue, Object... more) {
		List<Object> parameters = new ArrayList<>();
		parameters.add(queue);
		parameters.addAll(this.handled);
		parameters.addAll(List.of(more));
		return parameters.toArray();
	}

	/**
	 * The first job of a queue.
	 *
	 * @param tenant its tenant; {@code null} without one
	 * @param ordered whether its queue keeps jobs in their order
	 */
	private record Head(int priority, @Nullable String tenant, boolean ordered) {
	}

}
