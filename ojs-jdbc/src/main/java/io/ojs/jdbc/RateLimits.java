package io.ojs.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.job.Rfc3339;
import io.ojs.json.RateLimitJson;
import io.ojs.rate.RateMeter;
import org.jspecify.annotations.Nullable;

/**
 * Asks the limits of jobs whether they may start, and counts those that do. Made for one
 * transaction, in which the keys stay locked.
 */
final class RateLimits {

	static final String TABLE = "ojs_rate_limit";

	/** Nobody would start those, whoever let them through: others are before them. */
	static final String NOT_PAUSED = " and queue not in (select name from ojs_queue where state = 'paused') ";

	private static final String QUEUE = "queue:";

	/**
	 * Those of queues last: whoever has ended a job locks its key, and only then knows
	 * which queues others are in that wait for it.
	 */
	static final Comparator<String> ORDER = Comparator.<String, Boolean>comparing((key) -> key.startsWith(QUEUE))
		.thenComparing(Comparator.naturalOrder());

	/** When to ask again what may be at any time. */
	private static final Duration SOON = Duration.ofSeconds(1);

	private static final List<Column> KEY = List.of(Column.text("rate_key"));

	private static final List<Column> METER = List.of(Column.text("policy"), Column.text("meter"),
			Column.time("updated_at"));

	private final StoreDatabase database;

	private final Instant now;

	private final Map<String, RateMeter> meters = new LinkedHashMap<>();

	/** Keys that others wait for: nobody passes them. */
	private final Set<String> waitedFor = new TreeSet<>();

	private final Map<String, RateLimit> counted = new LinkedHashMap<>();

	private final Set<JobRow> changed = new LinkedHashSet<>();

	private final Map<JobRow, List<RateLimit>> limits = new HashMap<>();

	RateLimits(StoreDatabase database, Instant now) {
		this.database = database;
		this.now = Times.micros(now);
	}

	/** The limits of a job: its own, and that of its queue. */
	private List<RateLimit> limits(JobRow row, Job job) {
		return this.limits.computeIfAbsent(row, (key) -> {
			List<RateLimit> all = new ArrayList<>(2);
			if (row.rateKey != null) {
				RateLimitJson.of(job).ifPresent(all::add);
			}
			Optional<Rate> rate = this.database.options().queueRates().apply(row.queue);
			rate.ifPresent((of) -> all.add(RateLimit.of(QUEUE + row.queue).rate(of.limit(), of.period())));
			return all;
		});
	}

	/** The keys that are asked before these jobs start, in the order of their locks. */
	SortedSet<String> keys(Map<JobRow, Job> jobs) {
		SortedSet<String> keys = new TreeSet<>(ORDER);
		jobs.forEach((row, job) -> limits(row, job).forEach((limit) -> keys.add(limit.key())));
		return keys;
	}

	/**
	 * Locks all keys that are going to be asked, at once and in one order, so that nobody
	 * waits for somebody who waits for them.
	 * @param jobs the jobs that are to start, whose rows are locked
	 */
	void lock(Map<JobRow, Job> jobs) {
		SortedSet<String> keys = keys(jobs);
		if (keys.isEmpty()) {
			return;
		}
		lock(this.database, keys);
		Map<String, Long> running = count("select rate_key, count(*) from ojs_job where rate_key = any(?) "
				+ "and (state = 'active' or (state = 'available' and rate_granted)) group by rate_key", keys);
		this.waitedFor.addAll(count("select waiting_for, 1 from ojs_job where waiting_for = any(?) "
				+ "and state = 'available'" + NOT_PAUSED + "group by waiting_for", keys)
			.keySet());
		this.database.jdbc()
			.query("select rate_key, meter from ojs_rate_limit where rate_key = any(?)", Dialect.texts(keys), (row) -> {
				String key = row.getString("rate_key");
				this.meters.put(key,
						meter(this.database.jobs().json(), key, running.getOrDefault(key, 0L), row.getString("meter")));
			});
	}

	/**
	 * Locks keys. Who looks for those that wait for a key locks it first, so that nobody
	 * begins to wait meanwhile and is not seen.
	 */
	static void lock(StoreDatabase database, Collection<String> keys) {
		SortedSet<String> sorted = new TreeSet<>(ORDER);
		sorted.addAll(keys);
		database.dialect().lockKeys(database.jdbc(), TABLE, "rate_key", sorted);
	}

	private Map<String, Long> count(String sql, Collection<String> keys) {
		Map<String, Long> counts = new HashMap<>();
		this.database.jdbc().query(sql, Dialect.texts(keys), (row) -> {
			counts.put(row.getString(1), row.getLong(2));
		});
		return counts;
	}

	static RateMeter meter(JsonText json, String key, long running, @Nullable String text) {
		RateMeter meter = new RateMeter(key, running);
		Map<String, @Nullable Object> kept = json.readObject(text);
		each(kept.get("windows"),
				(period, value) -> meter.window(Duration.parse(period),
						new RateMeter.Window(instant(((Map<?, ?>) value).get("since")),
								((Number) Objects.requireNonNull(((Map<?, ?>) value).get("starts"))).longValue())));
		each(kept.get("next"), (interval, value) -> meter.nextStart(Duration.parse(interval), instant(value)));
		return meter;
	}

	private static void each(@Nullable Object map, BiConsumer<String, Object> action) {
		if (map instanceof Map<?, ?> entries) {
			entries.forEach((key, value) -> action.accept((String) key, value));
		}
	}

	private static Instant instant(@Nullable Object value) {
		return Instant.parse(String.valueOf(value));
	}

	/**
	 * Asks for a job that is about to start, or to be let through.
	 * @param fresh whether it comes just now, and those that wait are before it
	 * @return {@code null} if it may
	 */
	RateMeter.@Nullable Refusal ask(JobRow row, Job job, boolean fresh) {
		if (row.rateGranted) {
			return null;
		}
		// Whoever locked it just when there was room has kept others from letting it
		// through.
		boolean waits = row.waitingFor != null && row.state == JobState.AVAILABLE;
		for (RateLimit limit : limits(row, job)) {
			RateMeter meter = Objects.requireNonNull(this.meters.get(limit.key()), "not locked");
			RateMeter.Refusal refusal = meter.ask(limit, this.now);
			if (refusal == null && fresh && !waits && this.waitedFor.contains(limit.key())) {
				// It may, but others are before it: whoever lets them through looks now.
				refusal = new RateMeter.Refusal(limit.key(), this.now);
			}
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	/** A job starts. */
	private void started(JobRow row, Job job) {
		boolean granted = row.rateGranted;
		if (granted || row.waitingFor != null) {
			row.rateGranted = false;
			row.waitingFor = null;
			row.waitingUntil = null;
			this.changed.add(row);
		}
		if (!granted) {
			count(row, job);
		}
	}

	/** A job that waited is let through: it counts from now on. */
	void grant(JobRow row, Job job) {
		count(row, job);
		row.rateGranted = true;
		row.waitingFor = null;
		row.waitingUntil = null;
		row.relayAt = this.now;
		this.changed.add(row);
	}

	private void count(JobRow row, Job job) {
		for (RateLimit limit : limits(row, job)) {
			Objects.requireNonNull(this.meters.get(limit.key()), "not locked").started(limit, this.now);
			this.counted.put(limit.key(), limit);
		}
	}

	/** A job has to wait beside its queue. */
	void park(JobRow row, RateMeter.Refusal refusal) {
		row.waitingFor = refusal.key();
		row.waitingUntil = refusal.until();
		row.relayAt = null;
		this.waitedFor.add(refusal.key());
		this.changed.add(row);
	}

	/**
	 * Lets a job start, or has it wait in the way that its limit asks for.
	 * @return {@code null} if it starts, and is counted
	 */
	RateMeter.@Nullable Refusal admit(JobRow row, Job job, Transitions transitions) {
		// A run that was lost is followed by another one of the same job: it has its
		// place.
		RateMeter.Refusal refusal = (row.state != JobState.ACTIVE) ? ask(row, job, true) : null;
		if (refusal == null) {
			started(row, job);
			return null;
		}
		OnLimit onLimit = limits(row, job).stream()
			.filter((limit) -> limit.key().equals(refusal.key()))
			.map(RateLimit::onLimit)
			.findFirst()
			.orElse(OnLimit.WAIT);
		if (onLimit == OnLimit.RESCHEDULE) {
			transitions.reschedule(row, (refusal.until() != null) ? refusal.until() : this.now.plus(SOON));
		}
		else if (onLimit == OnLimit.DROP) {
			transitions.drop(row, reached(row, refusal.key()));
		}
		else {
			if (row.state != JobState.AVAILABLE) {
				transitions.makeAvailable(row, null);
			}
			park(row, refusal);
		}
		return refusal;
	}

	private JobError reached(JobRow row, String key) {
		return new JobError("rate_limited", "RATE_LIMITED",
				"The rate limit '%s' did not let the job start, which was to be dropped then.".formatted(key),
				row.attempt, Rfc3339.utc(this.now), List.of(), Map.of());
	}

	/** Writes what was counted. */
	void save() {
		List<Dialect.Row> rows = new ArrayList<>();
		this.counted.forEach((key, limit) -> rows.add(row(limit, Objects.requireNonNull(this.meters.get(key)))));
		if (!rows.isEmpty()) {
			this.database.dialect().update(this.database.jdbc(), TABLE, KEY, METER, rows);
		}
		if (!this.changed.isEmpty()) {
			this.database.dialect()
				.update(this.database.jdbc(), JobRows.TABLE, JobRow.KEY, JobRow.WAITING, List.copyOf(this.changed));
		}
	}

	private Dialect.Row row(RateLimit limit, RateMeter meter) {
		Map<String, @Nullable Object> windows = new LinkedHashMap<>();
		meter.windows()
			.forEach((period, window) -> windows.put(period.toString(),
					Map.of("since", window.since().toString(), "starts", window.starts())));
		Map<String, @Nullable Object> next = new LinkedHashMap<>();
		meter.nextStarts().forEach((interval, at) -> next.put(interval.toString(), at.toString()));
		JsonText json = this.database.jobs().json();
		String kept = json.write(Map.of("windows", windows, "next", next));
		Instant until = meter.until(this.now);
		String policy = json.write(RateLimitJson.write(limit));
		return (column) -> switch (column) {
			case "rate_key" -> limit.key();
			case "policy" -> policy;
			case "meter" -> kept;
			// It counts until then, and is not to be forgotten before.
			case "updated_at" -> until;
			default -> throw new IllegalArgumentException("No column " + column + ".");
		};
	}

}
