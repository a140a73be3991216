package io.ojs.jdbc.internal.deadletter;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.deadletter.internal.Recorded;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import io.ojs.jdbc.internal.DeletedJobs;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.ProcessLeases;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Records dead letters that were found at the broker, in one transaction.
 */
final class DeadLetterRecording {

	private final StoreDatabase database;

	private final Instant now;

	private final Transitions transitions;

	DeadLetterRecording(StoreDatabase database, Instant now) {
		this.database = database;
		this.now = Times.micros(now);
		this.transitions = database.transitions(now);
	}

	List<Recorded> record(List<FoundDeadLetter> found) {
		JobRows jobs = this.database.jobs();
		Map<UUID, FoundDeadLetter> first = new LinkedHashMap<>();
		found.forEach((letter) -> first.putIfAbsent(id(letter), letter));
		Map<UUID, JobRow> known = jobs.lock(first.keySet(), true);
		Map<UUID, JobRow> adopted = adopt(first, known.keySet());
		List<UUID> late = first.keySet()
			.stream()
			.filter((id) -> !known.containsKey(id) && !adopted.containsKey(id))
			.toList();
		// Other transactions have inserted these jobs in the meantime.
		known.putAll(jobs.lock(late, true));
		new ProcessLeases(this.database).extend(known.values(), this.now);
		List<Recorded> recorded = new ArrayList<>(found.size());
		for (FoundDeadLetter letter : found) {
			JobRow fresh = adopted.remove(id(letter));
			if (fresh != null) {
				known.put(fresh.id, fresh);
				bury(fresh, letter);
				recorded.add(Recorded.ADOPTED);
			}
			else {
				recorded.add(record(known.get(id(letter)), letter));
			}
		}
		this.database.save(this.transitions);
		return recorded;
	}

	private static UUID id(FoundDeadLetter letter) {
		return UUID.fromString(letter.encoded().job().id());
	}

	private Map<UUID, JobRow> adopt(Map<UUID, FoundDeadLetter> found, Set<UUID> known) {
		Map<UUID, JobRow> unknown = new HashMap<>();
		Map<UUID, @Nullable String> stores = new HashMap<>();
		found.forEach((id, letter) -> stores.put(id, letter.store()));
		stores.keySet().removeAll(known);
		Set<UUID> deleted = new DeletedJobs(this.database).among(stores);
		found.forEach((id, letter) -> {
			if (!known.contains(id) && !deleted.contains(id) && !this.database.id().equals(letter.store())
					&& !isInternal(letter)) {
				unknown.put(id, row(letter));
			}
		});
		Collection<UUID> inserted = this.database.adopt(unknown.values());
		unknown.keySet().retainAll(inserted);
		return unknown;
	}

	/**
	 * Whether the job is one that only this library enqueues. If it is genuine, it is in
	 * the store.
	 */
	private static boolean isInternal(FoundDeadLetter letter) {
		return letter.encoded().job().type().equals(JobRules.WEBHOOK_TYPE);
	}

	private JobRow row(FoundDeadLetter letter) {
		JobRow row = this.database.codec().create(letter.encoded(), letter.headers());
		row.queue = letter.queue();
		row.state = JobState.PENDING;
		row.adopted = true;
		row.attempt = Math.max(1, letter.attempt()) - 1;
		row.replays = letter.generation();
		return row;
	}

	private Recorded record(JobRow row, FoundDeadLetter letter) {
		if (row == null && isInternal(letter) && !this.database.id().equals(letter.store())) {
			return Recorded.REFUSED;
		}
		if (row == null || (row.state.isTerminal() && row.state != JobState.HANDED_OVER)) {
			return Recorded.ENDED;
		}
		if (row.replays > letter.generation() || !row.queue.equals(letter.queue())) {
			return Recorded.OUTDATED;
		}
		// A worker that the broker delivers to ends its run by the dead letter.
		boolean ended = letter.error() != null && this.database.options().handedOver().test(row.queue);
		if (row.state == JobState.ACTIVE && row.leaseUntil != null && !row.leaseUntil.isBefore(this.now) && !ended) {
			return Recorded.RUNNING;
		}
		if (!isOf(row, letter)) {
			return Recorded.REFUSED;
		}
		bury(row, letter);
		return Recorded.DISCARDED;
	}

	/**
	 * Whether a dead letter is that of the kept job. Otherwise, any message with the id
	 * of the job could end it.
	 */
	private boolean isOf(JobRow row, FoundDeadLetter letter) {
		if (row.state == JobState.PENDING || row.state == JobState.SCHEDULED) {
			return false;
		}
		Job found = letter.encoded().job();
		Job kept = this.database.codec().envelope(row);
		return found.type().equals(kept.type()) && found.args().equals(kept.args())
				&& Objects.equals(millis(found.createdAt()), millis(kept.createdAt()));
	}

	/** The same for all texts that mean the same time. */
	private static @Nullable Long millis(@Nullable OffsetDateTime time) {
		return (time != null) ? (Long) time.toInstant().toEpochMilli() : null;
	}

	private void bury(JobRow row, FoundDeadLetter letter) {
		if (letter.error() != null) {
			// A worker that does not report to the store has run the job.
			row.attempt = Math.max(row.attempt, letter.attempt());
		}
		this.transitions.bury(row, letter.errorAt(this.now), letter.errorHash());
	}

}
