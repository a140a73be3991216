package io.ojs.jdbc.limit;

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

import io.ojs.engine.JobRow;
import io.ojs.engine.Transitions;
import io.ojs.jdbc.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnLimit;
import io.ojs.rate.RateMeter;
import org.jspecify.annotations.Nullable;

/**
 * Keeps new jobs from the broker that a limit would only send back, because others wait
 * for it or there are too many. That is a guess: nothing is locked, since the transaction
 * is the caller's and may last. A job that waits for nothing is asked again at once; one
 * that is published for nothing waits when a worker has asked.
 */
final class WaitingLine {

	/** A line as long as this does not go while a job is put behind it. */
	private static final int LONG = 100;

	private final StoreDatabase database;

	private final Transitions transitions;

	private final Map<String, Line> lines = new HashMap<>();

	/** Read when somebody may start, as far as the lines tell. */
	private final Map<String, RateMeter> meters = new HashMap<>();

	WaitingLine(StoreDatabase database, Transitions transitions) {
		this.database = database;
		this.transitions = transitions;
	}

	/**
	 * Decides which jobs wait. To be written by the caller.
	 * @param jobs jobs that are about to be inserted
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

	/** Those that keep an order wait where they are; others are not published now. */
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
	 * Whoever is the first in a line has to say when to ask again. Who will be that when
	 * this is committed, is unknown, if the line is short.
	 */
	private void wait(JobRow row, String key, Line line, Instant now) {
		WaitingPlace place = new WaitingPlace(JobRow.IN_ORDER, row.priority, row.enqueuedAt, row.id);
		boolean mayBeFirst = !line.isLong() || line.first() == null || place.compareTo(line.first()) < 0;
		row.block(key, mayBeFirst ? now : null, JobRow.IN_ORDER);
		this.transitions.limitEvent("rate_limit.exceeded", row, key);
		if (line.first() == null) {
			// The others of this transaction are behind this one for sure.
			this.lines.put(key, new Line(place, true));
		}
	}

	/**
	 * Those that wait for a key.
	 *
	 * @param first who is let through next; {@code null} if nobody waits
	 * @param isLong whether somebody will still wait when the transaction is over
	 */
	private record Line(@Nullable WaitingPlace first, boolean isLong) {
	}

}
