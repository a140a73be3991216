package io.ojs.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.Rfc3339;
import io.ojs.json.UndecodableJobException;
import io.ojs.store.RelayStore;
import io.ojs.store.RelayedJob;
import io.ojs.store.StoredJob;

/**
 * What a broker does not have of the jobs in a database.
 */
public final class JdbcRelayStore implements RelayStore {

	/** How much the clocks of instances differ, at most. */
	private static final Duration SKEW = Duration.ofSeconds(5);

	private final StoreDatabase database;

	/**
	 * Creates the store.
	 * @param database where jobs are kept
	 */
	public JdbcRelayStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public Taken take(Instant now, Instant until, int limit) {
		return this.database.write("take jobs to publish them", () -> take(
				this.database.jdbc()
					.query("select " + JobRow.ALL_COLUMNS + " from ojs_job where relay_at <= ? and ordinal is null "
							+ "order by relay_at limit ? for update skip locked", JobRows.ALL, Times.utc(now), limit),
				now, until));
	}

	@Override
	public Taken takeOrdered(Instant now, Instant until, int limit) {
		List<String> queues = this.database.read("look for ordered jobs to publish",
				() -> this.database.jdbc()
					.queryForList("select queue from ojs_job where ordinal is not null and relay_at <= ? "
							+ "group by queue order by min(relay_at)", String.class, Times.utc(now)));
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
		// Somebody has some, or they have to wait for their turn again: later ones must
		// not pass.
		boolean waits = !this.database.jdbc()
			.queryForList("select 1 from ojs_job where ordinal is not null and queue = ? and relay_at > ? "
					+ "and state = 'available' limit 1", Integer.class, queue, Times.utc(now))
			.isEmpty();
		return waits ? Taken.NOTHING
				: take(this.database.jdbc()
					.query("select " + JobRow.ALL_COLUMNS + " from ojs_job where ordinal is not null and queue = ? "
							+ "and relay_at <= ? order by ordinal limit ? for update", JobRows.ALL, queue,
							Times.utc(now), limit),
						now, until);
	}

	private Taken take(List<JobRow> rows, Instant now, Instant until) {
		Transitions transitions = new Transitions(this.database, now);
		List<RelayedJob> taken = new ArrayList<>(rows.size());
		List<UUID> available = new ArrayList<>(rows.size());
		List<Job> enqueued = new ArrayList<>();
		List<StoredJob> ended = new ArrayList<>();
		for (JobRow row : rows) {
			boolean scheduled = row.state == JobState.SCHEDULED;
			Optional<RelayedJob> relayed = take(row, transitions, Times.micros(now), Times.micros(until));
			relayed.ifPresent(taken::add);
			if (relayed.isEmpty()) {
				ended.add(this.database.jobs().stored(row));
			}
			else if (scheduled) {
				enqueued.add(relayed.get().encoded().job());
			}
			if (!transitions.changed().contains(row)) {
				available.add(row.id);
			}
		}
		this.database.jobs().touch("update ojs_job set relay_at = ? where id = any(?)", until, available);
		this.database.save(transitions);
		return new Taken(taken, enqueued, ended);
	}

	private Optional<RelayedJob> take(JobRow row, Transitions transitions, Instant now, Instant until) {
		if (row.expiresAt != null && row.expiresAt.isBefore(now)) {
			transitions.expire(row);
			return Optional.empty();
		}
		if (row.state != JobState.AVAILABLE) {
			transitions.makeAvailable(row, until);
		}
		try {
			return Optional.of(this.database.jobs().relayed(row));
		}
		catch (UndecodableJobException | InvalidJobException ex) {
			// It would come again and again, and hold others up.
			transitions.bury(row, new JobError(ex.getClass().getName(), JobError.INVALID_PAYLOAD,
					String.valueOf(ex.getMessage()), row.attempt, Rfc3339.utc(now), List.of(), Map.of()));
			return Optional.empty();
		}
	}

	@Override
	public void published(String queue, Collection<String> jobIds, Instant now) {
		List<UUID> ids = JobRows.ids(jobIds);
		// The queue is no condition: the index to look into is that of the ids. What was
		// delivered, and is to be published again since, has another message to come.
		this.database.write("note what was published", () -> this.database.jdbc()
			.update("update ojs_job set relay_at = case when queue = ? then null else relay_at end, "
					+ "published_at = case when queue = ? then cast(? as timestamp with time zone) "
					+ "else published_at end where id = any(?) and state = 'available' "
					+ "and (relay_at is null or relay_at > ? or (run = 0 and not rate_granted))", (statement) -> {
						statement.setString(1, queue);
						statement.setString(2, queue);
						statement.setObject(3, Times.utc(now));
						statement.setArray(4, statement.getConnection().createArrayOf("uuid", ids.toArray()));
						statement.setObject(5, Times.utc(now.plus(SKEW)));
					}));
	}

	@Override
	public void giveBack(Collection<String> jobIds, Instant relayAt) {
		this.database.write("give back what was not published",
				() -> this.database.jobs()
					.touch("update ojs_job set relay_at = ? where id = any(?) and state = 'available' "
							+ "and relay_at is not null", relayAt, JobRows.ids(jobIds)));
	}

	@Override
	public Optional<Instant> nextAt() {
		return this.database.read("look for the next job to publish",
				() -> this.database.jdbc()
					.query("select relay_at from ojs_job where relay_at is not null order by relay_at limit 1",
							(row, index) -> Times.read(row, "relay_at"))
					.stream()
					.findFirst());
	}

	@Override
	public Optional<Instant> nextAfter(Instant now) {
		return this.database.read("look for the next job to publish",
				() -> this.database.jdbc()
					.query("select relay_at from ojs_job where relay_at > ? order by relay_at limit 1",
							(row, index) -> Times.read(row, "relay_at"), Times.utc(now))
					.stream()
					.findFirst());
	}

	@Override
	public List<AtBroker> atBroker(Instant before) {
		return this.database.read("count published jobs", () -> this.database.jdbc()
			.query("select queue, count(case when state <> 'active' then 1 end) as jobs, "
					+ "count(case when state = 'active' then 1 end) as active "
					+ "from ojs_job where state in ('available', 'retryable', 'active') "
					+ "and ((state = 'available' and relay_at is null and published_at is not null "
					+ "and waiting_for is null) "
					+ "or (state = 'retryable' and due_at <= ?) or state = 'active') group by queue "
					+ "having min(case when state = 'available' then published_at end) < ? order by queue",
					(row, index) -> new AtBroker(row.getString("queue"), row.getLong("jobs"), row.getLong("active")),
					Times.utc(before), Times.utc(before)));
	}

	@Override
	public int publishAgain(String queue, Instant before, Instant relayAt, int limit) {
		return this.database.write("publish jobs again", () -> {
			List<UUID> ids = this.database.jdbc()
				.query("select id from ojs_job where state = 'available' and queue = ? and relay_at is null "
						+ "and waiting_for is null and published_at < ? order by published_at limit ? for update skip locked",
						(row, index) -> row.getObject("id", UUID.class), queue, Times.utc(before), limit);
			return this.database.jobs().touch("update ojs_job set relay_at = ? where id = any(?)", relayAt, ids);
		});
	}

}
