package io.ojs.test.jobs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.ojs.client.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.json.JobCodec;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.Insertion;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * The jobs, in memory. Nobody who holds the lock runs anything of others.
 */
final class KeptJobs {

	private final JobCodec codec;

	private final ReentrantLock lock = new ReentrantLock();

	/** By their ids, in the order in which they were enqueued. */
	private Map<String, KeptJob> jobs = new LinkedHashMap<>();

	private long number;

	KeptJobs(JobCodec codec) {
		this.codec = codec;
	}

	void clear() {
		locked(() -> {
			this.jobs = new LinkedHashMap<>();
			return null;
		});
	}

	List<KeptJob> all() {
		return locked(() -> List.copyOf(this.jobs.values()));
	}

	Optional<KeptJob> find(String id) {
		return locked(() -> Optional.ofNullable(this.jobs.get(id)));
	}

	/**
	 * Keeps jobs: all of them, or none if one of them is {@link Insertion.Rejected}.
	 * @throws DuplicateIdException if an id is taken; none is kept
	 */
	Inserted insert(List<EncodedJob> added, Instant now) {
		return locked(() -> {
			Map<String, KeptJob> before = this.jobs;
			Map<String, KeptJob> after = new LinkedHashMap<>(before);
			List<Insertion> insertions = added.stream().map((each) -> insert(each, after, now)).toList();
			if (insertions.stream().anyMatch(Insertion.Rejected.class::isInstance)) {
				return new Inserted(insertions, Map.of());
			}
			Map<String, Optional<KeptJob>> changed = new LinkedHashMap<>();
			after.forEach((id, job) -> {
				if (before.get(id) != job) {
					changed.put(id, Optional.ofNullable(before.get(id)));
				}
			});
			this.jobs = after;
			return new Inserted(insertions, changed);
		});
	}

	/** Puts back what was there before jobs were kept, whatever has become of them. */
	void undo(Inserted inserted) {
		locked(() -> {
			inserted.before()
				.forEach((id, before) -> before.ifPresentOrElse((job) -> this.jobs.put(id, job),
						() -> this.jobs.remove(id)));
			return null;
		});
	}

	private Insertion insert(EncodedJob added, Map<String, KeptJob> to, Instant now) {
		KeptJob created = created(added);
		UniqueMeeting meeting = UniqueMeeting.of(created.job(), added.uniqueKey(), to.values(), now);
		List<KeptJob> replaced = List.of();
		if (meeting != null) {
			OnConflict onConflict = meeting.policy().onConflict();
			if (onConflict == OnConflict.REJECT) {
				return new Insertion.Rejected(meeting.newest().stored());
			}
			if (onConflict == OnConflict.IGNORE) {
				return new Insertion.Ignored(meeting.newest().stored());
			}
			KeptJob scheduled = meeting.merged();
			if (scheduled != null) {
				KeptJob merged = scheduled.merged(created);
				to.put(merged.job().id(), merged);
				return new Insertion.Merged(merged.stored());
			}
			replaced = meeting.existing();
			replaced.forEach((each) -> to.put(each.job().id(), each.cancelled(now)));
		}
		if (to.containsKey(created.job().id())) {
			throw new DuplicateIdException(created.job().id(), null);
		}
		to.put(created.job().id(), created);
		return new Insertion.Inserted(replaced.stream().map(KeptJob::stored).toList());
	}

	/** What a worker would read of it. */
	private KeptJob created(EncodedJob added) {
		Job job = added.job();
		Job read = this.codec.decode(added.body())
			.toBuilder()
			.state(job.state())
			.createdAt(job.createdAt())
			.enqueuedAt(job.enqueuedAt())
			.build();
		Instant dueAt = (job.state() == JobState.SCHEDULED && job.scheduledAt() != null) ? job.scheduledAt().toInstant()
				: null;
		return new KeptJob(this.number++, new StoredJob(read, added.maxAttempts(), Map.of(), dueAt, null, null, 0),
				added.uniqueKey());
	}

	/**
	 * The job whose turn it is.
	 * @param until only those that are due by then; {@code null} for any
	 * @param meant only these
	 */
	Optional<KeptJob> next(@Nullable Instant until, Predicate<Job> meant) {
		return locked(() -> this.jobs.values()
			.stream()
			.filter((each) -> each.turn() != null && meant.test(each.job()))
			.filter((each) -> until == null || !Objects.requireNonNull(each.turn()).isAfter(until))
			.min(Comparator.comparing(KeptJob::turnOrEpoch).thenComparing(KeptJob::number)));
	}

	/**
	 * Changes a job.
	 * @param id the id of the job
	 * @param in the states in which it is changed; in others it is left alone
	 * @param change makes what it is from now on; what it throws leaves the job alone
	 * @return the job as it is now; empty if it is not there, or was left alone
	 */
	Optional<KeptJob> change(String id, Predicate<JobState> in, UnaryOperator<KeptJob> change) {
		return locked(() -> {
			KeptJob before = this.jobs.get(id);
			if (before == null || !in.test(before.state())) {
				return Optional.empty();
			}
			KeptJob after = change.apply(before);
			this.jobs.put(id, after);
			return Optional.of(after);
		});
	}

	/** The jobs of some ids, as they are now. */
	List<KeptJob> all(List<String> ids) {
		List<KeptJob> found = new ArrayList<>(ids.size());
		ids.forEach((id) -> find(id).ifPresent(found::add));
		return found;
	}

	private <T> T locked(Supplier<T> work) {
		this.lock.lock();
		try {
			return work.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What became of jobs that were to be kept.
	 *
	 * @param insertions what became of each
	 * @param before what was there under the ids that have changed
	 */
	record Inserted(List<Insertion> insertions, Map<String, Optional<KeptJob>> before) {
	}

}
