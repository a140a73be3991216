package io.ojs.internal.bulk;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import io.ojs.client.OjsOperations;
import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.internal.DeadLetterFacets;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.ReplayBatch;
import io.ojs.deadletter.internal.ReplayDecision;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.engine.JobRow;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.JobState;
import io.ojs.job.internal.ForeignText;
import io.ojs.queue.internal.Producers;
import org.jspecify.annotations.Nullable;

/**
 * Works batches of operations, each in the transaction of the caller.
 */
public final class BulkWork {

	/** How many jobs a transaction changes. */
	static final int BATCH = 500;

	private static final int MOST_LOCKED = 10_000;

	/** How long jobs are counted that are found by a search. */
	private static final Duration COUNTING = Duration.ofMillis(300);

	private static final int LONGEST_PROBLEM = 200;

	private final StoreDeadLetters letters;

	private final DeadLetterStore store;

	private final AdminStore jobs;

	private final JobSearch search;

	private final OjsOperations ojs;

	private final Producers producers;

	/**
	 * Creates the work.
	 * @param producers has the thread act for the caller that has asked for an operation
	 */
	public BulkWork(StoreDeadLetters letters, DeadLetterStore store, AdminStore jobs, JobSearch search,
			OjsOperations ojs, Producers producers) {
		this.letters = letters;
		this.store = store;
		this.jobs = jobs;
		this.search = search;
		this.ojs = ojs;
		this.producers = producers;
	}

	/**
	 * Works the next batch. The events of its jobs name the caller that the operation
	 * names.
	 * @return what has been done with it; empty if nothing is left to do
	 */
	Optional<Step> next(BulkOperation operation, Instant now) {
		return (operation.by() != null) ? this.producers.supply(operation.by(), () -> work(operation, now))
				: work(operation, now);
	}

	private Optional<Step> work(BulkOperation operation, Instant now) {
		BulkRequest request = operation.request();
		if (request == BulkRequest.UNREADABLE) {
			throw new IllegalStateException("This version of the application cannot read what was asked for.");
		}
		Tally tally = new Tally(operation.progress());
		int size = size(request, operation.progress());
		if (size == 0) {
			return Optional.empty();
		}
		boolean any = switch (operation.action()) {
			case REPLAY -> replay(operation, size, tally);
			case CANCEL -> cancel(request, size, tally);
			case DELETE -> (request.letters() != null) ? deleteLetters(request.letters(), size, now, tally)
					: deleteJobs(request, size, tally);
		};
		if (any) {
			Duration pause = pause(request, tally.done - operation.progress().done());
			return Optional.of(new Step(tally.progress(), pause, false));
		}
		locked(request, tally);
		return Optional.of(new Step(tally.progress(), Duration.ZERO, true));
	}

	/** Batches pass over dead letters that another transaction has locked. */
	private void locked(BulkRequest request, Tally tally) {
		if (request.letters() != null && request.limit() == null) {
			long left = this.store.countUpTo(request.letters(), MOST_LOCKED).jobs();
			tally.locked(left - tally.failed - tally.skipped.values().stream().mapToLong(Long::longValue).sum());
		}
	}

	private static int size(BulkRequest request, BulkOperation.Progress progress) {
		Long limit = request.limit();
		Double rate = request.rate();
		// With a rate, the jobs of a second: the others stay dead letters until then.
		long most = (rate != null) ? Math.max(1, Math.min(BATCH, Math.round(rate))) : BATCH;
		return (int) ((limit != null) ? Math.max(0, Math.min(most, limit - progress.done())) : most);
	}

	private static Duration pause(BulkRequest request, long replayed) {
		Double rate = request.rate();
		return (rate != null) ? Duration.ofNanos((long) (replayed / rate * 1e9)) : Duration.ZERO;
	}

	private boolean replay(BulkOperation operation, int size, Tally tally) {
		BulkRequest request = operation.request();
		DeadLetterCursor after = (tally.position != null) ? DeadLetterCursor.parse(tally.position) : null;
		ReplayBatch batch = this.letters.replayNext(Objects.requireNonNull(request.letters()), request.options(size),
				after, operation.id());
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

	private boolean deleteJobs(BulkRequest request, int size, Tally tally) {
		List<String> ids = next(BulkAction.DELETE, request, size, tally);
		if (!ids.isEmpty()) {
			JobFilter found = criteria(BulkAction.DELETE, request).filter();
			int deleted = this.jobs
				.delete(JobFilter.ANY.states(found.states()).ids(new HashSet<>(ids)).until(request.until()), size);
			tally.done += deleted;
			tally.locked(ids.size() - deleted);
		}
		return tally.position != null;
	}

	private boolean cancel(BulkRequest request, int size, Tally tally) {
		for (String id : next(BulkAction.CANCEL, request, size, tally)) {
			try {
				if (this.ojs.cancel(id).isPresent()) {
					tally.done++;
				}
			}
			catch (IllegalStateTransitionException ex) {
				tally.skipped("ended", id, "it has ended meanwhile.");
			}
		}
		return tally.position != null;
	}

	/** Searches on. A search that was cut off may have found none, and has a position. */
	private List<String> next(BulkAction action, BulkRequest request, int size, Tally tally) {
		JobSearch.Result page = this.search.search(criteria(action, request), tally.position, size);
		List<String> ids = page.jobs()
			.stream()
			.map(JobSearch.Found::row)
			.filter((row) -> wasThere(action, row, request))
			.map((row) -> row.id.toString())
			.toList();
		tally.position = (page.next() != null || ids.isEmpty()) ? page.next() : ids.get(ids.size() - 1);
		return ids;
	}

	/** Jobs that the operation did not mean when it began are left alone. */
	private static boolean wasThere(BulkAction action, JobRow row, BulkRequest request) {
		Instant since = (action == BulkAction.DELETE) ? row.endedAt : row.createdAt;
		return since != null && since.isBefore(Objects.requireNonNull(request.until()));
	}

	/** What the list shows, without jobs whose states the action cannot change. */
	private static JobSearch.Criteria criteria(BulkAction action, BulkRequest request) {
		JobSearch.Criteria asked = Objects.requireNonNull(request.jobs());
		JobFilter filter = asked.filter();
		if (filter.states().isEmpty()) {
			boolean delete = action == BulkAction.DELETE;
			filter = filter.states(EnumSet.allOf(JobState.class)
				.stream()
				.filter((state) -> delete ? AdminStore.DELETABLE.contains(state) : !state.isTerminal())
				.collect(Collectors.toSet()));
		}
		return asked.filter(filter);
	}

	/**
	 * Counts the jobs that an operation means, up to a bound.
	 */
	public BulkOperation.Progress count(BulkAction action, BulkRequest request, int bound) {
		AdminStore.BoundedCount count = (request.letters() != null) ? this.store.countUpTo(request.letters(), bound)
				: countJobs(action, request, bound);
		return BulkOperation.Progress.of(count.jobs(), count.complete());
	}

	private AdminStore.BoundedCount countJobs(BulkAction action, BulkRequest request, int bound) {
		JobSearch.Criteria criteria = criteria(action, request);
		JobFilter filter = criteria.filter();
		if (criteria.equals(JobSearch.Criteria.ANY.filter(filter)) && filter.since() == null
				&& filter.until() == null) {
			return this.jobs.countUpTo(filter.until(request.until()), action == BulkAction.DELETE, bound);
		}
		long end = System.nanoTime() + COUNTING.toNanos();
		long counted = 0;
		String before = null;
		do {
			JobSearch.Result page = this.search.search(criteria, before, BATCH);
			counted += page.jobs().stream().filter((found) -> wasThere(action, found.row(), request)).count();
			before = page.next();
		}
		while (before != null && counted < bound && System.nanoTime() - end < 0);
		return new AdminStore.BoundedCount(counted, before == null);
	}

	/**
	 * Counts the dead letters that a replay or a deletion means by what they have in
	 * common.
	 */
	public DeadLetterFacets facets(DeadLetterFilter filter, Instant now) {
		return this.store.facets(filter, now, DeadLetterFacets.BOUND);
	}

	/**
	 * What an operation has done, and the pause before its next batch.
	 *
	 * @param last whether nothing is left to do
	 */
	record Step(BulkOperation.Progress progress, Duration pause, boolean last) {
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

		/** Notes jobs that another transaction has locked, or deleted meanwhile. */
		void locked(long jobs) {
			if (jobs > 0) {
				this.skipped.merge("locked", jobs, Long::sum);
			}
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
