package io.ojs.jdbc.internal.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.engine.Fetching;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.JobRowCodec;
import io.ojs.internal.engine.ProcessTaking;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.FetchedRun;
import io.ojs.internal.fetch.FetchedRuns;
import io.ojs.internal.fetch.LeasedRun;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.internal.fetch.Reservation;
import io.ojs.internal.thread.Threads;
import io.ojs.jdbc.internal.Column;
import io.ojs.jdbc.internal.JdbcJobTable;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobState;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Hands out jobs of a database to workers that fetch.
 */
public final class JdbcFetchStore implements FetchStore {

	/**
	 * How often a fetch looks again if other transactions have locked all available jobs.
	 */
	private static final int AGAIN = 20;

	private static final Duration PAUSE = Duration.ofMillis(10);

	private static final List<Column> LEASE = List.of(Column.time("lease_until"), Column.time("relay_at"));

	private final StoreDatabase database;

	private final JdbcJobTable table;

	private final DueLooks due = new DueLooks();

	public JdbcFetchStore(StoreDatabase database) {
		this.database = database;
		this.table = new JdbcJobTable(database);
	}

	@Override
	public List<FetchedJob> fetch(List<String> queues, int count, String worker, @Nullable String tenant,
			HandledJobs handled, Instant now, Function<StoredJob, Reservation> reservations) {
		if (queues.isEmpty() || count < 1) {
			return List.of();
		}
		for (int i = 0;; i++) {
			JdbcLine line = new JdbcLine(this.database, tenant, new HandledCondition(handled));
			List<FetchedJob> fetched = new ArrayList<>();
			Fetching fetching = new Fetching(this.table, line, (row, known, limited, transitions) -> fetched
				.add(take(row, known, worker, transitions, reservations)), now);
			this.database.write("fetch jobs", () -> {
				fetching.fetch(queues, count);
				return fetched;
			});
			boolean again = fetched.isEmpty() && (fetching.isUnfinished()
					|| (!fetching.hasFound() && line.isAvailable(queues) && Threads.pause(PAUSE)));
			if (!again || i == AGAIN) {
				return List.copyOf(fetched);
			}
		}
	}

	private FetchedJob take(JobRow row, EncodedJob known, String worker, Transitions transitions,
			Function<StoredJob, Reservation> reservations) {
		JobRowCodec codec = this.database.codec();
		Reservation reservation = reservations.apply(codec.stored(row, known));
		Duration retryDelay = (row.attempt > 0 && row.retryDelayMillis != null)
				? Duration.ofMillis(row.retryDelayMillis) : null;
		transitions.start(row, worker, reservation.lease(), reservation.timeout());
		return new FetchedJob(codec.stored(row, known), new Lease(row.id.toString(), row.run), retryDelay);
	}

	@Override
	public FetchedRuns fetch(ProcessFetch request, Instant now) {
		ProcessTaking taking = new ProcessTaking(request, this.database.codec());
		JdbcLine line = new JdbcLine(this.database, null, new HandledCondition(request.handled()));
		Fetching fetching = new Fetching(this.table, line, taking, now);
		FetchedRuns fetched = this.database.write("fetch jobs", () -> {
			if (this.due.isTime(request.queue())) {
				fetching.makeAvailable(request.queue());
			}
			fetching.take(request.queue(), request.most());
			List<FetchedRun> runs = taking.runs();
			return new FetchedRuns(runs, runs.size() == request.most() || fetching.hasLeft());
		});
		this.database.plainRuns().remember(taking.rows());
		boolean locked = !fetched.more() && !fetching.hasFound() && line.isAvailable(List.of(request.queue()));
		return locked ? new FetchedRuns(List.of(), true) : fetched;
	}

	@Override
	public int giveBack(ProcessFetch request, Instant fetchedAt, Instant now) {
		Instant began = Times.micros(fetchedAt);
		return this.database.write("give back jobs whose fetch was not answered", () -> {
			List<JobRow> rows = this.database.jdbc()
				.query("select " + JobColumn.ALL_NAMES + " from ojs_job where relay_at <= ? and state = 'active' "
						+ "and lease_ms is null and worker = ? and started_at = ? and queue = ? for update skip locked",
						JobRows.ALL, Times.utc(began.plus(request.lease())), JobRow.workerName(request.process()),
						Times.utc(began), request.queue());
			Transitions transitions = this.database.transitions(now);
			rows.forEach((row) -> transitions.requeue(row, transitions.now()));
			this.database.save(transitions);
			return rows.size();
		});
	}

	@Override
	public Optional<LeasedRun> find(String jobId) {
		return this.database.read("find a job", () -> this.database.jobs().find(jobId)).map(this::run);
	}

	private LeasedRun run(JobRow row) {
		return new LeasedRun(this.database.codec().stored(row), new Lease(row.id.toString(), row.run), row.worker,
				row.leaseMillis != null);
	}

	@Override
	public Set<String> extend(String worker, Collection<String> jobIds, @Nullable Duration length, Instant now) {
		List<UUID> ids = JobRows.ids(jobIds);
		if (ids.isEmpty()) {
			return Set.of();
		}
		return this.database.write("extend leases", () -> {
			Map<UUID, JobRow> extended = new LinkedHashMap<>();
			Set<String> told = new HashSet<>();
			Map<UUID, JobRow> free = this.database.jobs().lockFree(ids, false);
			List<UUID> others = ids.stream().filter((id) -> !free.containsKey(id)).toList();
			// Another transaction has locked these rows. Their leases are not lost, and
			// the next heartbeat extends them: all others need not wait for that.
			for (JobRow row : this.database.jobs().read(others).values()) {
				if (row.leaseMillis != null && JobRow.workerName(worker).equals(row.worker)) {
					told.add(row.id.toString());
				}
			}
			for (JobRow row : free.values()) {
				if (row.leaseMillis != null && JobRow.workerName(worker).equals(row.worker)) {
					Duration lease = (length != null) ? length : Duration.ofMillis(row.leaseMillis);
					row.leaseUntil = row.leaseEnd(Times.micros(now.plus(lease)));
					row.relayAt = row.leaseUntil;
					extended.put(row.id, row);
				}
			}
			if (!extended.isEmpty()) {
				this.database.jobs().update(LEASE, extended.values());
			}
			extended.keySet().forEach((id) -> told.add(id.toString()));
			return told;
		});
	}

	@Override
	public Optional<LeasedRun> begin(String jobId, String worker, @Nullable Integer attempt, Instant now,
			Function<StoredJob, Duration> leases) {
		return this.database
			.write("begin a job that was handed over",
					() -> begin(this.database.jobs().lock(JobRows.ids(List.of(jobId)), true), worker, null, attempt,
							now, leases))
			.stream()
			.findFirst();
	}

	@Override
	public List<LeasedRun> beginFree(Collection<String> jobIds, String worker, @Nullable String tenant, Instant now,
			Function<StoredJob, Duration> leases) {
		List<UUID> ids = JobRows.ids(jobIds);
		return ids.isEmpty() ? List.of() : this.database.write("begin jobs that were handed over",
				() -> begin(this.database.jobs().lockFree(ids, true), worker, tenant, null, now, leases));
	}

	private List<LeasedRun> begin(Map<UUID, JobRow> rows, String worker, @Nullable String tenant,
			@Nullable Integer attempt, Instant now, Function<StoredJob, Duration> leases) {
		Transitions transitions = this.database.transitions(now);
		List<JobRow> begun = rows.values()
			.stream()
			.filter((row) -> isHandedOver(row) && (tenant == null || tenant.equals(row.tenant)))
			.toList();
		begun.forEach((row) -> {
			// The worker may have made attempts before, through a retry queue of the
			// broker.
			row.attempt = (attempt != null) ? Math.max(row.attempt, attempt - 1) : row.attempt;
			transitions.start(row, worker, leases.apply(this.database.codec().stored(row)), null);
		});
		this.database.save(transitions);
		return begun.stream().map(this::run).toList();
	}

	/**
	 * Whether the broker has the job, or is about to: a worker can report it before the
	 * store has noted that the broker has it.
	 */
	private boolean isHandedOver(JobRow row) {
		return row.state == JobState.HANDED_OVER || (row.state == JobState.AVAILABLE && row.blockedBy == null
				&& this.database.options().handedOver().test(row.queue));
	}

	@Override
	public List<LeasedRun> timedOut(Instant now, int limit) {
		return this.database
			.read("look for runs that take too long",
					() -> this.database.jdbc()
						.query("select " + JobColumn.ALL_NAMES + " from ojs_job where lease_ms is not null "
								+ "and state = 'active' and lease_until <= ? and timeout_at is not null "
								+ "and timeout_at <= lease_until order by lease_until limit ?", JobRows.ALL,
								Times.utc(now), limit))
			.stream()
			.map(this::run)
			.toList();
	}

	/**
	 * Decides when to look for due jobs of a queue. The relay looks for them, too.
	 */
	private static final class DueLooks {

		private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

		private final Map<String, Long> last = new ConcurrentHashMap<>();

		boolean isTime(String queue) {
			long now = System.nanoTime();
			Long before = this.last.get(queue);
			boolean isTime = before == null || now - before >= EVERY_NANOS;
			if (isTime) {
				this.last.put(queue, now);
			}
			return isTime;
		}

	}

}
