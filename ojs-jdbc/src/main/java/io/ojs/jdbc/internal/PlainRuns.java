package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.internal.engine.FeedEvent;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.VersionKey;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.tenant.Tenants;

/**
 * Begins and ends runs with one statement, which is a transaction by itself and needs no
 * query before it. It handles jobs whose rows are what their messages say, and that need
 * no other query or event. The caller handles all other jobs in the usual way.
 */
public final class PlainRuns {

	/** More runs than any process has at once, even if its handlers take no time. */
	private static final int MOST_REMEMBERED = 2000;

	private final StoreDatabase database;

	private final ReentrantLock lock = new ReentrantLock();

	/** Rows of jobs as they were when their runs began. */
	private final Map<Lease, JobRow> begun = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<Lease, JobRow> eldest) {
			return size() > MOST_REMEMBERED;
		}

	};

	/**
	 * Runs whose success is recorded but not reported, because others in the same call
	 * failed.
	 */
	private final Set<Lease> unanswered = ConcurrentHashMap.newKeySet();

	public PlainRuns(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Begins runs.
	 * @return the claims by the ids of the jobs; the caller has to look at the missing
	 * jobs
	 */
	public Map<String, Claim> begin(List<ClaimRequest> requests, String worker, Instant now) {
		AutoCommit autoCommit = this.database.autoCommit();
		Map<UUID, PlainStart> starts = autoCommit.isPossible() ? starts(requests, worker, now) : Map.of();
		Map<String, Claim> claims = new HashMap<>();
		Map<Lease, JobRow> rows = new HashMap<>();
		if (starts.isEmpty()) {
			return claims;
		}
		for (JobRow row : autoCommit.execute((connection) -> PlainStart.begin(connection, starts)).orElse(List.of())) {
			Lease lease = new Lease(row.id.toString(), row.run);
			ClaimRequest request = starts.get(row.id).request();
			claims.put(lease.jobId(),
					new Claim.Taken(this.database.codec().stored(row, request.encoded()), lease, false, false));
			rows.put(lease, row);
		}
		remember(rows);
		return claims;
	}

	private Map<UUID, PlainStart> starts(List<ClaimRequest> requests, String worker, Instant now) {
		Transitions transitions = this.database.transitions(now);
		Map<UUID, PlainStart> starts = new LinkedHashMap<>();
		for (ClaimRequest request : requests) {
			Job job = request.encoded().job();
			// A retry, or a job that is claimed again, has a past that the message does
			// not tell.
			if (request.attempt() > 1 || !request.unanswered().isEmpty() || Tenants.of(job).isPresent()
					|| RateLimitJson.of(job).isPresent() || !request.handled().contain(job.type(), job.version())) {
				continue;
			}
			JobRow expected = expected(request, job);
			if (!this.database.concerns(expected, job) && !starts.containsKey(expected.id)) {
				transitions.start(expected, worker, now.plus(request.lease()));
				FeedEvent event = transitions.events().get(starts.size());
				starts.put(expected.id, new PlainStart(request, expected, this.database.events().told(List.of(event))));
			}
		}
		return starts;
	}

	private static JobRow expected(ClaimRequest request, Job job) {
		JobRow row = new JobRow(UUID.fromString(job.id()));
		row.type = job.type();
		row.queue = request.queue();
		row.state = JobState.AVAILABLE;
		row.versionKey = (job.version() != null) ? (Long) VersionKey.of(job.version()) : null;
		return row;
	}

	/**
	 * Records that runs have succeeded. Forgets how all of these runs began.
	 * @return the runs whose success is recorded, now or before; the caller has to look
	 * at the others
	 */
	public Set<Lease> complete(List<? extends Outcome> outcomes, Instant now) {
		Map<Lease, JobRow> recalled = recall(outcomes);
		Transitions transitions = this.database.transitions(now);
		List<PlainEnd> ends = new ArrayList<>();
		for (Outcome outcome : outcomes) {
			JobRow row = recalled.remove(outcome.lease());
			if (row != null && row.workflowId == null && outcome instanceof Outcome.Completed success) {
				transitions.complete(row, success.result());
				FeedEvent event = transitions.events().get(ends.size());
				ends.add(new PlainEnd(outcome.lease(), row, this.database.events().told(List.of(event))));
			}
		}
		Set<Lease> completed = new HashSet<>();
		if (!ends.isEmpty()) {
			this.database.autoCommit()
				.execute((connection) -> PlainEnd.complete(connection, ends))
				.ifPresent(completed::addAll);
		}
		for (Outcome outcome : outcomes) {
			if (this.unanswered.remove(outcome.lease())) {
				completed.add(outcome.lease());
			}
		}
		return completed;
	}

	/**
	 * Remembers runs whose success is recorded: the call fails because of others, and the
	 * caller asks again.
	 */
	public void unanswered(Collection<Lease> completed) {
		if (this.unanswered.size() < MOST_REMEMBERED) {
			this.unanswered.addAll(completed);
		}
	}

	/**
	 * Remembers how runs began, so that they can end with one statement.
	 * @param rows the rows of their jobs, by their leases; the caller must not use them
	 * any longer
	 */
	public void remember(Map<Lease, JobRow> rows) {
		for (JobRow row : rows.values()) {
			// The end of the run does not need these, and they may be large.
			row.envelope = "";
			row.headers = null;
			row.errors = null;
		}
		this.lock.lock();
		try {
			this.begun.putAll(rows);
		}
		finally {
			this.lock.unlock();
		}
	}

	private Map<Lease, JobRow> recall(List<? extends Outcome> outcomes) {
		Map<Lease, JobRow> recalled = new HashMap<>();
		this.lock.lock();
		try {
			for (Outcome outcome : outcomes) {
				JobRow row = this.begun.remove(outcome.lease());
				if (row != null) {
					recalled.put(outcome.lease(), row);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
		return recalled;
	}

}
