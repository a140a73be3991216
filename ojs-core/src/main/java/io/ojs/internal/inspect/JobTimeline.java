package io.ojs.internal.inspect;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * The past of a job in order: the events of the feed, and where they are missing what the
 * row of the job says.
 */
public final class JobTimeline {

	/** The longest time between the creation of a job and its first event. */
	private static final Duration INSERTED = Duration.ofMinutes(1);

	private static final String WORKER_LOST = "WORKER_LOST";

	private static final String BY = "by";

	private static final String ERROR = "error";

	private static final String NEXT_AT = "next_at";

	private final JobRow row;

	private final List<JobError> errors;

	private final boolean operator;

	private final List<TimelineEntry> entries = new ArrayList<>();

	/** Since when the job could start; {@code null} if it is not waiting. */
	private @Nullable Instant waitsSince;

	private boolean complete = true;

	private JobTimeline(JobHistory history, boolean operator) {
		this.row = history.row();
		this.errors = history.errors();
		this.operator = operator;
		history.events().forEach(this::add);
		fill();
		this.entries.sort(Comparator.comparing(TimelineEntry::at));
	}

	/**
	 * Puts the past of a job in order.
	 * @param operator whether the entries name workers
	 */
	public static JobTimeline of(JobHistory history, boolean operator) {
		return new JobTimeline(history, operator);
	}

	/** Returns what happened, the earliest first. */
	public List<TimelineEntry> entries() {
		return List.copyOf(this.entries);
	}

	/** Whether the feed had all events. */
	public boolean isComplete() {
		return this.complete;
	}

	private void add(PastEvent event) {
		switch (event.type()) {
			case "job.enqueued" -> enqueued(event);
			case "job.scheduled" -> scheduled(event);
			case "job.started" -> started(event);
			case "job.completed" -> {
				put(event, TimelineEntry.Kind.COMPLETED, "run_ms", event.number("duration_ms"));
			}
			case "job.failed" -> failed(event);
			case "job.retrying" -> {
				this.waitsSince = time(event.text("next_retry_at"));
				put(event, TimelineEntry.Kind.RETRY_SCHEDULED, NEXT_AT, event.text("next_retry_at"));
			}
			case "job.dead_lettered" ->
				put(event, TimelineEntry.Kind.DEAD_LETTERED, "dead_letter_queue", event.text("dead_letter_queue"));
			case "job.discarded" -> put(event, TimelineEntry.Kind.DISCARDED, ERROR, event.object("last_error"));
			case "job.expired" ->
				put(event, TimelineEntry.Kind.DISCARDED, ERROR, Words.facts("code", JobError.JOB_EXPIRED));
			case "job.cancelled" ->
				put(event, TimelineEntry.Kind.CANCELLED, BY, event.text(BY), "reason", event.text("reason"));
			case "job.handed_over" -> put(event, TimelineEntry.Kind.HANDED_OVER);
			case "dead_letter.retried" -> {
				this.waitsSince = event.at();
				put(event, TimelineEntry.Kind.REPLAYED, BY, event.text(BY));
			}
			case "dead_letter.deleted" -> put(event, TimelineEntry.Kind.DELETED, BY, event.text(BY));
			default -> {
				// Other events, such as those of limits, change no state.
			}
		}
	}

	private void enqueued(PastEvent event) {
		this.waitsSince = event.at();
		if (this.entries.isEmpty() && event.at().isBefore(this.row.createdAt.plus(INSERTED))) {
			put(event, TimelineEntry.Kind.CREATED);
			return;
		}
		TimelineEntry last = this.entries.isEmpty() ? null : this.entries.get(this.entries.size() - 1);
		if (last == null || last.kind() != TimelineEntry.Kind.REPLAYED || !last.at().equals(event.at())) {
			put(event, TimelineEntry.Kind.AVAILABLE);
		}
	}

	private void scheduled(PastEvent event) {
		if (this.entries.isEmpty() && event.at().isBefore(this.row.createdAt.plus(INSERTED))) {
			put(event, TimelineEntry.Kind.CREATED);
		}
		put(event, TimelineEntry.Kind.SCHEDULED, NEXT_AT, event.text("scheduled_at"));
	}

	private void started(PastEvent event) {
		Instant since = this.waitsSince;
		this.waitsSince = null;
		put(event, TimelineEntry.Kind.STARTED, "worker", this.operator ? event.text("worker_id") : null, "wait_ms",
				(since != null) ? (Long) Math.max(0, Duration.between(since, event.at()).toMillis()) : null);
	}

	private void failed(PastEvent event) {
		Map<String, @Nullable Object> error = event.object(ERROR);
		boolean lost = error != null && WORKER_LOST.equals(error.get("code"));
		if (lost) {
			this.waitsSince = event.at();
		}
		put(event, lost ? TimelineEntry.Kind.LEASE_LOST : TimelineEntry.Kind.FAILED, "run_ms",
				event.number("duration_ms"), ERROR, error);
	}

	private void put(PastEvent event, TimelineEntry.Kind kind, @Nullable Object... more) {
		Long attempt = event.number("attempt");
		this.entries
			.add(new TimelineEntry(event.at(), kind, (attempt != null) ? attempt.intValue() : null, Words.facts(more)));
	}

	private static @Nullable Instant time(@Nullable String text) {
		return (text != null) ? OffsetDateTime.parse(text).toInstant() : null;
	}

	/** Adds what the row says and the feed did not. */
	private void fill() {
		boolean staged = !has(TimelineEntry.Kind.CREATED);
		if (staged) {
			this.entries.add(0, new TimelineEntry(this.row.createdAt, TimelineEntry.Kind.CREATED, null, Map.of()));
			// A job that was pending at first has no event then.
			this.complete = this.row.state == JobState.PENDING || has(TimelineEntry.Kind.AVAILABLE);
		}
		if (this.row.publishedAt != null) {
			this.entries.add(new TimelineEntry(this.row.publishedAt, TimelineEntry.Kind.PUBLISHED, null, Map.of()));
		}
		this.errors.forEach(this::fill);
		this.row.replayTimes().forEach(this::fill);
		if (this.row.startedAt != null && !has(TimelineEntry.Kind.STARTED, this.row.attempt)) {
			missed(this.row.startedAt, TimelineEntry.Kind.STARTED, this.row.attempt, "worker",
					this.operator ? this.row.worker : null);
		}
		if (this.row.state == JobState.RETRYABLE && !has(TimelineEntry.Kind.RETRY_SCHEDULED, this.row.attempt)
				&& !this.errors.isEmpty()) {
			missed(this.errors.get(this.errors.size() - 1).occurredAt().toInstant(), TimelineEntry.Kind.RETRY_SCHEDULED,
					this.row.attempt, NEXT_AT, this.row.dueAt);
		}
		end();
		long replays = this.entries.stream().filter((entry) -> entry.kind() == TimelineEntry.Kind.REPLAYED).count();
		this.complete &= replays >= this.row.replays && attempts() >= this.row.attempt
				&& (this.row.scheduledAt == null || has(TimelineEntry.Kind.SCHEDULED));
	}

	/** Adds a failed attempt whose event is missing. */
	private void fill(JobError error) {
		TimelineEntry.Kind kind = error.code().equals(WORKER_LOST) ? TimelineEntry.Kind.LEASE_LOST
				: TimelineEntry.Kind.FAILED;
		boolean ended = error.code().equals(JobError.JOB_EXPIRED);
		Instant at = error.occurredAt().toInstant();
		boolean there = this.entries.stream()
			.anyMatch((entry) -> entry.kind() == kind && Objects.equals(entry.attempt(), error.attempt())
					&& !entry.at().isBefore(at.minus(INSERTED)) && entry.at().isBefore(at.plus(INSERTED)));
		if (!there && !ended) {
			missed(at, kind, error.attempt(), ERROR, EndReasons.told(error));
		}
	}

	/** Adds a replay whose event is missing. */
	private void fill(Instant replayedAt) {
		if (this.entries.stream()
			.noneMatch((entry) -> entry.kind() == TimelineEntry.Kind.REPLAYED && entry.at().equals(replayedAt))) {
			missed(replayedAt, TimelineEntry.Kind.REPLAYED, null);
		}
	}

	private void end() {
		Instant at = this.row.endedAt;
		TimelineEntry.Kind kind = switch (this.row.state) {
			case COMPLETED -> TimelineEntry.Kind.COMPLETED;
			case CANCELLED -> TimelineEntry.Kind.CANCELLED;
			case HANDED_OVER -> TimelineEntry.Kind.HANDED_OVER;
			case DISCARDED ->
				(this.row.deadLetteredAt != null) ? TimelineEntry.Kind.DEAD_LETTERED : TimelineEntry.Kind.DISCARDED;
			default -> null;
		};
		if (at != null && kind != null && this.entries.stream()
			.noneMatch((entry) -> entry.kind() == kind && !entry.at().isBefore(at.minusMillis(1)))) {
			missed(at, kind, (kind == TimelineEntry.Kind.COMPLETED) ? this.row.attempt : null);
		}
	}

	private void missed(Instant at, TimelineEntry.Kind kind, @Nullable Integer attempt, @Nullable Object... more) {
		this.complete = false;
		this.entries.add(new TimelineEntry(at, kind, attempt, Words.facts(more)));
	}

	/** Returns how many attempts the feed had since the last replay. */
	private long attempts() {
		Instant since = this.entries.stream()
			.filter((entry) -> entry.kind() == TimelineEntry.Kind.REPLAYED)
			.map(TimelineEntry::at)
			.max(Comparator.naturalOrder())
			.orElse(Instant.MIN);
		return this.entries.stream()
			.filter((entry) -> entry.kind() == TimelineEntry.Kind.STARTED && !entry.at().isBefore(since))
			.count();
	}

	private boolean has(TimelineEntry.Kind kind) {
		return this.entries.stream().anyMatch((entry) -> entry.kind() == kind);
	}

	private boolean has(TimelineEntry.Kind kind, int attempt) {
		return this.entries.stream()
			.anyMatch((entry) -> entry.kind() == kind && (entry.attempt() == null || entry.attempt() == attempt));
	}

}
