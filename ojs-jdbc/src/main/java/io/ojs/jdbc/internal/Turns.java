package io.ojs.jdbc.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.JobState;
import io.ojs.tenant.internal.limit.FairShares;
import org.jspecify.annotations.Nullable;

/**
 * Decides which jobs wait in the store for the turn of their tenant. The rows keep the
 * decision: of available jobs, {@code awaits_turn} is {@code true} for jobs that wait,
 * and {@code false} for jobs that the broker has or is about to get.
 */
public final class Turns {

	/**
	 * Condition on jobs that wait. It names the condition of the index,
	 * {@code is not null}.
	 */
	public static final String AWAITS_TURN = " awaits_turn is not null and awaits_turn = true and blocked_by is null ";

	private static final String AT_BROKER = " awaits_turn is not null and awaits_turn = false and blocked_by is null ";

	/** Goes from one tenant to the next, without reading all jobs of each. */
	private static final String SKIPPING = "with recursive line (queue, tenant) as ((select queue, tenant from ojs_job "
			+ "where" + AWAITS_TURN + "and (queue, tenant) > (?, ?) order by queue, tenant limit 1) union all "
			+ "select n.queue, n.tenant from line l cross join lateral (select queue, tenant from ojs_job where"
			+ AWAITS_TURN + "and (queue, tenant) > (l.queue, l.tenant) order by queue, tenant limit 1) n) ";

	private static final String DISTINCT = "with line as (select distinct queue, tenant from ojs_job where"
			+ AWAITS_TURN + "and (queue, tenant) > (?, ?) order by queue, tenant) ";

	private static final String WITH_COUNTS = "select l.queue, l.tenant, (%s) as at_broker from line l limit ?";

	private static final String AT_MOST = "select count(*) from (select 1 from ojs_job where" + AT_BROKER
			+ "and queue = l.queue and tenant = l.tenant order by priority desc, enqueued_at, id limit ?) s";

	/** For H2, which cannot refer to {@code line} from a query in a query. */
	private static final String ALL = "select least(count(*), ?) from ojs_job where" + AT_BROKER
			+ "and queue = l.queue and tenant = l.tenant";

	/**
	 * Reads in the order of an index, so that the planner does not scan the table for an
	 * early match.
	 */
	private static final String ROOM = "select (select count(*) from (select 1 from ojs_job where" + AT_BROKER
			+ "and queue = ? and tenant = ? order by priority desc, enqueued_at, id limit ?) s) as at_broker, (select priority from ojs_job where"
			+ AWAITS_TURN + "and queue = ? and tenant = ? order by priority desc, enqueued_at, id limit 1) as waiting";

	/**
	 * Counts running jobs that have a tenant or a limit. Other jobs are in no index for
	 * this, and take no share.
	 */
	private static final String ACTIVE = "select count(*) as jobs, count(distinct worker) as workers from "
			+ "(select worker from ojs_job where has_places and state = 'active' and queue = ? limit "
			+ FairShares.MOST_MAX_WINDOW + ") a";

	private final StoreDatabase database;

	public Turns(StoreDatabase database) {
		this.database = database;
	}

	private FairShares shares() {
		return this.database.options().shares();
	}

	/**
	 * Decides which jobs wait: jobs whose tenant has other jobs that wait, and jobs for
	 * which the share of their tenant has no room. The caller writes the rows.
	 * @param rows the rows of jobs that are about to be published
	 */
	public void decide(List<JobRow> rows) {
		if (!shares().isEnabled()) {
			return;
		}
		Map<Tenant, List<JobRow>> byTenant = rows.stream()
			.filter(Turns::isAsked)
			.collect(Collectors.groupingBy((row) -> new Tenant(row.queue, Objects.requireNonNull(row.tenant)),
					LinkedHashMap::new, Collectors.toList()));
		byTenant.forEach((tenant, jobs) -> {
			int room = room(tenant);
			List<JobRow> sorted = jobs.stream()
				.sorted(Comparator.comparingInt((JobRow row) -> row.priority).reversed())
				.toList();
			sorted.stream().limit(room).forEach((row) -> row.awaitsTurn = false);
			sorted.stream().skip(room).forEach((row) -> {
				row.awaitsTurn = true;
				row.relayAt = null;
			});
			if (sorted.size() > room && shares().waiting(tenant.queue())) {
				this.database.relayable();
			}
		});
	}

	/** Whether to decide about a job. A job that has had its turn keeps it. */
	private static boolean isAsked(JobRow row) {
		return row.tenant != null && row.state == JobState.AVAILABLE && !row.ordered && row.relayAt != null
				&& !Boolean.FALSE.equals(row.awaitsTurn);
	}

	private int room(Tenant tenant) {
		int share = shares().share(tenant.queue());
		return Objects.requireNonNull(this.database.jdbc()
			.queryForObject(ROOM,
					(row, index) -> (row.getObject("waiting") != null) ? 0
							: Math.max(0, share - row.getInt("at_broker")),
					tenant.queue(), tenant.tenant(), share, tenant.queue(), tenant.tenant()));
	}

	/**
	 * Finds tenants with jobs that wait, by queue and tenant.
	 * @param after the tenant after which to begin; {@code null} to begin with the first
	 * @param limit how many tenants at most
	 */
	public List<Waiting> waiting(@Nullable Tenant after, int limit) {
		Tenant from = Objects.requireNonNullElse(after, Tenant.FIRST);
		String sql = (this.database.dialect() == Dialect.POSTGRESQL) ? SKIPPING + WITH_COUNTS.formatted(AT_MOST)
				: DISTINCT + WITH_COUNTS.formatted(ALL);
		return this.database.jdbc()
			.query(sql, (row, index) -> new Waiting(new Tenant(row.getString("queue"), row.getString("tenant")),
					row.getInt("at_broker")), from.queue(), from.tenant(), FairShares.MOST_MAX_WINDOW, limit);
	}

	/** Returns the numbers that decide how large the shares of a queue are. */
	public FairShares.Demand demand(String queue, List<Waiting> waiting) {
		int atBroker = waiting.stream().mapToInt(Waiting::atBroker).sum();
		return Objects.requireNonNull(this.database.jdbc()
			.queryForObject(ACTIVE, (row, index) -> new FairShares.Demand(waiting.size(), atBroker, row.getInt("jobs"),
					row.getInt("workers")), queue));
	}

	/** Locks the next jobs of a tenant that wait for their turn. */
	public List<JobRow> next(Tenant tenant, int limit) {
		return this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where" + AWAITS_TURN
					+ "and queue = ? and tenant = ? order by priority desc, enqueued_at, id limit ? "
					+ "for update skip locked", JobRows.ALL, tenant.queue(), tenant.tenant(), limit);
	}

	/**
	 * Wakes the relay when so many jobs have started that others should follow.
	 * @param started the rows of jobs that start in this transaction
	 */
	public void follow(List<JobRow> started) {
		Map<String, Long> byQueue = started.stream()
			.filter((row) -> row.hadTurn)
			.collect(Collectors.groupingBy((row) -> row.queue, Collectors.counting()));
		boolean due = false;
		for (Map.Entry<String, Long> queue : byQueue.entrySet()) {
			due |= shares().started(queue.getKey(), queue.getValue().intValue());
		}
		if (due) {
			this.database.relayable();
		}
	}

	/** Returns the first element of each list, then the second of each, and so on. */
	public static <T> List<T> alternating(Iterable<? extends List<T>> lists) {
		List<T> all = new ArrayList<>();
		List<Iterator<T>> left = new ArrayList<>();
		lists.forEach((list) -> left.add(list.iterator()));
		while (!left.isEmpty()) {
			left.removeIf((each) -> !each.hasNext());
			left.forEach((each) -> all.add(each.next()));
		}
		return all;
	}

	/**
	 * A tenant in a queue.
	 *
	 */
	public record Tenant(String queue, String tenant) {

		/** Sorts before all tenants. */
		static final Tenant FIRST = new Tenant("", "");

	}

	/**
	 * A tenant that has jobs in a queue that wait.
	 *
	 * @param atBroker how many of its jobs of the queue the broker has
	 */
	public record Waiting(Tenant tenant, int atBroker) {
	}

}
