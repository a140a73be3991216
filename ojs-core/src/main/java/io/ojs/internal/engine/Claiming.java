package io.ojs.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Claims a list of jobs for a worker in one transaction, each according to the state of
 * its row.
 */
final class Claiming {

	/** How early a message may come. The clock of a broker may be ahead of ours. */
	private static final Duration EARLY = Duration.ofSeconds(1);

	private final JobTable table;

	private final List<ClaimRequest> requests;

	private final String worker;

	private final Instant now;

	private final boolean takeOver;

	private final Transitions transitions;

	private final Starts starts;

	private final Map<UUID, JobRow> adopted = new HashMap<>();

	private final Set<UUID> deleted = new HashSet<>();

	Claiming(JobTable table, List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
		this.table = table;
		this.requests = requests;
		this.worker = worker;
		this.now = Times.micros(now);
		this.takeOver = takeOver;
		this.transitions = table.transitions(now);
		this.starts = new Starts(this.transitions, table.gate(now));
	}

	List<@Nullable Claim> run() {
		List<UUID> ids = this.requests.stream().map(Claiming::id).toList();
		Map<UUID, JobRow> rows = this.table.lockFree(ids, true);
		Set<UUID> locked = this.table.known(ids.stream().filter((id) -> !rows.containsKey(id)).toList());
		adopt(ids.stream().filter((id) -> !rows.containsKey(id) && !locked.contains(id)).toList());
		if (this.takeOver) {
			this.table.extendLeases(rows.values(), this.now);
		}
		this.starts.lock(jobs(rows));
		List<@Nullable Claim> claims = new ArrayList<>(this.requests.size());
		for (ClaimRequest request : this.requests) {
			claims.add(locked.contains(id(request)) ? null : claim(rows.get(id(request)), request));
		}
		this.starts.save();
		this.table.save(this.transitions);
		return claims;
	}

	/** Returns the jobs that may start. */
	private Map<JobRow, Job> jobs(Map<UUID, JobRow> rows) {
		Map<JobRow, Job> jobs = new LinkedHashMap<>();
		for (ClaimRequest request : this.requests) {
			JobRow row = rows.getOrDefault(id(request), this.adopted.get(id(request)));
			if (row != null && (!row.state.isTerminal() || row.state == JobState.HANDED_OVER)) {
				jobs.put(row, request.encoded().job());
			}
		}
		return jobs;
	}

	private static UUID id(ClaimRequest request) {
		return UUID.fromString(request.encoded().job().id());
	}

	private void adopt(List<UUID> unknown) {
		if (unknown.isEmpty()) {
			return;
		}
		Map<UUID, JobRow> rows = new LinkedHashMap<>();
		List<ClaimRequest> foreign = this.requests.stream()
			.filter((request) -> unknown.contains(id(request)) && !isOwn(request) && !isInternal(request))
			.toList();
		Map<UUID, @Nullable String> stores = new HashMap<>();
		foreign.forEach((request) -> stores.put(id(request), request.store()));
		this.deleted.addAll(this.table.deleted(stores));
		for (ClaimRequest request : foreign) {
			if (!this.deleted.contains(id(request))) {
				JobRow row = this.table.codec().create(request.encoded(), request.headers());
				row.state = JobState.PENDING;
				row.adopted = true;
				row.queue = request.queue();
				rows.put(row.id, row);
			}
		}
		// If two transactions adopt the same job at the same time, one of them inserts
		// it.
		this.table.adopt(rows.values()).forEach((id) -> this.adopted.put(id, rows.get(id)));
	}

	/** Whether this store has published the job, and so has known it. */
	private boolean isOwn(ClaimRequest request) {
		return this.table.id().equals(request.store());
	}

	private static boolean isInternal(ClaimRequest request) {
		return request.encoded().job().type().equals(JobRules.WEBHOOK_TYPE);
	}

	private Claim claim(@Nullable JobRow row, ClaimRequest request) {
		if (row == null) {
			return adoption(request);
		}
		if (isOwn(row, request)) {
			this.transitions.resume(row, this.now.plus(request.lease()));
			return taken(row, request, false);
		}
		boolean waits = row.state == JobState.SCHEDULED || row.state == JobState.RETRYABLE;
		boolean lost = this.takeOver && row.state == JobState.ACTIVE && row.leaseUntil != null
				&& row.leaseUntil.isBefore(this.now) && !row.isTimedOut();
		boolean ready = row.state == JobState.AVAILABLE || row.state == JobState.HANDED_OVER;
		if (!waits && !lost && !ready) {
			return new Claim.Duplicate(row.state);
		}
		if (!row.queue.equals(request.queue())) {
			return new Claim.Elsewhere(row.queue);
		}
		if (lost && !this.transitions.lose(row)) {
			return new Claim.Exhausted(stored(row, request));
		}
		boolean expired = row.expiresAt != null && row.expiresAt.isBefore(this.now);
		if (waits && !expired && row.dueAt != null && row.dueAt.isAfter(this.now.plus(EARLY))) {
			return new Claim.NotDue(stored(row, request), row.dueAt);
		}
		return start(row, request, false);
	}

	private Claim adoption(ClaimRequest request) {
		JobRow row = this.adopted.get(id(request));
		if (row == null && (isOwn(request) || this.deleted.contains(id(request)))) {
			return new Claim.Gone();
		}
		if (row == null) {
			return isInternal(request) ? new Claim.Forged() : new Claim.Duplicate(JobState.ACTIVE);
		}
		row.attempt = Math.max(1, request.attempt()) - 1;
		return start(row, request, true);
	}

	private Claim start(JobRow row, ClaimRequest request, boolean adopted) {
		Decision decision = this.starts.decide(row, request.encoded().job(), request.handled());
		if (decision instanceof Decision.Start) {
			this.transitions.start(row, this.worker, this.now.plus(request.lease()));
			return taken(row, request, adopted);
		}
		StoredJob stored = stored(row, request);
		if (decision instanceof Decision.Expired) {
			return new Claim.Expired(stored);
		}
		if (decision instanceof Decision.Limited limited) {
			return new Claim.Limited(stored, limited.key());
		}
		return (decision instanceof Decision.WaitForWorker wait) ? new Claim.WaitForWorker(stored, wait.until())
				: new Claim.Exhausted(stored);
	}

	private Claim.Taken taken(JobRow row, ClaimRequest request, boolean adopted) {
		return new Claim.Taken(stored(row, request), new Lease(row.id.toString(), row.run), adopted,
				this.starts.isLimited(row, request.encoded().job()));
	}

	/**
	 * Whether an earlier claim for the same message was committed and its answer was
	 * lost. It cannot be another claim of this worker: the claims of one process follow
	 * each other.
	 */
	private boolean isOwn(JobRow row, ClaimRequest request) {
		return row.state == JobState.ACTIVE && JobRow.workerName(this.worker).equals(row.worker)
				&& request.unanswered().stream().map(Times::micros).anyMatch((at) -> at.equals(row.startedAt));
	}

	private StoredJob stored(JobRow row, ClaimRequest request) {
		return this.table.codec().stored(row, request.encoded());
	}

}
