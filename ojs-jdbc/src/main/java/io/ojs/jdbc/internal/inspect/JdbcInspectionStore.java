package io.ojs.jdbc.internal.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.inspect.InspectionStore;
import io.ojs.internal.inspect.JobHistory;
import io.ojs.internal.inspect.JobSituation;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.queue.JdbcQueueStore;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Reads one job and what its start depends on. Locks nothing, and counts lines only up to
 * {@link #COUNTED}.
 */
public final class JdbcInspectionStore implements InspectionStore {

	/**
	 * The first jobs of a queue in their order. Without a condition on the state, which
	 * would have the planner read and sort all of them; jobs that run may be among them.
	 */
	private static final String IN_QUEUE = "select id, state from ojs_job where queue = ? and fetchable "
			+ "and blocked_by is null ";

	/** How many jobs are read of a line, also those that run. */
	private static final int READ = 4 * COUNTED;

	private static final String IN_ORDER = "order by priority desc, enqueued_at, id limit " + READ;

	private final StoreDatabase database;

	private final JobEventsQuery events;

	public JdbcInspectionStore(StoreDatabase database) {
		this.database = database;
		this.events = new JobEventsQuery(database);
	}

	@Override
	public Optional<JobSituation> situation(String jobId, @Nullable String tenant) {
		return this.database.read("look at a job",
				() -> find(jobId, tenant).map((row) -> situation(row, tenant != null)));
	}

	private Optional<JobRow> find(String jobId, @Nullable String tenant) {
		return this.database.jobs().find(jobId).filter((row) -> tenant == null || tenant.equals(row.tenant));
	}

	private JobSituation situation(JobRow row, boolean ofTenant) {
		List<JobError> errors = this.database.codec().json().readErrors(row.errors);
		if (row.state.isTerminal() || row.state == JobState.ACTIVE) {
			return new JobSituation(row, errors, null, -1, leaseEnd(row));
		}
		return new JobSituation(row, errors, pause(row.queue), before(row, ofTenant), null);
	}

	/** Returns when the lease of a run ends that its process does not extend. */
	private @Nullable Instant leaseEnd(JobRow row) {
		if (row.state != JobState.ACTIVE || row.leaseUntil == null || row.startedAt == null
				|| row.leaseMillis != null) {
			return row.leaseUntil;
		}
		Duration length = Duration.between(row.startedAt, row.leaseUntil);
		return this.database.jdbc()
			.query("select seen_at from ojs_process where id = ?", (set, index) -> SqlTimes.instant(set, "seen_at"),
					row.worker)
			.stream()
			.map((seen) -> seen.plus(length))
			.filter((end) -> end.isAfter(row.leaseUntil))
			.findFirst()
			.orElse(row.leaseUntil);
	}

	private JobSituation.@Nullable Pause pause(String queue) {
		return this.database.jdbc()
			.query("select " + JdbcQueueStore.STATE_SINCE + ", " + JdbcQueueStore.STATE_BY
					+ " from ojs_queue where name = ? and state = 'paused'",
					(row, index) -> new JobSituation.Pause(SqlTimes.instant(row, "state_since"),
							row.getString("state_by")),
					queue)
			.stream()
			.findFirst()
			.orElse(null);
	}

	/** Counts the jobs that are before an available one. */
	private int before(JobRow row, boolean ofTenant) {
		if (row.state != JobState.AVAILABLE || row.blockedBy != null) {
			return -1;
		}
		List<Object> parameters = new ArrayList<>(List.of(row.queue));
		StringBuilder where = new StringBuilder(IN_QUEUE);
		if (row.tenant != null && (ofTenant || Boolean.TRUE.equals(row.awaitsTurn))) {
			where.append("and tenant = ? ");
			parameters.add(row.tenant);
		}
		if (Boolean.TRUE.equals(row.awaitsTurn)) {
			where.append("and awaits_turn is not null and awaits_turn = true ");
		}
		List<UUID> line = new ArrayList<>();
		int[] read = { 0 };
		this.database.jdbc().query(where + IN_ORDER, (set) -> {
			read[0]++;
			if (JobState.AVAILABLE.wireName().equals(set.getString("state"))) {
				line.add(set.getObject("id", UUID.class));
			}
		}, parameters.toArray());
		int place = line.indexOf(row.id);
		boolean longer = place < 0 && read[0] == READ && line.size() >= COUNTED;
		return longer ? COUNTED : Math.min(place, COUNTED);
	}

	@Override
	public Optional<JobHistory> history(String jobId, @Nullable String tenant) {
		return this.database.read("look at the history of a job", () -> find(jobId, tenant).map((row) -> {
			List<JobError> errors = this.database.codec().json().readErrors(row.errors);
			return new JobHistory(row, errors, this.events.of(row, errors));
		}));
	}

}
