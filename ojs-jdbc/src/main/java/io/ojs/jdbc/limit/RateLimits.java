package io.ojs.jdbc.limit;

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

import io.ojs.engine.Decision;
import io.ojs.engine.JobRow;
import io.ojs.engine.StartGate;
import io.ojs.engine.Times;
import io.ojs.engine.Transitions;
import io.ojs.jdbc.Dialect;
import io.ojs.jdbc.JobColumn;
import io.ojs.jdbc.StoreDatabase;
import io.ojs.job.HandledJobs;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import io.ojs.job.RateLimit;
import io.ojs.job.RetryPriority;
import io.ojs.job.Rfc3339;
import io.ojs.rate.RateMeter;
import org.jspecify.annotations.Nullable;

/**
 * Asks the limits of jobs whether they may start, and counts those that do. Made for one
 * transaction, in which the keys stay locked.
 */
final class RateLimits implements StartGate {

	/** Nobody would start those, whoever let them through: others are before them. */
	static final String NOT_PAUSED = " and queue not in (select name from ojs_queue where state = 'paused') ";

	/** When to ask again what may be at any time. */
	private static final Duration SOON = Duration.ofSeconds(1);

	private final StoreDatabase database;

	private final Instant now;

	private final JobLimits limits;

	private final GrantedPlaces granted;

	private final Map<String, RateMeter> meters = new LinkedHashMap<>();

	/** Keys that others wait for: nobody passes them. */
	private final Set<String> waitedFor = new TreeSet<>();

	/** The next of those. */
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

	/** The keys that are asked before these jobs start, in the order of their locks. */
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
	 * Locks keys. Who looks for those that wait for a key locks it first, so that nobody
	 * begins to wait meanwhile and is not seen.
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

	/** Whether all that limits a job is locked. */
	boolean covers(JobRow row, Job job) {
		return limits(row, job).stream().allMatch((limit) -> this.meters.containsKey(limit.key()));
	}

	/**
	 * Asks for a job that is about to start.
	 * @return {@code null} if it may
	 */
	private RateMeter.@Nullable Refusal ask(JobRow row, Job job) {
		if (row.hasPlaces) {
			// It was let through, and is counted.
			return null;
		}
		for (KeyedLimit limit : limits(row, job)) {
			RateMeter.Refusal refusal = meter(limit).ask(limit.limit(), this.now);
			if (refusal == null && isBehind(row, job, limit.key())) {
				// It may, but others are before it: whoever lets them through looks now.
				refusal = new RateMeter.Refusal(limit.key(), this.now);
			}
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	/**
	 * Asks for another run of a job whose last one was lost: that had a place among those
	 * that run, and this is another start.
	 */
	private RateMeter.@Nullable Refusal askAgain(JobRow row, Job job) {
		for (KeyedLimit limit : limits(row, job)) {
			RateMeter.Refusal refusal = meter(limit).ask(limit.limit().anyConcurrency(), this.now);
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	/** Whether others are let through before it. */
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
		// A retry comes just now; others have come when they were enqueued.
		Instant since = (row.state == JobState.AVAILABLE) ? row.enqueuedAt : this.now;
		return first.compareTo(new WaitingPlace(rank(row, job, key), row.priority, since, row.id)) < 0;
	}

	/**
	 * Asks for a job that waits, and would be sent to a worker.
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

	/** A job starts. */
	private void started(JobRow row, Job job) {
		if (!row.hasPlaces || row.state != JobState.AVAILABLE) {
			count(row, job);
		}
	}

	/** A job that waited is let through: it counts from now on. */
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

	/**
	 * When to ask again whether a job may start that waits, and is the first in its line.
	 */
	void askAt(JobRow row, Instant when) {
		row.blockedUntil = Times.micros(when);
		this.changed.add(row);
	}

	/** A job has to wait beside its queue. */
	void park(JobRow row, RateMeter.Refusal refusal, Job job) {
		row.block(refusal.key(), refusal.until(), rank(row, job, refusal.key()));
		this.waitedFor.add(refusal.key());
		this.changed.add(row);
	}

	/** Retries before new jobs, or behind them, if their limit says so. */
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
	 * A job that waited for one limit met another that it does not wait for: a worker
	 * finds out what becomes of it.
	 * @return whether it is one
	 */
	boolean sendBack(JobRow row, Job job, RateMeter.Refusal refusal) {
		if (onLimit(row, job, refusal) == OnLimit.WAIT) {
			return false;
		}
		publish(row);
		return true;
	}

	/** Whoever gets it finds out what becomes of it. */
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
	 * Lets a job start, or has it wait in the way that its limit asks for.
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

	/** Those who come only because others are before them would come at once again. */
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
