package io.ojs.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.fetch.FetchedRun;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.jspecify.annotations.Nullable;

/**
 * What a process of a {@link Simulation} is at, one step at a time.
 */
abstract class SimulatedTask {

	final Simulation simulation;

	final Simulation.Worker worker;

	SimulatedTask(Simulation simulation, Simulation.Worker worker) {
		this.simulation = simulation;
		this.worker = worker;
	}

	/** Goes on by one step; whether that was the last one. */
	abstract boolean step();

	/** Inserts a job, publishes it and notes that. */
	static final class Enqueue extends SimulatedTask {

		private final EncodedJob job;

		private final Instant relayAt = this.simulation.now.plus(Simulation.GRACE);

		private final boolean scheduled = this.simulation.random.nextInt(4) == 0;

		private int done;

		Enqueue(Simulation simulation, Simulation.Worker worker) {
			super(simulation, worker);
			this.simulation.enqueued++;
			String id = new UUID(this.simulation.random.nextLong(), this.simulation.random.nextLong()).toString();
			Job job = Job
				.builder(id.substring(0, 14) + "7" + id.substring(15, 19) + "8" + id.substring(20), "sim", "sim")
				.state(this.scheduled ? JobState.SCHEDULED : JobState.AVAILABLE)
				.scheduledAt(this.scheduled ? Rfc3339.utc(this.relayAt) : null)
				.createdAt(Rfc3339.utc(this.simulation.now))
				.enqueuedAt(Rfc3339.utc(this.simulation.now))
				.build();
			this.job = new EncodedJob(job, this.simulation.codec.encode(job), 1 + this.simulation.random.nextInt(3));
		}

		@Override
		boolean step() {
			String id = this.job.job().id();
			switch (this.done++) {
				case 0 -> {
					try {
						this.simulation.call(() -> this.simulation.store
							.insert(List.of(new NewJob(this.job, Map.of(), this.relayAt, false))));
						this.simulation.fate(id).kept = true;
					}
					catch (DuplicateIdException ex) {
						this.simulation.fate(id).kept = true;
					}
					catch (StoreUnavailableException ex) {
						// The caller hears of it, and the job may be there or not.
						this.simulation.tell(id, "is not known to be kept: " + ex.getMessage());
						return true;
					}
					this.simulation.tell(id, "is kept by " + this.worker.name);
					return this.scheduled;
				}
				case 1 -> {
					this.simulation.queue.add(new Simulation.Message(this.job, 1, this.simulation.now));
					this.simulation.tell(id, "is published by " + this.worker.name);
					return false;
				}
				default -> {
					this.simulation.published(Map.of(id, this.relayAt));
					return true;
				}
			}
		}

	}

	/** Takes what is due, publishes it and notes that. */
	static final class Relay extends SimulatedTask {

		private List<RelayedJob> taken = List.of();

		private int done;

		Relay(Simulation simulation, Simulation.Worker worker) {
			super(simulation, worker);
		}

		@Override
		boolean step() {
			switch (this.done++) {
				case 0 -> {
					try {
						this.taken = this.simulation.call(this::take);
					}
					catch (StoreUnavailableException ex) {
						return true;
					}
					return this.taken.isEmpty();
				}
				case 1 -> {
					for (RelayedJob job : this.taken) {
						this.simulation.queue
							.add(new Simulation.Message(job.encoded(), job.attempt(), this.simulation.now));
						this.simulation.tell(job.id(), "is relayed by " + this.worker.name);
					}
					return false;
				}
				default -> {
					this.simulation
						.published(this.taken.stream().collect(Collectors.toMap(RelayedJob::id, RelayedJob::until)));
					return true;
				}
			}
		}

		private List<RelayedJob> take() {
			Instant until = this.simulation.now.plus(Simulation.LEASE);
			return this.simulation.store.write("take jobs", () -> {
				List<JobRow> due = this.simulation.store.lock(
						(row) -> this.simulation.isDue(row) && row.state != JobState.ACTIVE,
						Comparator.comparing((row) -> Times.micros(row.relayAt)), 10);
				Transitions transitions = this.simulation.store.transitions(this.simulation.now);
				Relaying relaying = new Relaying(this.simulation.store.codec(), transitions);
				List<RelayedJob> jobs = new ArrayList<>();
				for (JobRow row : due) {
					relaying.take(row, until).ifPresent(jobs::add);
					if (row.state == JobState.AVAILABLE) {
						row.relayAt = until;
						this.simulation.store.put(row);
					}
				}
				this.simulation.store.save(transitions);
				return jobs;
			});
		}

	}

	/** Fetches jobs, as {@code StoreConsumers} does. */
	static final class Fetch extends SimulatedTask {

		private final int most = 1 + this.simulation.random.nextInt(3);

		private final ProcessFetch request = new ProcessFetch("sim", this.simulation.random.nextInt(this.most + 1),
				this.most, this.worker.name, Simulation.LEASE, HandledJobs.ALL);

		Fetch(Simulation simulation, Simulation.Worker worker) {
			super(simulation, worker);
		}

		@Override
		boolean step() {
			Instant at = this.simulation.now;
			try {
				for (Instant before : List.copyOf(this.worker.unanswered)) {
					int jobs = this.simulation.call(() -> giveBack(before, at));
					Simulation.count("jobs given back whose fetch was not answered", jobs);
					for (JobRow row : fetchedAt(before)) {
						Simulation.require(false, row.id.toString(), "was not given back by " + this.worker.name);
					}
					if (before.plus(Simulation.LEASE).isBefore(at)) {
						this.worker.unanswered.remove(before);
					}
				}
				int taken = 0;
				for (FetchedRun run : this.simulation.call(() -> fetch(at))) {
					boolean inAdvance = taken++ >= this.request.now();
					Simulation.count(inAdvance ? "jobs fetched in advance" : "jobs fetched", 1);
					this.simulation.tell(run.lease().jobId(),
							"is fetched by " + this.worker.name + (inAdvance ? " in advance" : ""));
					this.worker.held.add(run.lease());
					this.simulation.tasks.add(new Fetched(this.simulation, this.worker, run, inAdvance));
				}
				this.worker.beat();
			}
			catch (StoreUnavailableException ex) {
				this.worker.unanswered.add(at);
			}
			return true;
		}

		private List<FetchedRun> fetch(Instant at) {
			return this.simulation.store.write("fetch jobs", () -> {
				ProcessTaking taking = new ProcessTaking(this.request, this.simulation.store.codec());
				Fetching fetching = new Fetching(this.simulation.store, new MemoryLine(this.simulation), taking, at);
				fetching.makeAvailable(this.request.queue());
				fetching.take(this.request.queue(), this.request.most());
				return taking.runs();
			});
		}

		/** As {@code JdbcFetchStore} does. */
		private int giveBack(Instant before, Instant at) {
			return this.simulation.store.write("give back jobs whose fetch was not answered", () -> {
				Transitions transitions = this.simulation.store.transitions(at);
				List<JobRow> rows = fetchedAt(before);
				for (JobRow row : rows) {
					String id = row.id.toString();
					Simulation.require(!this.worker.held.contains(new Lease(id, row.run)), id,
							"was given back by " + this.worker.name + ", which runs it");
					transitions.requeue(row, transitions.now());
					this.simulation.fate(id).givenBack++;
					this.simulation.tell(id, "is given back by " + this.worker.name);
				}
				this.simulation.store.save(transitions);
				return rows.size();
			});
		}

		private List<JobRow> fetchedAt(Instant at) {
			return this.simulation.store.lock((row) -> this.worker.hasFetched(row, at),
					Comparator.comparing((row) -> row.id), 10);
		}

	}

	/** What workers fetch. */
	private record MemoryLine(Simulation simulation) implements Line {

		@Override
		public List<JobRow> due(String queue, Instant at, int most) {
			return this.simulation.store
				.lock((row) -> (row.state == JobState.SCHEDULED || row.state == JobState.RETRYABLE) && row.dueAt != null
						&& !row.dueAt.isAfter(at), Comparator.comparing((row) -> Times.micros(row.dueAt)), most);
		}

		@Override
		public List<JobRow> next(String queue, int most) {
			return this.simulation.store.lock((row) -> row.state == JobState.AVAILABLE && row.blockedBy == null,
					Comparator.comparing((JobRow row) -> Times.micros(row.enqueuedAt)).thenComparing((row) -> row.id),
					most);
		}

	}

	/** Works a job. */
	abstract static class Run extends SimulatedTask {

		@Nullable Lease lease;

		private Instant endsAt = Instant.MAX;

		@Nullable Outcome outcome;

		/** What becomes of the message when the outcome is recorded. */
		Simulation.@Nullable Message next;

		Run(Simulation simulation, Simulation.Worker worker) {
			super(simulation, worker);
		}

		/** Its handler begins. */
		void begin(Lease own) {
			this.lease = own;
			this.simulation.fate(own.jobId()).runs++;
			this.endsAt = this.simulation.now.plusMillis(this.simulation.random.nextInt(4_000));
			if (this.simulation.random.nextInt(4) == 0) {
				this.endsAt = this.simulation.now.plusSeconds(20 + this.simulation.random.nextInt(60));
			}
		}

		/** Its process stops. */
		void stop(Lease own) {
			this.outcome = new Outcome.Released(own, this.simulation.now.plus(Simulation.GRACE));
			this.simulation.fate(own.jobId()).mayRepeat();
			this.simulation.tell(own.jobId(), "is cut off by the stop of " + this.worker.name);
		}

		/** The message that announces another attempt of the job. */
		abstract Simulation.@Nullable Message message(int attempt, Instant visibleAt);

		/** Whether the broker has given its message to another worker. */
		abstract boolean isLost();

		boolean handle(Lease own, StoredJob taken) {
			if (this.simulation.now.isBefore(this.endsAt)) {
				if (!this.simulation.trouble) {
					this.simulation.pass(Duration.ofSeconds(1));
				}
				return false;
			}
			String id = own.jobId();
			Instant at = this.simulation.now;
			int attempt = taken.job().attempt();
			boolean fails = this.simulation.random.nextInt(4) == 0;
			JobError error = new JobError("sim", "SIM", "no luck", attempt, Rfc3339.utc(at), List.of(), Map.of());
			if (!fails) {
				this.outcome = new Outcome.Completed(own, attempt);
				this.simulation.fate(id).succeeded = true;
			}
			else if (attempt < taken.maxAttempts()) {
				Instant dueAt = at.plusSeconds(3);
				this.outcome = new Outcome.Retried(own, error, dueAt, dueAt.plus(Simulation.GRACE));
				this.next = message(attempt + 1, dueAt);
			}
			else {
				this.outcome = new Outcome.Discarded(own, error, Transition.EXHAUST);
			}
			this.simulation.tell(id, "ends at " + this.worker.name + ": " + this.outcome.getClass().getSimpleName());
			return false;
		}

		boolean settle(Lease own, Outcome ended) {
			String id = own.jobId();
			Boolean valid;
			boolean holds = holds(own);
			try {
				valid = this.simulation.call(() -> {
					Boolean settled = this.simulation.attempts.settle(List.of(ended), this.simulation.now).get(0);
					this.simulation
						.fate(id).givenBack += (ended instanceof Outcome.Requeued && Boolean.TRUE.equals(settled)) ? 1
								: 0;
					return settled;
				});
			}
			catch (StoreUnavailableException ex) {
				if (ex.isOutcomeUnknown() && !(ended instanceof Outcome.Requeued)) {
					this.simulation.fate(id).mayRepeat();
				}
				return false;
			}
			this.simulation.tell(id, "is settled by " + this.worker.name + ": ", valid);
			Simulation.Fate fate = this.simulation.fate(id);
			if (Boolean.TRUE.equals(valid)) {
				Simulation.require(holds, id, "was ended by a run whose lease was over");
				fate.failures += (ended instanceof Outcome.Retried || ended instanceof Outcome.Discarded) ? 1 : 0;
				fate.completed |= ended instanceof Outcome.Completed;
			}
			else if (!(ended instanceof Outcome.Requeued)) {
				fate.mayRepeat();
			}
			// What a stop has cut off goes back to the broker in any case.
			boolean goesOn = Boolean.TRUE.equals(valid) || ended instanceof Outcome.Released;
			if (this.next != null && goesOn && !isLost()) {
				this.simulation.queue.add(this.next);
			}
			this.worker.held.remove(own);
			return true;
		}

		private boolean holds(Lease own) {
			UUID id = UUID.fromString(own.jobId());
			JobRow row = this.simulation.store.lock(List.of(id), false).get(id);
			return row != null && row.state == JobState.ACTIVE && row.run == own.run();
		}

	}

	/** Works a fetched job, perhaps a while later. */
	static final class Fetched extends Run {

		private final FetchedRun run;

		final StoredJob job;

		/** Whether it had to wait for a thread. */
		final boolean inAdvance;

		boolean begun;

		Fetched(Simulation simulation, Simulation.Worker worker, FetchedRun run, boolean inAdvance) {
			super(simulation, worker);
			this.inAdvance = inAdvance;
			this.run = run;
			this.job = run.job();
			this.lease = run.lease();
		}

		@Override
		boolean step() {
			if (this.outcome != null) {
				return settle(this.run.lease(), this.outcome);
			}
			if (this.begun) {
				return handle(this.run.lease(), this.job);
			}
			if (this.simulation.random.nextInt(8) == 0) {
				stop(this.run.lease());
			}
			else {
				this.begun = true;
				begin(this.run.lease());
			}
			return false;
		}

		@Override
		void stop(Lease own) {
			if (this.begun) {
				super.stop(own);
				return;
			}
			this.outcome = new Outcome.Requeued(own, this.simulation.now);
			Simulation.count("jobs given back that had waited", 1);
			this.simulation.tell(own.jobId(), "is to be given back by " + this.worker.name);
		}

		@Override
		Simulation.@Nullable Message message(int attempt, Instant visibleAt) {
			return null;
		}

		@Override
		boolean isLost() {
			return false;
		}

	}

	/** Works one delivery, as {@code DeliveryProcessor} does. */
	static final class Delivery extends Run {

		final Simulation.Message message;

		private final Set<Instant> unanswered = new HashSet<>();

		/** Whether the broker has given its message to another worker. */
		boolean lost;

		private Claim.@Nullable Taken run;

		Delivery(Simulation simulation, Simulation.Worker worker, Simulation.Message message) {
			super(simulation, worker);
			this.message = message;
		}

		@Override
		boolean step() {
			if (this.run == null) {
				return claim();
			}
			if (this.outcome == null) {
				return handle(this.run.lease(), this.run.job());
			}
			return settle(this.run.lease(), this.outcome);
		}

		private boolean claim() {
			String id = this.message.job();
			Instant at = this.simulation.now;
			ClaimRequest request = new ClaimRequest(this.message.encoded(), "sim", this.message.attempt(), Map.of(),
					Simulation.LEASE, this.unanswered)
				.store(this.simulation.store.id());
			Claim claim;
			long running = running(id);
			try {
				claim = this.simulation
					.call(() -> this.simulation.attempts.claim(List.of(request), this.worker.name, at, true))
					.get(0);
			}
			catch (StoreUnavailableException ex) {
				this.unanswered.add(at);
				this.simulation.fate(id).mayRepeat();
				return false;
			}
			this.simulation.tell(id, "is claimed by " + this.worker.name + ": ", claim);
			if (claim instanceof Claim.Exhausted) {
				this.simulation.lost(id, JobState.DISCARDED);
			}
			if (claim instanceof Claim.Taken taken) {
				Simulation.require(running == 0 || running == taken.lease().run(), id,
						"was taken from a run that has its lease");
				this.run = taken;
				this.worker.held.add(taken.lease());
				this.worker.beat();
				begin(taken.lease());
				return false;
			}
			if (!this.lost && claim instanceof Claim.NotDue early && early.job().job().state() == JobState.RETRYABLE) {
				this.simulation.queue
					.add(new Simulation.Message(this.message.encoded(), this.message.attempt() + 1, early.dueAt()));
			}
			return true;
		}

		@Override
		void stop(Lease own) {
			super.stop(own);
			this.next = this.message;
		}

		@Override
		Simulation.Message message(int attempt, Instant visibleAt) {
			return new Simulation.Message(this.message.encoded(), attempt, visibleAt);
		}

		@Override
		boolean isLost() {
			return this.lost;
		}

		/** The run whose worker has the job for certain; 0 if there is none. */
		private long running(String id) {
			JobRow row = this.simulation.store.lock(List.of(UUID.fromString(id)), false).get(UUID.fromString(id));
			Instant end = (row != null && row.state == JobState.ACTIVE) ? this.simulation.leaseEnd(row) : null;
			return (row != null && end != null && !end.isBefore(this.simulation.now)) ? row.run : 0;
		}

	}

}
