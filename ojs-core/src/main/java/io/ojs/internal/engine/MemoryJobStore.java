package io.ojs.internal.engine;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.JobTransition;
import io.ojs.internal.json.JobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.job.UniquePolicy;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.Retention;
import org.jspecify.annotations.Nullable;

/**
 * A job store in memory, for tests. It has the rules of the engine and of unique jobs,
 * but no limits and no shares, and deletes no job. Transactions run one at a time, so no
 * row is ever locked by another one.
 */
public final class MemoryJobStore implements JobStore, JobTable {

	private static final Retention FOR_EVER = new Retention(Duration.ofDays(365_000), Duration.ofDays(365_000),
			Duration.ofDays(365_000), Duration.ofDays(365_000));

	private final String id = UUID.randomUUID().toString();

	private final JobRowCodec codec;

	private final Clock clock;

	private final Consumer<JobTransition> listener;

	/** Returns the end of the lease of a run, by the last heartbeat of its process. */
	private final Function<JobRow, @Nullable Instant> leaseEnds;

	private final JobChanges changes = new JobChanges(this);

	private final ReentrantLock lock = new ReentrantLock();

	/** The rows as last saved, in the order in which they were inserted. */
	private final Map<UUID, JobRow> rows = new LinkedHashMap<>();

	private final List<FeedEvent> events = new ArrayList<>();

	private @Nullable Transaction transaction;

	/**
	 * Creates a store without jobs.
	 * @param listener is notified, after the commit, of the transitions that the store
	 * makes by itself; not of new jobs, nor of attempts, which workers report
	 */
	public MemoryJobStore(JobCodec codec, Clock clock, Consumer<JobTransition> listener) {
		this(codec, clock, listener, (row) -> row.leaseUntil);
	}

	MemoryJobStore(JobCodec codec, Clock clock, Consumer<JobTransition> listener,
			Function<JobRow, @Nullable Instant> leaseEnds) {
		// This charset preserves any bytes that a codec writes.
		this.codec = new JobRowCodec(codec, clock, StandardCharsets.ISO_8859_1);
		this.clock = clock;
		this.listener = listener;
		this.leaseEnds = leaseEnds;
	}

	/**
	 * Removes all jobs and events.
	 */
	public void clear() {
		write("clear", () -> {
			this.rows.clear();
			this.events.clear();
			return true;
		});
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public <T> T write(String what, Supplier<T> work) {
		Written<T> written = writeUndoable(work);
		if (!this.lock.isHeldByCurrentThread()) {
			written.told().forEach(this.listener);
		}
		return written.result();
	}

	/**
	 * Runs work in a transaction. The caller has to notify the listener.
	 * @return the result of the work, with the notifications
	 */
	public <T> Written<T> writeUndoable(Supplier<T> work) {
		this.lock.lock();
		Transaction outer = this.transaction;
		try {
			if (outer != null) {
				return new Written<>(work.get(), List.of(), () -> {
				});
			}
			Transaction own = new Transaction();
			this.transaction = own;
			try {
				T result = work.get();
				return new Written<>(result, own.told, () -> undo(own));
			}
			catch (RuntimeException | Error ex) {
				undo(own);
				throw ex;
			}
			finally {
				this.transaction = null;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Restores the rows before a transaction, even if later ones have changed them. */
	private void undo(Transaction transaction) {
		this.lock.lock();
		try {
			transaction.before.forEach((id, row) -> row.ifPresentOrElse((before) -> this.rows.put(id, before),
					() -> this.rows.remove(id)));
			this.events.removeAll(transaction.events);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public <T> T telling(Supplier<T> work) {
		return work.get();
	}

	@Override
	public Transitions transitions(Instant now) {
		return new Transitions(this.codec, (queue) -> FOR_EVER, (queue) -> queue, () -> null, now);
	}

	@Override
	public JobRowCodec codec() {
		return this.codec;
	}

	@Override
	public Map<UUID, JobRow> lock(Collection<UUID> ids, boolean all) {
		return lockFree(ids, all);
	}

	@Override
	public Map<UUID, JobRow> lockFree(Collection<UUID> ids, boolean all) {
		Map<UUID, JobRow> found = new LinkedHashMap<>();
		for (UUID each : ids) {
			JobRow row = this.rows.get(each);
			if (row != null) {
				found.put(each, row.copy());
			}
		}
		return found;
	}

	@Override
	public Set<UUID> known(Collection<UUID> ids) {
		return ids.stream().filter(this.rows::containsKey).collect(Collectors.toSet());
	}

	@Override
	public Collection<JobRow> lockLost(Instant now, int limit) {
		return lock(
				(row) -> row.state == JobState.ACTIVE && isOver(row.relayAt, now)
						&& isOver(this.leaseEnds.apply(row), now),
				Comparator.comparing((row) -> Times.micros(row.leaseUntil)), limit);
	}

	private static boolean isOver(@Nullable Instant end, Instant now) {
		return end != null && end.isBefore(now);
	}

	/** Returns copies of the rows that meet a condition. */
	List<JobRow> lock(Predicate<JobRow> condition, Comparator<JobRow> order, int limit) {
		return this.rows.values().stream().filter(condition).sorted(order).limit(limit).map(JobRow::copy).toList();
	}

	@Override
	public void extendLeases(Collection<JobRow> rows, Instant now) {
		rows.stream()
			.filter((row) -> row.state == JobState.ACTIVE)
			.forEach((row) -> row.leaseUntil = this.leaseEnds.apply(row));
	}

	@Override
	public Set<UUID> adopt(Collection<JobRow> adopted) {
		return adopted.stream().filter((row) -> !this.rows.containsKey(row.id)).map((row) -> {
			put(row);
			return row.id;
		}).collect(Collectors.toSet());
	}

	@Override
	public Set<UUID> deleted(Map<UUID, @Nullable String> stores) {
		return Set.of();
	}

	@Override
	public boolean isHandedOver(String queue) {
		return false;
	}

	@Override
	public StartGate gate(Instant now) {
		return new VersionGate(now);
	}

	@Override
	public void save(Transitions transitions) {
		transitions.changed().forEach(this::put);
		this.events.addAll(transitions.events());
		if (this.transaction != null) {
			this.transaction.events.addAll(transitions.events());
			this.transaction.told.addAll(transitions.told());
		}
	}

	/** Saves a copy of a row. */
	void put(JobRow row) {
		JobRow before = this.rows.put(row.id, row.copy());
		if (this.transaction != null) {
			this.transaction.before.putIfAbsent(row.id, Optional.ofNullable(before));
		}
	}

	@Override
	public List<Insertion> insert(List<NewJob> jobs, Admission.Decision decision) {
		return write("keep jobs", () -> {
			List<Insertion> insertions = new ArrayList<>(jobs.size());
			for (NewJob job : jobs) {
				insertions.add(insert(job, decision));
			}
			return insertions;
		});
	}

	private Insertion insert(NewJob added, Admission.Decision decision) {
		EncodedJob encoded = added.encoded();
		JobRow row = this.codec.create(encoded, added.headers());
		row.dueAt = (row.state == JobState.SCHEDULED) ? row.scheduledAt : null;
		row.relayAt = added.relayAt();
		Insertion insertion = met(row, encoded.job());
		if (insertion instanceof Insertion.Merged) {
			decision.merge(List.of(encoded));
		}
		if (!(insertion instanceof Insertion.Inserted)) {
			return insertion;
		}
		decision.admit(List.of(encoded));
		if (this.rows.containsKey(row.id)) {
			throw new DuplicateIdException(row.id.toString(), null);
		}
		Transitions transitions = transitions(this.clock.instant());
		transitions.inserted(row);
		put(row);
		save(transitions);
		return insertion;
	}

	private Insertion met(JobRow row, Job job) {
		UniquePolicy policy = job.unique();
		if (policy == null || row.uniqueKey == null) {
			return Insertion.Inserted.NEW;
		}
		Set<JobState> states = UniqueRule.states(policy);
		Instant since = UniqueRule.since(policy, row.createdAt);
		List<JobRow> existing = new ArrayList<>();
		for (JobRow other : this.rows.values()) {
			if (row.uniqueKey.equals(other.uniqueKey) && states.contains(other.state)
					&& other.createdAt.isAfter(since)) {
				existing.add(0, other.copy());
			}
		}
		if (existing.isEmpty()) {
			return Insertion.Inserted.NEW;
		}
		existing.sort(Comparator.comparing((JobRow other) -> other.createdAt).reversed());
		Transitions transitions = transitions(row.createdAt);
		Insertion insertion = new UniqueRule(this.codec, transitions, (merged, before) -> put(merged)).meet(row, job,
				policy, existing);
		save(transitions);
		return insertion;
	}

	@Override
	public Optional<StoredJob> find(String jobId) {
		return read(() -> JobRow.id(jobId).map(this.rows::get).map(this.codec::stored));
	}

	@Override
	public List<StoredJob> list(JobQuery query) {
		return read(() -> this.rows.values()
			.stream()
			.filter((row) -> query.queue() == null || row.queue.equals(query.queue()))
			.filter((row) -> query.type() == null || row.type.equals(query.type()))
			.filter((row) -> query.states().isEmpty() || query.states().contains(row.state))
			.filter((row) -> query.before() == null || row.id.toString().compareTo(query.before()) < 0)
			.sorted(Comparator.comparing((JobRow row) -> row.id.toString()).reversed())
			.limit(query.limit())
			.map(this.codec::stored)
			.toList());
	}

	/**
	 * Returns the state of a job.
	 * @return the state; empty if there is no such job
	 */
	public Optional<JobState> state(String jobId) {
		return read(() -> JobRow.id(jobId).map(this.rows::get).map((row) -> row.state));
	}

	/**
	 * Returns all jobs.
	 * @return the jobs as they are now, in the order in which they were inserted
	 */
	public List<StoredJob> all() {
		return read(() -> this.rows.values().stream().map(this.codec::stored).toList());
	}

	/**
	 * Returns the job whose turn is first, among those that wait for their time or for a
	 * worker.
	 * @param until excludes jobs whose turn comes later; {@code null} for any
	 * @return the job; empty if there is none
	 */
	public Optional<StoredJob> next(@Nullable Instant until, Predicate<JobRow> meant) {
		return read(() -> this.rows.values()
			.stream()
			.filter((row) -> turn(row) != null && meant.test(row))
			.filter((row) -> until == null || !Times.micros(turn(row)).isAfter(until))
			.min(Comparator.comparing((row) -> Times.micros(turn(row))))
			.map(this.codec::stored));
	}

	private static @Nullable Instant turn(JobRow row) {
		return switch (row.state) {
			case SCHEDULED, RETRYABLE -> row.dueAt;
			case AVAILABLE -> row.enqueuedAt;
			default -> null;
		};
	}

	/**
	 * Returns when the turn of a job comes or has come.
	 * @return the time; empty if the job does not wait
	 */
	public Optional<Instant> turn(String jobId) {
		return read(() -> JobRow.id(jobId).map(this.rows::get).map(MemoryJobStore::turn));
	}

	/**
	 * Returns all events.
	 * @return the events that the feed of a database would have, in its order
	 */
	public List<FeedEvent> events() {
		return read(() -> List.copyOf(this.events));
	}

	/**
	 * Returns the job with its original envelope.
	 * @return the job and its bytes; empty if there is none
	 */
	public Optional<EncodedJob> sent(String jobId) {
		return read(() -> JobRow.id(jobId).map(this.rows::get).map(this.codec::encoded));
	}

	private <T> T read(Supplier<T> work) {
		this.lock.lock();
		try {
			return work.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public Optional<StoredJob> cancel(String jobId, Instant now) {
		return this.changes.cancel(jobId, now);
	}

	@Override
	public Optional<StoredJob> activate(String jobId, Instant now, Instant relayAt) {
		return this.changes.activate(jobId, now, relayAt);
	}

	/**
	 * The result of a transaction.
	 *
	 * @param <T> the type of the result
	 * @param result the result of the work
	 * @param told the transitions that the listener has to be notified of
	 * @param undo restores the rows before the transaction
	 */
	public record Written<T>(T result, List<JobTransition> told, Runnable undo) {
	}

	/** The rows before a transaction, and its notifications and events. */
	private static final class Transaction {

		private final Map<UUID, Optional<JobRow>> before = new LinkedHashMap<>();

		private final List<JobTransition> told = new ArrayList<>();

		private final Set<FeedEvent> events = Collections.newSetFromMap(new IdentityHashMap<>());

	}

	/** Makes jobs wait whose version the worker cannot run. */
	private record VersionGate(Instant now) implements StartGate {

		private static final Duration PAUSE = Duration.ofSeconds(1);

		@Override
		public @Nullable Decision refuse(JobRow row, Job job, HandledJobs handled, Transitions transitions) {
			if (handled.contain(row.type, row.version())) {
				return null;
			}
			Instant until = Times.micros(this.now.plus(PAUSE));
			transitions.waitForWorker(row, (row.workerWaitSince != null) ? row.workerWaitSince : this.now, until);
			return new Decision.WaitForWorker(until);
		}

	}

}
