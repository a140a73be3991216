package io.ojs.store.internal.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * A store that says what it is told to say, for those who work with one. No database
 * behaves like this; those have tests of their own.
 */
final class ScriptedAttemptStore implements AttemptStore, JobStore, ProcessStore {

	static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	static final Lease LEASE = new Lease(ID, 1);

	static final ClaimRequest REQUEST = new ClaimRequest(
			new EncodedJob(Job.builder(ID, "test.it", "default").build(), new byte[0], 3), "default", 1, Map.of(),
			Duration.ofSeconds(30));

	/** As many calls fail as if the database were away. */
	final AtomicInteger away = new AtomicInteger();

	/** The same, of those who look a job up. */
	final AtomicInteger awayToFind = new AtomicInteger();

	/** What every call throws. */
	volatile @Nullable RuntimeException bug;

	volatile boolean valid = true;

	volatile JobState state = JobState.ACTIVE;

	final List<ClaimRequest> requests = new CopyOnWriteArrayList<>();

	final List<Outcome> settled = new CopyOnWriteArrayList<>();

	/** As many calls find rows that are locked. */
	final AtomicInteger locked = new AtomicInteger();

	/** What was held at each beat. */
	final List<Collection<Lease>> extended = new CopyOnWriteArrayList<>();

	/** How often nobody needed beats any longer. */
	final AtomicInteger closed = new AtomicInteger();

	final List<Instant> until = new CopyOnWriteArrayList<>();

	/** How many jobs can be taken back the next time. */
	final AtomicInteger lost = new AtomicInteger();

	/** How many jobs were to be taken back, of each call. */
	final List<Integer> limits = new CopyOnWriteArrayList<>();

	/** Claims, and when listeners were told of what the store did. */
	final List<String> order = new CopyOnWriteArrayList<>();

	/** Whether jobs were to be taken over, of each claim. */
	final List<Boolean> takenOver = new CopyOnWriteArrayList<>();

	/** What happens during each call. */
	volatile Runnable meanwhile = () -> {
	};

	private void call() {
		call(this.away);
	}

	private void call(AtomicInteger away) {
		this.meanwhile.run();
		if (away.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			throw new StoreUnavailableException("The database is away.", null);
		}
		if (this.bug != null) {
			throw this.bug;
		}
	}

	private StoredJob stored() {
		return new StoredJob(Job.builder(ID, "test.it", "default").state(this.state).build(), 3, Map.of(), null, null,
				null, 0);
	}

	@Override
	public String id() {
		return "019539a4-b68c-7def-8000-000000000000";
	}

	@Override
	public <T> T telling(Supplier<T> work) {
		this.order.add("telling");
		try {
			return work.get();
		}
		finally {
			this.order.add("told");
		}
	}

	@Override
	public List<@Nullable Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
		this.order.add("claim");
		this.requests.addAll(requests);
		call();
		if (isLocked()) {
			return Collections.singletonList(null);
		}
		this.takenOver.add(takeOver);
		requests.forEach((request) -> this.until.add(now.plus(request.lease())));
		return List.of(new Claim.Taken(stored(), LEASE, false, false));
	}

	@Override
	public List<@Nullable Boolean> settle(List<? extends Outcome> outcomes, Instant now) {
		call();
		if (isLocked()) {
			return Collections.singletonList(null);
		}
		this.settled.addAll(outcomes);
		return new ArrayList<>(outcomes.stream().map((outcome) -> this.valid).toList());
	}

	@Override
	public boolean settle(Outcome outcome, Instant now) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Beat beat(String process, Collection<Lease> held) {
		call();
		this.extended.add(held);
		Map<Lease, Boolean> lost = new HashMap<>();
		held.forEach((lease) -> lost.put(lease, this.state == JobState.CANCELLED));
		return new Beat(now(), this.valid ? Map.of() : lost);
	}

	@Override
	public Instant now() {
		return Instant.now();
	}

	@Override
	public void close() {
		this.closed.incrementAndGet();
	}

	private boolean isLocked() {
		return this.locked.getAndUpdate((left) -> Math.max(0, left - 1)) > 0;
	}

	@Override
	public List<StoredJob> reap(Instant now, int limit) {
		call();
		this.limits.add(limit);
		return Stream.generate(this::stored).limit(Math.min(limit, this.lost.getAndSet(0))).toList();
	}

	@Override
	public List<Insertion> insert(List<NewJob> jobs, Admission.Decision decision) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<StoredJob> find(String jobId) {
		call(this.awayToFind);
		return Optional.of(stored());
	}

	@Override
	public List<StoredJob> list(JobQuery query) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<StoredJob> cancel(String jobId, Instant now) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<StoredJob> activate(String jobId, Instant now, Instant relayAt) {
		throw new UnsupportedOperationException();
	}

}
