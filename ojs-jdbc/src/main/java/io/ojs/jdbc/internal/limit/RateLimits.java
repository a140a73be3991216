package io.ojs.jdbc.internal.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

import io.ojs.internal.engine.Decision;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.StartGate;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.rate.RateMeter;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import io.ojs.job.RateLimit;
import io.ojs.job.RetryPriority;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * Asks the limits of jobs whether they may start, and counts those that do. An instance
 * serves one transaction, in which the keys stay locked.
 */
final class RateLimits implements StartGate {

	/**
	 * Excludes jobs of paused queues: no worker would start them, and other jobs would
	 * wait behind them.
	 */
	static final String NOT_PAUSED = " and queue not in (select name from ojs_queue where state = 'paused') ";

	/** How soon to ask again if no time is known. */
	private static final Duration SOON = Duration.ofSeconds(1);

	private final StoreDatabase database;

	private final Instant now;

	private final JobLimits limits;

	private final GrantedPlaces granted;

	private final Map<String, RateMeter> meters = new LinkedHashMap<>();

	/** Keys that jobs wait for. No other job passes these. */
	private final Set<String> waitedFor = new TreeSet<>();

	/** The place of the first of those jobs. */
	private final Map<String, WaitingPlace> first = new HashMap<>();

	private final Map<String, RateLimit> counted = new LinkedHashMap<>();

	private final Set<JobRow> changed = new LinkedHashSet<>();

	private final Map<JobRow, List<KeyedLimit>> ofRows = new HashMap<>();

	RateLimits(StoreDatabase database, Instant now) {
		this.database = database;
		this.now = Times.micros(now);
		this.limits = new JobLimits(database);
		this.granted = new GrantedPlaces(database, this.now);
	}

	private List<KeyedLimit> limits(JobRow row, Job job) {
		return this.ofRows.computeIfAbsent(row, (key) -> this.limits.of(row, job));
	}

	/**
	 * Returns the keys that are asked before jobs start, in the order in which they are
	 * locked.
	 */
	SortedSet<String> keys(Map<JobRow, Job> jobs) {
		SortedSet<String> keys = new TreeSet<>(JobLimits.ORDER);
		jobs.forEach((row, job) -> limits(row, job).forEach((limit) -> keys.add(limit.key())));
		return keys;
	}

	@Override
	public void lock(Map<JobRow, Job> jobs) {
		SortedSet<String> keys = keys(jobs);
		if (!keys.isEmpty()) {
			FreedPlaces.keysAreLocked(this.database);
			lock(keys);
		}
	}

	@Override
	public boolean lockMore(Map<JobRow, Job> jobs, Set<String> locked) {
		SortedSet<String> more = keys(jobs);
		more.removeAll(locked);
		if (!more.isEmpty() && locked.stream().anyMatch((key) -> JobLimits.ORDER.compare(more.first(), key) < 0)) {
			return false;
		}
		locked.addAll(more);
		lock(jobs);
		return true;
	}

	/**
	 * Locks keys. The look for jobs that wait comes after the lock: no job can begin to
	 * wait in between and be missed.
	 */
	void lock(SortedSet<String> keys) {
		if (keys.isEmpty()) {
			return;
		}
		this.database.dialect().lockKeys(this.database.jdbc(), MeterRows.TABLE, "rate_key", keys);
		this.database.jdbc()
			.query("select rate_key from ojs_rate_limit l where rate_key = any(?) and exists (select 1 from ojs_job "
					+ "where blocked_by = l.rate_key" + NOT_PAUSED + ")", Dialect.texts(keys), (row) -> {
						this.waitedFor.add(row.getString(1));
					});
		this.meters.putAll(new MeterRows(this.database).read(keys));
	}

	@Override
	public boolean isLimited(JobRow row, Job job) {
		return !limits(row, job).isEmpty();
	}

	/** Whether all keys of a job are locked. */
	boolean covers(JobRow row, Job job) {
		return limits(row, job).stream().allMatch((limit) -> this.meters.containsKey(limit.key()));
	}

	/**
	 * Asks the limits of a job that is about to start.
	 * @return {@code null} if it may
	 */
	private RateMeter.@Nullable Refusal ask(JobRow row, Job job) {
		if (row.hasPlaces) {
			// The job was let through, and was counted then.
			return null;
		}
		for (KeyedLimit limit : limits(row, job)) {
			RateMeter.Refusal refusal = meter(limit).ask(limit.limit(), this.now);
			if (refusal == null && isBehind(row, job, limit.key())) {
				// The limit has room, but other jobs are first: the next release looks
				// now.
				refusal = new RateMeter.Refusal(limit.key(), this.now);
			}
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	/**
	 * Asks for another run of a job whose last run was lost. The job had a place among
	 * running jobs, and this is another start.
	 */
	private RateMeter.@Nullable Refusal askAgain(JobRow row, Job job) {
		for (KeyedLimit limit : limits(row, job)) {
			RateMeter.Refusal refusal = meter(limit).ask(anyConcurrency(limit.limit()), this.now);
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	private static RateLimit anyConcurrency(RateLimit limit) {
		return new RateLimit(limit.key(), null, limit.rate(), limit.throttle(), limit.onLimit(), limit.scope(),
				limit.retryPriority());
	}

	/** Whether other jobs are let through before this one. */
	private boolean isBehind(JobRow row, Job job, String key) {
		if (!this.waitedFor.contains(key)) {
			return false;
		}
		WaitingPlace first = this.first.computeIfAbsent(key,
				(same) -> this.database.jdbc()
					.query(WaitingPlace.SQL + "limit 1", WaitingPlace.MAPPER, key)
					.stream()
					.findFirst()
					.orElse(WaitingPlace.BEFORE_ALL));
		// A retry comes just now; other jobs came when they were enqueued.
		Instant since = (row.state == JobState.AVAILABLE) ? row.enqueuedAt : this.now;
		return first.compareTo(new WaitingPlace(rank(row, job, key), row.priority, since, row.id)) < 0;
	}

	/**
	 * Asks the limits of a job that waits, and would be sent to a worker.
	 * @return {@code null} if it may
	 */
	RateMeter.@Nullable Refusal askForWaiting(JobRow row, Job job) {
		for (KeyedLimit limit : limits(row, job)) {
			RateMeter.Refusal refusal = meter(limit).ask(limit.limit(), this.now);
			if (refusal == null) {
				refusal = this.granted.ask(limit);
			}
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	private RateMeter meter(KeyedLimit limit) {
		return Objects.requireNonNull(this.meters.get(limit.key()), "not locked");
	}

	/** Counts a job that starts, unless it was counted when it was let through. */
	private void started(JobRow row, Job job) {
		if (!row.hasPlaces || row.state != JobState.AVAILABLE) {
			count(row, job);
		}
	}

	/** Lets a job that waited through, and counts it from now on. */
	void grant(JobRow row, Job job) {
		count(row, job);
		limits(row, job).forEach((limit) -> this.granted.add(limit.key()));
		row.letThrough(this.now, this.now.plus(GrantedPlaces.KEPT));
		this.changed.add(row);
	}

	private void count(JobRow row, Job job) {
		Map<String, List<RateLimit>> byKey = new LinkedHashMap<>();
		for (KeyedLimit limit : limits(row, job)) {
			byKey.computeIfAbsent(limit.key(), (key) -> new ArrayList<>()).add(limit.limit());
		}
		byKey.forEach((key, limits) -> {
			RateMeter meter = Objects.requireNonNull(this.meters.get(key), "not locked");
			if (row.state == JobState.ACTIVE) {
				meter.startedAgain(limits, this.now);
			}
			else {
				meter.started(limits, this.now);
			}
			this.counted.put(key, limits.get(0));
		});
	}

	/** Sets when to ask again for the first job of a line. */
	void askAt(JobRow row, Instant when) {
		row.blockedUntil = Times.micros(when);
		this.changed.add(row);
	}

	/** Lets a job wait beside its queue. */
	void park(JobRow row, RateMeter.Refusal refusal, Job job) {
		row.block(refusal.key(), refusal.until(), rank(row, job, refusal.key()));
		this.waitedFor.add(refusal.key());
		this.changed.add(row);
	}

	/**
	 * Returns the rank of a job. The limit says whether retries go before or behind new
	 * jobs.
	 */
	private int rank(JobRow row, Job job, String key) {
		if (row.blockedRank == JobRow.LAST) {
			return JobRow.LAST;
		}
		RetryPriority priority = limits(row, job).stream()
			.filter((limit) -> limit.key().equals(key))
			.map((limit) -> limit.limit().retryPriority())
			.findFirst()
			.orElse(RetryPriority.EQUAL);
		if (row.attempt == 0 || priority == RetryPriority.EQUAL) {
			return JobRow.IN_ORDER;
		}
		return (priority == RetryPriority.PREFER_RETRY) ? JobRow.IN_ORDER - 1 : JobRow.IN_ORDER + 1;
	}

	/**
	 * Publishes a job that met another limit for which it does not wait: the claim of its
	 * worker decides what becomes of it.
	 * @return whether the job was published
	 */
	boolean sendBack(JobRow row, Job job, RateMeter.Refusal refusal) {
		if (onLimit(row, job, refusal) == OnLimit.WAIT) {
			return false;
		}
		publish(row);
		return true;
	}

	/**
	 * Lets a job through without a place: the claim of its worker decides what becomes of
	 * it.
	 */
	void publish(JobRow row) {
		row.letThrough(this.now, null);
		this.changed.add(row);
	}

	private OnLimit onLimit(JobRow row, Job job, RateMeter.Refusal refusal) {
		return limits(row, job).stream()
			.filter((limit) -> limit.key().equals(refusal.key()))
			.map((limit) -> limit.limit().onLimit())
			.findFirst()
			.orElse(OnLimit.WAIT);
	}

	/**
	 * Lets a job start, or lets it wait, be rescheduled or be dropped as its limit says.
	 */
	@Override
	public @Nullable Decision refuse(JobRow row, Job job, HandledJobs handled, Transitions transitions) {
		RateMeter.Refusal refusal = (row.state != JobState.ACTIVE) ? ask(row, job) : askAgain(row, job);
		if (refusal == null) {
			started(row, job);
			return null;
		}
		OnLimit onLimit = onLimit(row, job, refusal);
		if (onLimit == OnLimit.RESCHEDULE) {
			transitions.reschedule(row, later(refusal.until(), this.now));
		}
		else if (onLimit == OnLimit.DROP) {
			transitions.limitEvent("rate_limit.dropped", row, refusal.key());
			transitions.drop(row, reached(row, refusal.key()));
		}
		else {
			if (row.state == JobState.ACTIVE) {
				transitions.release(row, null);
			}
			else if (row.state != JobState.AVAILABLE) {
				transitions.makeAvailable(row, null);
			}
			if (row.blockedBy == null) {
				transitions.limitEvent("rate_limit.exceeded", row, refusal.key());
			}
			park(row, refusal, job);
		}
		return new Decision.Limited(refusal.key());
	}

	/**
	 * Returns the time of a rescheduled job. A job that is only behind others would come
	 * again at once.
	 */
	private static Instant later(@Nullable Instant until, Instant now) {
		return (until != null && until.isAfter(now)) ? until : now.plus(SOON);
	}

	private JobError reached(JobRow row, String key) {
		return new JobError("rate_limited", "RATE_LIMITED",
				"The rate limit '%s' did not let the job start, which was to be dropped then.".formatted(key),
				row.attempt, Rfc3339.utc(this.now), List.of(), Map.of());
	}

	@Override
	public void save(Collection<JobRow> started) {
		save();
	}

	/** Writes what was counted, and how jobs wait. */
	void save() {
		new MeterRows(this.database).write(this.counted, this.meters, this.now);
		if (!this.changed.isEmpty()) {
			this.database.jobs().update(JobColumn.BLOCKED, this.changed);
		}
		this.counted.clear();
		this.changed.clear();
	}

}
