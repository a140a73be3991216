package io.ojs.amqp.internal.listen;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.FetchedRun;
import io.ojs.internal.fetch.FetchedRuns;
import io.ojs.internal.fetch.LeasedRun;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.internal.fetch.Reservation;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.LeaseGrace;
import io.ojs.store.internal.attempt.LeaseKeeper;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.attempt.ProcessStore;
import io.ojs.store.internal.attempt.ProgressSink;
import org.jspecify.annotations.Nullable;

/**
 * A store that hands out what a test puts into it. Real ones have tests of their own.
 */
final class ScriptedFetches implements FetchStore, AttemptStore, ProcessStore {

	/** The present; {@code null} for that of the system. */
	volatile @Nullable Instant time;

	/** What is available, in its order. */
	final Deque<Job> available = new ConcurrentLinkedDeque<>();

	/** Ids of jobs that are not fetched in advance. */
	final Set<String> atOnce = ConcurrentHashMap.newKeySet();

	final List<ProcessFetch> requests = new CopyOnWriteArrayList<>();

	/** Fetches, and what was given back since they were not answered, in their order. */
	final List<String> calls = new CopyOnWriteArrayList<>();

	/** How many fetches find that others have locked all that is available. */
	final AtomicInteger locked = new AtomicInteger();

	/** What becomes of the next fetches. */
	final Deque<RuntimeException> failures = new ConcurrentLinkedDeque<>();

	/** What becomes of the next calls that give back. */
	final Deque<RuntimeException> givingFailures = new ConcurrentLinkedDeque<>();

	/** What happens before a fetch is answered. */
	volatile Runnable meanwhile = () -> {
	};

	final List<Outcome> settled = new CopyOnWriteArrayList<>();

	/** Whether the database is away when outcomes are recorded. */
	volatile boolean away;

	/** Whether no outcome is taken, now or ever. */
	volatile boolean refuses;

	/** Ids of jobs whose leases are lost, and whether they were cancelled. */
	final Map<String, Boolean> lost = new ConcurrentHashMap<>();

	/** The jobs whose leases were extended last. */
	volatile List<String> extended = List.of();

	Attempts attempts() {
		Clock clock = new StandingClock();
		JobStore jobs = (JobStore) Proxy.newProxyInstance(JobStore.class.getClassLoader(),
				new Class<?>[] { JobStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("find")) {
						return Optional.of(stored(Job.builder((String) arguments[0], "desk.add", "desk").build(),
								Boolean.TRUE.equals(this.lost.get(arguments[0])) ? JobState.CANCELLED
										: JobState.ACTIVE));
					}
					throw new UnsupportedOperationException(method.getName());
				});
		return new Attempts(this, jobs,
				new LeaseKeeper(this, "worker", (queue) -> Duration.ofSeconds(30), new StoreClock(clock)),
				new LeaseGrace(Duration.ofSeconds(30), clock), ProgressSink.NONE, clock);
	}

	private static StoredJob stored(Job job, JobState state) {
		return new StoredJob(job.toBuilder().state(state).attempt(1).build(), 3, Map.of(), null, null, null, 0);
	}

	/** The jobs whose runs ended in some way. */
	List<String> ended(Class<? extends Outcome> how) {
		return this.settled.stream().filter(how::isInstance).map((outcome) -> outcome.lease().jobId()).toList();
	}

	@Override
	public FetchedRuns fetch(ProcessFetch request, Instant now) {
		this.requests.add(request);
		this.calls.add("fetch at " + now);
		if (!this.available.isEmpty() && this.locked.getAndUpdate((count) -> Math.max(0, count - 1)) > 0) {
			return new FetchedRuns(List.of(), true);
		}
		List<FetchedRun> runs = new ArrayList<>();
		boolean left = false;
		while (!this.available.isEmpty() && runs.size() < request.most() && !left) {
			Job job = this.available.element();
			left = runs.size() >= request.now() && this.atOnce.contains(job.id());
			if (!left) {
				this.available.remove();
				runs.add(new FetchedRun(stored(job, JobState.ACTIVE), new Lease(job.id(), 1),
						this.atOnce.contains(job.id())));
			}
		}
		this.meanwhile.run();
		RuntimeException failure = this.failures.poll();
		if (failure != null) {
			throw failure;
		}
		return new FetchedRuns(runs, left || runs.size() == request.most());
	}

	@Override
	public int giveBack(ProcessFetch request, Instant fetchedAt, Instant now) {
		this.calls.add("give back %d of %s".formatted(request.most(), fetchedAt));
		RuntimeException failure = this.givingFailures.poll();
		if (failure != null) {
			throw failure;
		}
		return 1;
	}

	@Override
	public List<@Nullable Boolean> settle(List<? extends Outcome> outcomes, Instant now) {
		return new ArrayList<>(outcomes.stream().map((outcome) -> settle(outcome, now)).toList());
	}

	@Override
	public boolean settle(Outcome outcome, Instant now) {
		if (this.away) {
			throw new StoreUnavailableException("The database is away.", null);
		}
		if (this.refuses) {
			throw new StoreException("No such value.", null);
		}
		if (this.lost.containsKey(outcome.lease().jobId())) {
			return false;
		}
		this.settled.add(outcome);
		return true;
	}

	@Override
	public Beat beat(String process, Collection<Lease> held) {
		Map<Lease, Boolean> lost = new HashMap<>();
		for (Lease lease : held) {
			Boolean cancelled = this.lost.get(lease.jobId());
			if (cancelled != null) {
				lost.put(lease, cancelled);
			}
		}
		this.extended = held.stream().map(Lease::jobId).sorted().toList();
		return new Beat(Instant.now(), lost);
	}

	@Override
	public Instant now() {
		return Instant.now();
	}

	@Override
	public void close() {
		// Nothing to give back.
	}

	@Override
	public List<@Nullable Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<StoredJob> reap(Instant now, int limit) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<FetchedJob> fetch(List<String> queues, int count, String worker, @Nullable String tenant,
			HandledJobs handled, Instant now, Function<StoredJob, Reservation> reservations) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<LeasedRun> find(String jobId) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Set<String> extend(String worker, Collection<String> jobIds, @Nullable Duration length, Instant now) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<LeasedRun> begin(String jobId, String worker, @Nullable Integer attempt, Instant now,
			Function<StoredJob, Duration> leases) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<LeasedRun> beginFree(Collection<String> jobIds, String worker, @Nullable String tenant, Instant now,
			Function<StoredJob, Duration> leases) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<LeasedRun> timedOut(Instant now, int limit) {
		throw new UnsupportedOperationException();
	}

	/** A clock that a test can stop. */
	private final class StandingClock extends Clock {

		@Override
		public Instant instant() {
			Instant stopped = ScriptedFetches.this.time;
			return (stopped != null) ? stopped : Instant.now();
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
