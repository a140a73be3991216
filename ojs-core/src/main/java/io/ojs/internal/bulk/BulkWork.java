package io.ojs.internal.bulk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.ojs.client.OjsOperations;
import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.ReplayBatch;
import io.ojs.deadletter.internal.ReplayDecision;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.internal.ForeignText;
import io.ojs.queue.internal.Producers;
import org.jspecify.annotations.Nullable;

/**
 * Works batches of operations, each in the transaction of the caller.
 */
public final class BulkWork {

	/** How many jobs a transaction changes. */
	static final int BATCH = 500;

	private static final int LONGEST_PROBLEM = 200;

	private final StoreDeadLetters letters;

	private final DeadLetterStore store;

	private final AdminStore jobs;

	private final OjsOperations ojs;

	private final Producers producers;

	/**
	 * Creates the work.
	 * @param producers has the thread act for the caller that has asked for an operation
	 */
	public BulkWork(StoreDeadLetters letters, DeadLetterStore store, AdminStore jobs, OjsOperations ojs,
			Producers producers) {
		this.letters = letters;
		this.store = store;
		this.jobs = jobs;
		this.ojs = ojs;
		this.producers = producers;
	}

	/**
	 * Works the next batch. The events of its jobs name the caller that the operation
	 * names.
	 * @return what has been done with it; empty if nothing is left to do
	 */
	Optional<BulkOperation.Progress> next(BulkOperation operation, Instant now) {
		return (operation.by() != null) ? this.producers.supply(operation.by(), () -> work(operation, now))
				: work(operation, now);
	}

	private Optional<BulkOperation.Progress> work(BulkOperation operation, Instant now) {
		BulkRequest request = operation.request();
		Tally tally = new Tally(operation.progress());
		int size = size(request, operation.progress());
		if (size == 0) {
			return Optional.empty();
		}
		boolean any = switch (operation.action()) {
			case REPLAY -> replay(operation, tally);
			case CANCEL -> cancel(Objects.requireNonNull(request.jobs()), size, tally);
			case DELETE -> (request.letters() != null) ? deleteLetters(request.letters(), size, now, tally)
					: deleteJobs(Objects.requireNonNull(request.jobs()), size, tally);
		};
		return any ? Optional.of(tally.progress()) : Optional.empty();
	}

	private static int size(BulkRequest request, BulkOperation.Progress progress) {
		Long limit = request.limit();
		return (limit != null) ? (int) Math.max(0, Math.min(BATCH, limit - progress.done())) : BATCH;
	}

	private boolean replay(BulkOperation operation, Tally tally) {
		BulkRequest request = operation.request();
		DeadLetterCursor after = (tally.position != null) ? DeadLetterCursor.parse(tally.position) : null;
		Instant start = (operation.startedAt() != null) ? operation.startedAt() : operation.createdAt();
		ReplayBatch batch = this.letters.replayNext(Objects.requireNonNull(request.letters()), request.options(), start,
				tally.done, after);
		if (batch.last() == null) {
			return false;
		}
		tally.position = batch.last().toString();
		for (ReplayDecision decision : batch.decisions()) {
			if (decision instanceof ReplayDecision.Skipped skipped) {
				ReplayResult.Skipped why = skipped.why();
				if (why.reason().isError()) {
					tally.failed(why.jobId(), why.problem());
				}
				else {
					tally.skipped(why.reason().name().toLowerCase(Locale.ROOT), why.jobId(), why.problem());
				}
			}
			else {
				tally.done++;
			}
		}
		return true;
	}

	private boolean deleteLetters(DeadLetterFilter filter, int size, Instant now, Tally tally) {
		int deleted = this.store.delete(filter, now, size);
		tally.done += deleted;
		return deleted > 0;
	}

	private boolean deleteJobs(JobFilter filter, int size, Tally tally) {
		List<String> ids = this.jobs.ids(filter, true, tally.position, size);
		if (ids.isEmpty()) {
			return false;
		}
		tally.done += this.jobs.delete(filter.ids(new HashSet<>(ids)), size);
		tally.position = ids.get(ids.size() - 1);
		return true;
	}

	private boolean cancel(JobFilter filter, int size, Tally tally) {
		List<String> ids = this.jobs.ids(filter, false, tally.position, size);
		for (String id : ids) {
			try {
				if (this.ojs.cancel(id).isPresent()) {
					tally.done++;
				}
			}
			catch (IllegalStateTransitionException ex) {
				tally.skipped("ended", id, "it has ended meanwhile.");
			}
			tally.position = id;
		}
		return !ids.isEmpty();
	}

	/**
	 * Counts the jobs that an operation means, up to a bound.
	 */
	public BulkOperation.Progress count(BulkAction action, BulkRequest request, Instant now, int bound) {
		AdminStore.BoundedCount count = (request.letters() != null) ? this.store.countUpTo(request.letters(), bound)
				: this.jobs.countUpTo(Objects.requireNonNull(request.jobs()), action == BulkAction.DELETE, bound);
		return BulkOperation.Progress.of(count.jobs(), count.complete());
	}

	/** Adds up what a batch does. */
	private static final class Tally {

		private final BulkOperation.Progress before;

		private final Map<String, Long> skipped;

		private final List<BulkOperation.Unchanged> errors;

		private @Nullable String position;

		private long done;

		private long failed;

		Tally(BulkOperation.Progress before) {
			this.before = before;
			this.position = before.position();
			this.done = before.done();
			this.failed = before.failed();
			this.skipped = new LinkedHashMap<>(before.skipped());
			this.errors = new ArrayList<>(before.errors());
		}

		void skipped(String reason, String jobId, String problem) {
			this.skipped.merge(reason, 1L, Long::sum);
			example(jobId, problem);
		}

		void failed(String jobId, String problem) {
			this.failed++;
			example(jobId, problem);
		}

		private void example(String jobId, String problem) {
			if (this.errors.size() < BulkOperation.EXAMPLES) {
				this.errors.add(new BulkOperation.Unchanged(jobId, ForeignText.beginning(problem, LONGEST_PROBLEM)));
			}
		}

		BulkOperation.Progress progress() {
			return new BulkOperation.Progress(this.position, this.before.matched(), this.before.complete(), this.done,
					this.failed, this.skipped, this.errors);
		}

	}

}
