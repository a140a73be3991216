package io.ojs.jdbc.internal.limit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.rate.RateMeter;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps new jobs from the broker that a limit would only send back, because others wait
 * for it or it has no room. This is a guess: nothing is locked, since the transaction is
 * the caller's and may last. A job that need not wait is asked again at once; a job that
 * is published in vain waits after a worker has asked.
 */
final class WaitingLine {

	/** A line of this length does not become empty while a job is added to it. */
	private static final int LONG = 100;

	private final StoreDatabase database;

	private final Transitions transitions;

	private final Map<String, Line> lines = new HashMap<>();

	/** Meters of the keys. They also count jobs of this transaction that do not wait. */
	private final Map<String, RateMeter> meters = new HashMap<>();

	WaitingLine(StoreDatabase database, Transitions transitions) {
		this.database = database;
		this.transitions = transitions;
	}

	/**
	 * Decides which jobs wait. The caller writes the rows.
	 * @param jobs the jobs that are about to be inserted
	 */
	void join(Map<JobRow, Job> jobs) {
		JobLimits limits = new JobLimits(this.database);
		Map<JobRow, List<KeyedLimit>> limited = new LinkedHashMap<>();
		Set<String> keys = new TreeSet<>();
		jobs.forEach((row, job) -> {
			List<KeyedLimit> ofJob = isAsked(row) ? limits.of(row, job) : List.of();
			if (!ofJob.isEmpty() && ofJob.stream().allMatch((limit) -> limit.limit().onLimit() == OnLimit.WAIT)) {
				limited.put(row, ofJob);
				ofJob.forEach((limit) -> keys.add(limit.key()));
			}
		});
		if (limited.isEmpty()) {
			return;
		}
		keys.forEach((key) -> this.lines.put(key, line(key)));
		this.meters.putAll(new MeterRows(this.database).read(keys));
		List<JobRow> inOrder = new ArrayList<>(limited.keySet());
		inOrder.sort(Comparator.comparingInt((JobRow row) -> row.priority).reversed());
		inOrder.forEach((row) -> join(row, Objects.requireNonNull(limited.get(row))));
	}

	/**
	 * Jobs of ordered queues wait where they are; other jobs without a time are not
	 * published now.
	 */
	private static boolean isAsked(JobRow row) {
		return row.state == JobState.AVAILABLE && !row.ordered && row.relayAt != null;
	}

	private Line line(String key) {
		List<WaitingPlace> places = this.database.jdbc()
			.query(WaitingPlace.SQL + "limit " + LONG, WaitingPlace.MAPPER, key);
		return new Line(places.isEmpty() ? null : places.get(0), places.size() >= LONG);
	}

	private void join(JobRow row, List<KeyedLimit> limits) {
		Instant now = this.transitions.now();
		for (KeyedLimit limit : limits) {
			Line line = Objects.requireNonNull(this.lines.get(limit.key()));
			if (line.first() != null || meter(limit).ask(limit.limit(), now) != null) {
				wait(row, limit.key(), line, now);
				return;
			}
		}
		limits.forEach((limit) -> meter(limit).started(List.of(limit.limit()), now));
	}

	private RateMeter meter(KeyedLimit limit) {
		return Objects.requireNonNull(this.meters.get(limit.key()));
	}

	/**
	 * Lets a job wait. The first job of a line has to have a time to ask again. If the
	 * line is short, this job may be the first when the transaction is committed.
	 */
	private void wait(JobRow row, String key, Line line, Instant now) {
		WaitingPlace place = new WaitingPlace(JobRow.IN_ORDER, row.priority, row.enqueuedAt, row.id);
		boolean mayBeFirst = !line.isLong() || line.first() == null || place.compareTo(line.first()) < 0;
		row.block(key, mayBeFirst ? now : null, JobRow.IN_ORDER);
		this.transitions.limitEvent("rate_limit.exceeded", row, key);
		if (line.first() == null) {
			// The other jobs of this transaction are certainly behind this one.
			this.lines.put(key, new Line(place, true));
		}
	}

	/**
	 * The jobs that wait for a key.
	 *
	 * @param first the job that is let through next; {@code null} if no job waits
	 * @param isLong whether jobs will still wait when the transaction is over
	 */
	private record Line(@Nullable WaitingPlace first, boolean isLong) {
	}

}
