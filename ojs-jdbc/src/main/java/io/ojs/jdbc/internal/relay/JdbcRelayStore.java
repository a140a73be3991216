package io.ojs.jdbc.internal.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Relaying;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.Turns;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.relay.RelayStore;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.tenant.internal.limit.FairShares;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jobs in a database that the broker does not have.
 */
public final class JdbcRelayStore implements RelayStore {

	/** How many tenants one look covers, over all queues. */
	private static final int TENANTS = 1000;

	/**
	 * How often to look for jobs that other processes hold back, after a look that found
	 * none.
	 */
	private static final Duration IDLE = Duration.ofSeconds(5);

	private final StoreDatabase database;

	private final Turns turns;

	private volatile Instant lookAgainAt = Instant.MIN;

	/**
	 * The tenant after which the next look begins; {@code null} to begin with the first.
	 */
	private volatile Turns.@Nullable Tenant lookedAt;

	public JdbcRelayStore(StoreDatabase database) {
		this.database = database;
		this.turns = new Turns(database);
	}

	@Override
	public Taken take(Instant now, Instant until, int limit) {
		return this.database.write("take jobs to publish them",
				() -> take(this.database.jdbc()
					.query("select " + JobColumn.ALL_NAMES + " from ojs_job where relay_at <= ? and state <> 'active' "
							+ "and ordinal is null order by relay_at limit ? for update skip locked", JobRows.ALL,
							Times.utc(now), limit),
						now, until));
	}

	@Override
	public Taken takeOrdered(Instant now, Instant until, int limit) {
		List<String> queues = this.database.read("look for ordered jobs to publish",
				() -> this.database.jdbc()
					.queryForList(
							"select queue from ojs_job where ordinal is not null and relay_at <= ? "
									+ "and state <> 'active' group by queue order by min(relay_at)",
							String.class, Times.utc(now)));
		for (String queue : queues) {
			Taken taken = this.database.write("take ordered jobs to publish them",
					() -> takeOrdered(queue, now, until, limit));
			if (!taken.isEmpty()) {
				return taken;
			}
		}
		return Taken.NOTHING;
	}

	private Taken takeOrdered(String queue, Instant now, Instant until, int limit) {
		this.database.dialect().insertOrderLock(this.database.jdbc(), queue);
		this.database.jdbc()
			.queryForList("select queue from ojs_relay_order where queue = ? for update", String.class, queue);
		// Another relay has taken some of them, or some were given back for later: later
		// jobs must not overtake them.
		boolean waits = !this.database.jdbc()
			.queryForList(
					"select 1 from ojs_job where ordinal is not null and queue = ? and relay_at > ? "
							+ "and state = 'available' and worker_wait_until is null limit 1",
					Integer.class, queue, Times.utc(now))
			.isEmpty();
		if (waits) {
			return Taken.NOTHING;
		}
		String due = "from ojs_job where ordinal is not null and queue = ? and relay_at <= ? and state <> 'active' "
				+ "order by ordinal limit ?";
		List<UUID> order = this.database.jdbc()
			.query("select id " + due, (row, index) -> row.getObject("id", UUID.class), queue, Times.utc(now), limit);
		Map<UUID, JobRow> free = this.database.jobs().lockFree(order, true);
		List<JobRow> rows = order.stream()
			.map(free::get)
			// Later jobs must not overtake one that another transaction has locked.
			.takeWhile((row) -> row != null && row.relayAt != null && !row.relayAt.isAfter(now))
			.toList();
		rows.forEach((row) -> row.ordered = true);
		return take(rows, now, until);
	}

	@Override
	public Taken takeInTurn(Instant now, Instant until, Predicate<String> wanted, int limit) {
		FairShares shares = this.database.options().shares();
		if (!shares.isEnabled() && now.isBefore(this.lookAgainAt)) {
			return Taken.NOTHING;
		}
		Turns.Tenant after = this.lookedAt;
		List<Turns.Waiting> waiting = this.database.read("look for jobs that wait for the turn of their tenant",
				() -> this.turns.waiting(after, TENANTS));
		boolean more = waiting.size() == TENANTS;
		this.lookedAt = more ? waiting.get(TENANTS - 1).tenant() : null;
		Map<String, List<Turns.Waiting>> byQueue = waiting.stream()
			.collect(Collectors.groupingBy((each) -> each.tenant().queue(), LinkedHashMap::new, Collectors.toList()));
		if (after == null && !more) {
			shares.waitingOnly(byQueue.keySet());
			this.lookAgainAt = waiting.isEmpty() ? now.plus(IDLE) : now;
		}
		Map<Turns.Tenant, Integer> rooms = new LinkedHashMap<>();
		byQueue.forEach((queue, tenants) -> {
			if (wanted.test(queue)) {
				rooms.putAll(rooms(queue, tenants, now));
			}
		});
		return rooms.isEmpty() ? Taken.NOTHING
				: this.database.write("take jobs whose tenant has its turn", () -> take(rooms, now, until, limit));
	}

	/**
	 * Returns how many jobs tenants may send to the broker. Leaves out a tenant with less
	 * than a quarter of its share free: to publish jobs one by one would cost more.
	 */
	private Map<Turns.Tenant, Integer> rooms(String queue, List<Turns.Waiting> tenants, Instant now) {
		FairShares shares = this.database.options().shares();
		FairShares.Demand demand = this.database.read("count running jobs", () -> this.turns.demand(queue, tenants));
		int share = shares.found(queue, demand, now);
		Map<Turns.Tenant, Integer> rooms = new LinkedHashMap<>();
		for (Turns.Waiting each : tenants) {
			int room = share - each.atBroker();
			if (room >= Math.max(1, share / 4)) {
				rooms.put(each.tenant(), room);
			}
		}
		if (!rooms.isEmpty()) {
			shares.filled(queue, demand, rooms.values().stream().mapToInt(Integer::intValue).sum(), now);
		}
		return rooms;
	}

	private Taken take(Map<Turns.Tenant, Integer> rooms, Instant now, Instant until, int limit) {
		List<List<JobRow>> rows = new ArrayList<>();
		int left = limit;
		for (Map.Entry<Turns.Tenant, Integer> room : rooms.entrySet()) {
			if (left > 0) {
				List<JobRow> own = this.turns.next(room.getKey(), Math.min(left, room.getValue()));
				own.forEach((row) -> row.awaitsTurn = false);
				rows.add(own);
				left -= own.size();
			}
		}
		return take(Turns.alternating(rows), now, until);
	}

	private Taken take(List<JobRow> rows, Instant now, Instant until) {
		Transitions transitions = this.database.transitions(now);
		Relaying relaying = new Relaying(this.database.codec(), transitions);
		Map<JobRow, RelayedJob> taken = new LinkedHashMap<>();
		for (JobRow row : rows) {
			take(row, relaying, until).ifPresent((job) -> taken.put(row, job));
		}
		this.turns.decide(List.copyOf(taken.keySet()));
		touch(taken.keySet().stream().filter((row) -> !transitions.changed().contains(row)).toList(), until);
		this.database.save(transitions);
		List<RelayedJob> wanted = new ArrayList<>(taken.size());
		taken.forEach((row, job) -> {
			if (!Boolean.TRUE.equals(row.awaitsTurn)) {
				wanted.add(job);
			}
		});
		return new Taken(wanted, rows.size() - wanted.size());
	}

	/**
	 * Writes rows that no transition has changed: those of jobs that were available
	 * before.
	 */
	private void touch(List<JobRow> rows, Instant until) {
		JobRows jobs = this.database.jobs();
		jobs.touch("update ojs_job set relay_at = ?, worker_wait_until = null where id = any(?)", until,
				ids(rows, null));
		jobs.touch("update ojs_job set relay_at = ?, awaits_turn = false, worker_wait_until = null where id = any(?)",
				until, ids(rows, false));
		List<UUID> awaitsTurn = ids(rows, true);
		if (!awaitsTurn.isEmpty()) {
			this.database.jdbc()
				.update("update ojs_job set relay_at = null, awaits_turn = true, worker_wait_until = null where id = any(?)",
						Dialect.ids(awaitsTurn));
		}
	}

	private static List<UUID> ids(List<JobRow> rows, @Nullable Boolean awaitsTurn) {
		return rows.stream().filter((row) -> Objects.equals(row.awaitsTurn, awaitsTurn)).map((row) -> row.id).toList();
	}

	private static Optional<RelayedJob> take(JobRow row, Relaying relaying, Instant until) {
		Optional<RelayedJob> taken = relaying.take(row, until);
		if (row.state == JobState.AVAILABLE && row.hasPlaces && row.tenant != null) {
			// The job has a place under a limit, and must not keep it from others while
			// it waits.
			row.awaitsTurn = false;
		}
		return taken;
	}

	@Override
	public void published(String queue, Map<String, Instant> jobs, Instant now) {
		this.database.write("note what was published", () -> {
			this.database.dialect().published(this.database.jdbc(), JobRows.times(jobs), now);
			return jobs;
		});
	}

	@Override
	public void giveBack(Collection<String> jobIds, Instant relayAt) {
		this.database.write("give back what was not published", () -> {
			List<UUID> waiting = this.database.jobs()
				.lockFree(JobRows.ids(jobIds), false)
				.values()
				.stream()
				.filter((row) -> row.state == JobState.AVAILABLE && row.relayAt != null)
				.map((row) -> row.id)
				.toList();
			return this.database.jobs().touch("update ojs_job set relay_at = ? where id = any(?)", relayAt, waiting);
		});
	}

	@Override
	public List<StoredJob> bury(Map<String, String> reasons, Instant now) {
		return this.database.write("give up jobs that cannot be published", () -> {
			Transitions transitions = this.database.transitions(now);
			List<StoredJob> buried = new ArrayList<>();
			this.database.jobs().lockFree(JobRows.ids(reasons.keySet()), true).forEach((id, row) -> {
				if (row.state == JobState.AVAILABLE && row.relayAt != null) {
					transitions.bury(row, new JobError("unpublishable", JobError.INVALID_PAYLOAD,
							reasons.get(id.toString()), row.attempt, Rfc3339.utc(now), List.of(), Map.of()));
					buried.add(this.database.codec().stored(row));
				}
			});
			this.database.save(transitions);
			return buried;
		});
	}

	@Override
	public Optional<Instant> nextAt() {
		Optional<Instant> inTurn = this.database.options()
			.shares()
			.pause()
			.map((pause) -> this.database.options().clock().instant().plus(pause));
		return this.database.read("look for the next job to publish",
				() -> this.database.jdbc()
					.query("select relay_at from ojs_job where relay_at is not null and state <> 'active' "
							+ "order by relay_at limit 1", (row, index) -> SqlTimes.read(row, "relay_at"))
					.stream()
					.findFirst()
					.filter((next) -> inTurn.isEmpty() || next.isBefore(inTurn.get()))
					.or(() -> inTurn));
	}

	@Override
	public Optional<Instant> nextAfter(Instant now) {
		return this.database.read("look for the next job to publish", () -> this.database.jdbc()
			.query("select relay_at from ojs_job where relay_at > ? and state <> 'active' "
					+ "order by relay_at limit 1", (row, index) -> SqlTimes.read(row, "relay_at"), Times.utc(now))
			.stream()
			.findFirst());
	}

	@Override
	public List<AtBroker> atBroker(Instant before) {
		return this.database.read("count published jobs", () -> this.database.jdbc()
			.query("select queue, count(case when state <> 'active' then 1 end) as jobs, "
					+ "count(case when state = 'active' then 1 end) as active "
					+ "from ojs_job where ended_at is null and state in ('available', 'retryable', 'active') "
					+ "and ((state = 'available' and relay_at is null and published_at is not null "
					+ "and blocked_by is null and (awaits_turn is null or awaits_turn = false)) "
					+ "or (state = 'retryable' and due_at <= ?) or state = 'active') group by queue "
					+ "having min(case when state = 'available' then published_at end) < ? order by queue",
					(row, index) -> new AtBroker(row.getString("queue"), row.getLong("jobs"), row.getLong("active")),
					Times.utc(before), Times.utc(before)));
	}

	@Override
	public int publishAgain(String queue, Instant before, Instant relayAt, int limit) {
		return this.database.write("publish jobs again", () -> this.database.jobs()
			.touch("update ojs_job set relay_at = ? where id = any(?)", relayAt, overdue(queue, before, limit)));
	}

	@Override
	public int giveUp(String queue, Instant before, int limit) {
		return this.database.write("give up jobs that a foreign consumer may have", () -> {
			List<UUID> ids = overdue(queue, before, limit);
			return ids.isEmpty() ? 0 : this.database.jdbc()
				.update("update ojs_job set published_at = null where id = any(?)", Dialect.ids(ids));
		});
	}

	/** Locks jobs that were published before a time, the oldest first. */
	private List<UUID> overdue(String queue, Instant before, int limit) {
		return this.database.jdbc()
			.query("select id from ojs_job where ended_at is null and state = 'available' and queue = ? and relay_at is null "
					+ "and blocked_by is null and (awaits_turn is null or awaits_turn = false) and published_at < ? "
					+ "order by published_at limit ? for update skip locked",
					(row, index) -> row.getObject("id", UUID.class), queue, Times.utc(before), limit);
	}

}
