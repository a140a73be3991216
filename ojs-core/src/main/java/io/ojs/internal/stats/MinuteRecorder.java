package io.ojs.internal.stats;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events of this process in memory, and writes the numbers to a store when it
 * is told to: no job waits for the store.
 */
public final class MinuteRecorder implements JobEventListener {

	/** How many groups of jobs a minute has; all others are counted together. */
	private static final int MOST_GROUPS = 2000;

	/** How many rows are kept for a store that cannot be reached. */
	private static final int MOST_ROWS = 20_000;

	private static final int BATCH = 500;

	/** How long after its end a step may still change. */
	private static final Duration LATE = Duration.ofMinutes(2);

	private final String process;

	private final Clock clock;

	private final Map<Minute, Tally> minutes = new ConcurrentHashMap<>();

	private final ReentrantLock flushing = new ReentrantLock();

	/** What the store has or is to get; guarded by {@link #flushing}. */
	private final Map<Step, Written> steps = new HashMap<>();

	/** Whether the store did not take the last numbers. */
	private volatile boolean failing;

	/**
	 * Creates a recorder.
	 * @param process the unique name of this process, at most 128 characters
	 */
	public MinuteRecorder(String process, Clock clock) {
		this.process = process;
		this.clock = clock;
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof JobEvent.Started started) {
			Duration wait = wait(started);
			if (wait != null) {
				tally(event).waited(wait);
			}
		}
		else if (event instanceof JobEvent.Completed completed) {
			Tally tally = tally(event);
			tally.add(Numbers.Outcome.COMPLETED);
			tally.ran(completed.duration());
		}
		else if (event instanceof JobEvent.Failed failed) {
			tally(event).ran(failed.duration());
		}
		else if (event instanceof JobEvent.Retrying) {
			tally(event).add(Numbers.Outcome.RETRIED);
		}
		else if (event instanceof JobEvent.DeadLettered || event instanceof JobEvent.Discarded) {
			tally(event).add(Numbers.Outcome.DISCARDED);
		}
		else if (event instanceof JobEvent.Cancelled) {
			tally(event).add(Numbers.Outcome.CANCELLED);
		}
	}

	/**
	 * How long a job was available before its first attempt. When it became available for
	 * a later one is not known without a store.
	 */
	private @Nullable Duration wait(JobEvent.Started started) {
		Job job = started.job();
		OffsetDateTime enqueued = (job.enqueuedAt() != null) ? job.enqueuedAt() : job.createdAt();
		if (started.attempt() > 1 || enqueued == null) {
			return null;
		}
		Instant since = enqueued.toInstant();
		if (job.scheduledAt() != null && job.scheduledAt().toInstant().isAfter(since)) {
			since = job.scheduledAt().toInstant();
		}
		Duration wait = Duration.between(since, this.clock.instant());
		return wait.isNegative() ? Duration.ZERO : wait;
	}

	private Tally tally(JobEvent event) {
		long minute = this.clock.instant().getEpochSecond() / 60;
		Minute key = new Minute(minute, JobGroup.of(event.job()));
		Tally known = this.minutes.get(key);
		if (known != null) {
			return known;
		}
		// Producers can name any number of types. Threads may exceed the limit together.
		return this.minutes.computeIfAbsent(
				(this.minutes.size() < MOST_GROUPS) ? key : new Minute(minute, JobGroup.OTHER), (each) -> new Tally());
	}

	/**
	 * Writes the last numbers of this process. If the store could not be reached before,
	 * they are lost, because the process would wait long for it.
	 */
	public void end(MinuteStore store) {
		if (!this.failing) {
			flush(store);
		}
	}

	/**
	 * Writes all numbers that the store does not have.
	 */
	public void flush(MinuteStore store) {
		this.flushing.lock();
		this.failing = true;
		try {
			Instant now = this.clock.instant();
			drain(now);
			List<MinuteRow> changed = new ArrayList<>();
			this.steps.forEach((step, written) -> {
				if (written.changed) {
					changed.add(new MinuteRow(step.seconds(), step.at(), step.group(), written.numbers));
				}
			});
			for (int i = 0; i < changed.size(); i += BATCH) {
				List<MinuteRow> rows = changed.subList(i, Math.min(changed.size(), i + BATCH));
				store.write(this.process, rows);
				rows.forEach(
						(row) -> this.steps.get(new Step(row.stepSeconds(), row.at(), row.group())).changed = false);
			}
			this.failing = false;
		}
		finally {
			forget(this.clock.instant());
			this.flushing.unlock();
		}
	}

	private void drain(Instant now) {
		long current = now.getEpochSecond() / 60;
		this.minutes.forEach((minute, tally) -> {
			// A thread that found this tally may still add to it.
			boolean over = minute.number() < current - 1;
			Numbers drained = new Numbers();
			if (over) {
				this.minutes.remove(minute);
			}
			if (tally.drainTo(drained)) {
				for (int seconds : MinuteStore.STEPS) {
					long at = minute.number() * 60 / seconds * seconds;
					Written written = this.steps.computeIfAbsent(
							new Step(seconds, Instant.ofEpochSecond(at), minute.group()), (step) -> new Written());
					written.numbers.add(drained);
					written.changed = true;
				}
			}
		});
	}

	private void forget(Instant now) {
		this.steps.entrySet()
			.removeIf((each) -> !each.getValue().changed
					&& each.getKey().at().plusSeconds(each.getKey().seconds()).plus(LATE).isBefore(now));
		if (this.steps.size() > MOST_ROWS) {
			this.steps.keySet()
				.stream()
				.sorted(Comparator.comparing(Step::seconds).thenComparing(Step::at))
				.limit(this.steps.size() - MOST_ROWS)
				.toList()
				.forEach(this.steps::remove);
		}
	}

	private record Minute(long number, JobGroup group) {
	}

	private record Step(int seconds, Instant at, JobGroup group) {
	}

	private static final class Written {

		private final Numbers numbers = new Numbers();

		private boolean changed;

	}

}
