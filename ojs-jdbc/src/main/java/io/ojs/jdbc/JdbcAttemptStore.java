package io.ojs.jdbc;

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
import java.util.function.Supplier;

import io.ojs.engine.JobRow;
import io.ojs.engine.Times;
import io.ojs.engine.Transitions;
import io.ojs.job.Job;
import io.ojs.job.JobRules;
import io.ojs.job.JobState;
import io.ojs.rate.RateMeter;
import io.ojs.store.AttemptStore;
import io.ojs.store.Claim;
import io.ojs.store.ClaimRequest;
import io.ojs.store.Lease;
import io.ojs.store.Outcome;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Runs of jobs in a database.
 */
public final class JdbcAttemptStore implements AttemptStore {

	/** A broker's clock may be ahead of ours: what it brings now is meant for now. */
	private static final Duration EARLY = Duration.ofSeconds(1);

	private final StoreDatabase database;

	private final PlainRuns plain;

	/**
	 * Creates the store.
	 * @param database where jobs are kept
	 */
	public JdbcAttemptStore(StoreDatabase database) {
		this.database = database;
		this.plain = new PlainRuns(database);
	}

	@Override
	public List<@Nullable Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
		if (requests.isEmpty()) {
			return List.of();
		}
		// Known from here on to whoever publishes a message of one of them again.
		this.database.id();
		Map<String, Claim> claims = this.database.read("claim jobs", () -> this.plain.begin(requests, worker, now));
		List<ClaimRequest> others = requests.stream()
			.filter((request) -> !claims.containsKey(request.encoded().job().id()))
			.toList();
		if (!others.isEmpty()) {
			List<@Nullable Claim> found = this.database.write("claim jobs",
					() -> new Claiming(others, worker, now, takeOver).run());
			for (int i = 0; i < others.size(); i++) {
				Claim claim = found.get(i);
				if (claim != null) {
					claims.put(others.get(i).encoded().job().id(), claim);
				}
			}
		}
		List<@Nullable Claim> answers = new ArrayList<>(requests.size());
		requests.forEach((request) -> answers.add(claims.get(request.encoded().job().id())));
		return answers;
	}

	@Override
	public List<@Nullable Boolean> settle(List<? extends Outcome> outcomes, Instant now) {
		Set<Lease> valid = this.database.read("record how jobs ended", () -> this.plain.complete(outcomes, now));
		List<? extends Outcome> others = outcomes.stream()
			.filter((outcome) -> !valid.contains(outcome.lease()))
			.toList();
		Set<String> locked = new HashSet<>();
		if (!others.isEmpty()) {
			try {
				valid.addAll(this.database.write("record how jobs ended", () -> {
					Map<UUID, JobRow> free = this.database.jobs().lockFree(ids(others), false);
					locked(ids(others), free).forEach((id) -> locked.add(id.toString()));
					return settle(others, free, now);
				}));
			}
			catch (RuntimeException ex) {
				this.plain.unanswered(valid);
				throw ex;
			}
		}
		List<@Nullable Boolean> answers = new ArrayList<>(outcomes.size());
		outcomes.forEach((outcome) -> answers
			.add(locked.contains(outcome.lease().jobId()) ? null : (Boolean) valid.contains(outcome.lease())));
		return answers;
	}

	@Override
	public boolean settle(Outcome outcome, Instant now) {
		List<Outcome> alone = List.of(outcome);
		return !this.database
			.write("record how a job ended", () -> settle(alone, this.database.jobs().lock(ids(alone), false), now))
			.isEmpty();
	}

	private static List<UUID> ids(List<? extends Outcome> outcomes) {
		return JobRows.ids(outcomes.stream().map((outcome) -> outcome.lease().jobId()).toList());
	}

	private Set<Lease> settle(List<? extends Outcome> outcomes, Map<UUID, JobRow> rows, Instant now) {
		Transitions transitions = this.database.transitions(now);
		Set<Lease> valid = new HashSet<>();
		for (Outcome outcome : outcomes) {
			JobRow row = JobRows.id(outcome.lease().jobId()).map(rows::get).orElse(null);
			if (row != null && row.state == JobState.ACTIVE && row.run == outcome.lease().run()) {
				settle(transitions, row, outcome);
				valid.add(outcome.lease());
			}
		}
		this.database.save(transitions);
		return valid;
	}

	private static void settle(Transitions transitions, JobRow row, Outcome outcome) {
		if (outcome instanceof Outcome.Completed completed) {
			transitions.complete(row, completed.result());
		}
		else if (outcome instanceof Outcome.Retried retried) {
			transitions.retry(row, retried.error(), retried.dueAt(), retried.relayAt());
		}
		else if (outcome instanceof Outcome.Discarded discarded) {
			transitions.fail(row, discarded.error(), discarded.transition());
		}
		else if (outcome instanceof Outcome.Released released) {
			transitions.release(row, released.relayAt());
		}
		else if (outcome instanceof Outcome.Requeued requeued) {
			transitions.requeue(row, requeued.relayAt());
		}
		else {
			transitions.cancelled(row);
		}
	}

	/** Those that another transaction has locked. */
	private Set<UUID> locked(List<UUID> ids, Map<UUID, JobRow> free) {
		return this.database.jobs().known(ids.stream().filter((id) -> !free.containsKey(id)).toList());
	}

	@Override
	public <T> T telling(Supplier<T> work) {
		return this.database.afterCommit().later(work);
	}

	@Override
	public List<StoredJob> reap(Instant now, int limit) {
		return this.database.write("look for lost runs", () -> {
			List<JobRow> rows = this.database.jdbc()
				.query("select " + JobColumn.ALL_NAMES + " from ojs_job where state = 'active' and lease_until < ? "
			// Others have failed, and are looked for by those who know retry policies.
						+ "and (timeout_at is null or lease_until < timeout_at) and " + ProcessLeases.PROCESS_IS_GONE
						+ " order by lease_until limit ? for update skip locked", JobRows.ALL, Times.utc(now),
						Times.utc(now), limit);
			new ProcessLeases(this.database).extend(rows, now);
			Transitions transitions = this.database.transitions(now);
			for (JobRow row : rows) {
				if (this.database.options().handedOver().test(row.queue)) {
					transitions.handBack(row);
				}
				else if (transitions.lose(row)) {
					transitions.release(row, Times.micros(now));
				}
			}
			this.database.save(transitions);
			return rows.stream().map(this.database.codec()::stored).toList();
		});
	}

	/** Takes a list of jobs, each in the way that its row asks for. */
	private final class Claiming {

		private final List<ClaimRequest> requests;

		private final String worker;

		private final Instant now;

		private final boolean takeOver;

		private final Transitions transitions;

		private final RateLimits limits;

		private final VersionWaits holds;

		private final Map<UUID, JobRow> adopted = new HashMap<>();

		private final Set<UUID> deleted = new HashSet<>();

		private final List<JobRow> started = new ArrayList<>();

		Claiming(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
			this.requests = requests;
			this.worker = worker;
			this.now = Times.micros(now);
			this.takeOver = takeOver;
			this.transitions = JdbcAttemptStore.this.database.transitions(now);
			this.limits = new RateLimits(JdbcAttemptStore.this.database, now);
			this.holds = new VersionWaits(JdbcAttemptStore.this.database, now);
		}

		List<@Nullable Claim> run() {
			JobRows jobs = JdbcAttemptStore.this.database.jobs();
			List<UUID> ids = this.requests.stream().map(Claiming::id).toList();
			Map<UUID, JobRow> rows = jobs.lockFree(ids, true);
			Set<UUID> locked = locked(ids, rows);
			adopt(ids.stream().filter((id) -> !rows.containsKey(id) && !locked.contains(id)).toList());
			if (this.takeOver) {
				new ProcessLeases(JdbcAttemptStore.this.database).extend(rows.values(), this.now);
			}
			lockLimits(rows);
			List<@Nullable Claim> claims = new ArrayList<>(this.requests.size());
			for (ClaimRequest request : this.requests) {
				claims.add(locked.contains(id(request)) ? null : claim(rows.get(id(request)), request));
			}
			this.limits.save();
			JdbcAttemptStore.this.database.save(this.transitions);
			new Turns(JdbcAttemptStore.this.database).follow(this.started);
			return claims;
		}

		private void lockLimits(Map<UUID, JobRow> rows) {
			Map<JobRow, Job> jobs = new LinkedHashMap<>();
			for (ClaimRequest request : this.requests) {
				JobRow row = rows.getOrDefault(id(request), this.adopted.get(id(request)));
				if (row != null && (!row.state.isTerminal() || row.state == JobState.HANDED_OVER)) {
					jobs.put(row, request.encoded().job());
				}
			}
			this.limits.lock(jobs);
		}

		private static UUID id(ClaimRequest request) {
			return UUID.fromString(request.encoded().job().id());
		}

		private void adopt(List<UUID> unknown) {
			if (unknown.isEmpty()) {
				return;
			}
			JobRows jobs = JdbcAttemptStore.this.database.jobs();
			Map<UUID, JobRow> rows = new LinkedHashMap<>();
			List<ClaimRequest> foreign = this.requests.stream()
				.filter((request) -> unknown.contains(id(request)) && !isOwn(request) && !isInternal(request))
				.toList();
			Map<UUID, @Nullable String> stores = new HashMap<>();
			foreign.forEach((request) -> stores.put(id(request), request.store()));
			this.deleted.addAll(new DeletedJobs(JdbcAttemptStore.this.database).among(stores));
			for (ClaimRequest request : foreign) {
				if (!this.deleted.contains(id(request))) {
					JobRow row = JdbcAttemptStore.this.database.codec().create(request.encoded(), request.headers());
					row.state = JobState.PENDING;
					row.adopted = true;
					row.queue = request.queue();
					rows.put(row.id, row);
				}
			}
			// Another who adopts the same job at the same time is the first, or this one.
			jobs.insert(rows.values()).forEach((id) -> this.adopted.put(id, rows.get(id)));
		}

		/** Whether this store has published the job: then it knew it once. */
		private boolean isOwn(ClaimRequest request) {
			return JdbcAttemptStore.this.database.id().equals(request.store());
		}

		private static boolean isInternal(ClaimRequest request) {
			return request.encoded().job().type().equals(JobRules.WEBHOOK_TYPE);
		}

		private Claim adoption(ClaimRequest request) {
			JobRow row = this.adopted.get(id(request));
			if (row == null && (isOwn(request) || this.deleted.contains(id(request)))) {
				return new Claim.Gone();
			}
			if (row == null) {
				return isInternal(request) ? new Claim.Forged() : new Claim.Duplicate(JobState.ACTIVE);
			}
			if (isExpired(row)) {
				return expired(row, request);
			}
			row.attempt = Math.max(1, request.attempt()) - 1;
			return taken(row, request, true);
		}

		private Claim claim(@Nullable JobRow row, ClaimRequest request) {
			if (row == null) {
				return adoption(request);
			}
			if (isOwn(row, request)) {
				this.transitions.resume(row, this.now.plus(request.lease()));
				return new Claim.Taken(stored(row, request), new Lease(row.id.toString(), row.run), false,
						this.limits.limit(row, request.encoded().job()));
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
			if (isExpired(row)) {
				return expired(row, request);
			}
			if (waits && row.dueAt != null && row.dueAt.isAfter(this.now.plus(EARLY))) {
				return new Claim.NotDue(stored(row, request), row.dueAt);
			}
			if (row.attempt >= row.maxAttempts) {
				this.transitions.cutOff(row);
				return new Claim.Exhausted(stored(row, request));
			}
			if (row.state == JobState.SCHEDULED) {
				this.transitions.makeAvailable(row, null);
			}
			return taken(row, request, false);
		}

		private Claim taken(JobRow row, ClaimRequest request, boolean isNew) {
			if (!request.handled().contain(row.type, row.version())) {
				Instant until = this.holds.hold(row, this.transitions);
				return new Claim.Held(stored(row, request), until);
			}
			RateMeter.Refusal refusal = this.limits.admit(row, request.encoded().job(), this.transitions);
			if (refusal != null) {
				return new Claim.Limited(stored(row, request), refusal.key());
			}
			this.transitions.start(row, this.worker, this.now.plus(request.lease()));
			this.started.add(row);
			return new Claim.Taken(stored(row, request), new Lease(row.id.toString(), row.run), isNew,
					this.limits.limit(row, request.encoded().job()));
		}

		/**
		 * Whether an earlier claim for the same message was committed, and its answer
		 * lost. No other claim has been made by this worker at the same time: those of
		 * one process are made one after the other.
		 */
		private boolean isOwn(JobRow row, ClaimRequest request) {
			return row.state == JobState.ACTIVE && JobRow.worker(this.worker).equals(row.worker)
					&& request.unanswered().stream().map(Times::micros).anyMatch((at) -> at.equals(row.startedAt));
		}

		private boolean isExpired(JobRow row) {
			return row.expiresAt != null && row.expiresAt.isBefore(this.now);
		}

		private Claim expired(JobRow row, ClaimRequest request) {
			this.transitions.expire(row);
			return new Claim.Expired(stored(row, request));
		}

		private StoredJob stored(JobRow row, ClaimRequest request) {
			return JdbcAttemptStore.this.database.codec().stored(row, request.encoded());
		}

	}

}
