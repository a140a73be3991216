package io.ojs.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.ojs.client.EncodedJob;
import io.ojs.event.Transition;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.Rfc3339;
import io.ojs.json.JsonJobCodec;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.NewJob;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.attempt.Claim;
import io.ojs.store.attempt.ClaimRequest;
import io.ojs.store.attempt.Lease;
import io.ojs.store.attempt.Outcome;
import io.ojs.store.relay.RelayedJob;
import org.jspecify.annotations.Nullable;

/**
 * A few jobs, two processes, a broker and the engine on a store in memory, one step at a
 * time. A random number decides which step comes next, what fails and who is killed, so a
 * seed is a history that can be told again.
 *
 * <p>
 * After some steps nothing fails any longer, and what is left has to end by itself.
 */
final class Simulation {

	private static final Duration LEASE = Duration.ofSeconds(30);

	/** How long the relay leaves jobs to those that have their messages. */
	private static final Duration GRACE = Duration.ofSeconds(10);

	private static final int TROUBLED = 250;

	private static final int MOST = 4000;

	private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

	private final Random random;

	private Instant now = START;

	private final JsonJobCodec codec = new JsonJobCodec();

	private final MemoryJobStore store = new MemoryJobStore(this.codec, new Now(), (told) -> {
	}, this::leaseEnd);

	private final AttemptEngine attempts = new AttemptEngine(this.store);

	private final List<Message> queue = new ArrayList<>();

	private final List<Worker> workers = new ArrayList<>();

	private final List<Task> tasks = new ArrayList<>();

	/** Jobs whose insertion was committed and not refused. */
	private final Map<String, Fate> fates = new LinkedHashMap<>();

	private final List<String> history = new ArrayList<>();

	private final boolean told;

	private boolean trouble = true;

	private int processes;

	private int enqueued;

	private Simulation(long seed, boolean told) {
		this.random = new Random(seed);
		this.told = told;
	}

	/**
	 * Lets a history happen.
	 * @param seed decides which
	 * @return what is wrong, with the history of the job; empty if nothing is
	 */
	static Optional<String> run(long seed) {
		// Told only if there is something to tell.
		return new Simulation(seed, false).run().flatMap((violation) -> new Simulation(seed, true).run());
	}

	private Optional<String> run() {
		this.workers.add(new Worker());
		this.workers.add(new Worker());
		try {
			for (int i = 0; i < TROUBLED; i++) {
				step();
			}
			this.trouble = false;
			for (int i = 0; i < MOST && !isOver(); i++) {
				step();
			}
			check();
			return Optional.empty();
		}
		catch (Violation ex) {
			String job = ex.job;
			return Optional.of(ex.getMessage() + "\n"
					+ String.join("\n", this.history.stream().filter((line) -> line.contains(job)).toList()));
		}
	}

	private boolean isOver() {
		return this.queue.isEmpty() && this.tasks.isEmpty()
				&& this.store.lock((row) -> !row.state.isTerminal(), Comparator.comparing((row) -> row.id), 1)
					.isEmpty();
	}

	private static boolean ended(@Nullable JobState state) {
		return state != null && state.isTerminal();
	}

	private void step() {
		// No two things happen at the same time.
		this.now = this.now.plusNanos(1_000);
		int choice = this.random.nextInt(100);
		if (this.trouble && choice < 6 && this.enqueued < 5) {
			this.tasks.add(new Enqueue(worker()));
		}
		else if (choice < 12) {
			pass(Duration.ofMillis(this.random.nextInt(6_000)));
		}
		else if (choice < 16) {
			this.tasks.add(new Relay(worker()));
		}
		else if (choice < 18) {
			reap();
		}
		else if (choice < 24) {
			fail(choice);
		}
		else if (choice < 45) {
			deliver();
		}
		else if (!this.tasks.isEmpty()) {
			Task task = this.tasks.get(this.random.nextInt(this.tasks.size()));
			if (!task.worker.hangs() && task.step()) {
				this.tasks.remove(task);
			}
		}
	}

	/** What may happen at any time, while there is trouble. */
	private void fail(int choice) {
		Worker worker = worker();
		if (!this.trouble) {
			return;
		}
		switch (choice) {
			case 18 -> kill(worker);
			case 19 -> stop(worker);
			case 20 -> cancel();
			case 21 -> {
				worker.hangsUntil = this.now.plusSeconds(this.random.nextInt(90));
				tell("all", worker.name + " hangs");
			}
			default -> loseChannel();
		}
	}

	/** The broker delivers again what is being worked. */
	private void loseChannel() {
		List<Delivery> deliveries = this.tasks.stream()
			.filter(Delivery.class::isInstance)
			.map(Delivery.class::cast)
			.filter((delivery) -> !delivery.lost)
			.toList();
		if (!deliveries.isEmpty()) {
			Delivery delivery = deliveries.get(this.random.nextInt(deliveries.size()));
			delivery.lost = true;
			this.queue.add(delivery.message);
			tell(delivery.message.job(), "is delivered again: the channel is lost");
		}
	}

	/** A process that stops gives back what it runs. */
	private void stop(Worker worker) {
		for (Task task : List.copyOf(this.tasks)) {
			if (task.worker == worker && task instanceof Delivery delivery && delivery.run != null
					&& delivery.outcome == null) {
				delivery.outcome = new Outcome.Released(delivery.run.lease(), this.now.plus(GRACE));
				delivery.next = delivery.message;
				fate(delivery.message.job()).mayRepeat();
				tell(delivery.message.job(), "is cut off by the stop of " + worker.name);
			}
		}
	}

	private Worker worker() {
		return this.workers.get(this.random.nextInt(this.workers.size()));
	}

	/** Time passes; a process that lives beats often enough, unless it hangs. */
	private void pass(Duration time) {
		this.now = this.now.plus(time);
		for (Worker worker : this.workers) {
			if (!worker.hangs()) {
				worker.beat();
			}
		}
	}

	private void reap() {
		try {
			for (StoredJob lost : call(() -> this.attempts.reap(this.now, 10))) {
				tell(lost.job().id(), "was lost, and is ", lost.job().state());
			}
		}
		catch (StoreUnavailableException ex) {
			// It is done again.
		}
	}

	/** A killed process leaves its messages to others, and nothing else. */
	private void kill(Worker worker) {
		tell("all", worker.name + " is killed");
		this.tasks.removeIf((task) -> {
			if (task.worker != worker) {
				return false;
			}
			if (task instanceof Delivery delivery) {
				if (!delivery.lost) {
					this.queue.add(delivery.message);
				}
				fate(delivery.message.job()).mayRepeat();
			}
			return true;
		});
		this.workers.remove(worker);
		this.workers.add(new Worker());
	}

	private void cancel() {
		List<String> ids = List.copyOf(this.fates.keySet());
		if (!ids.isEmpty()) {
			String id = ids.get(this.random.nextInt(ids.size()));
			Optional<StoredJob> before = this.store.find(id);
			if (before.isPresent() && !ended(before.get().job().state())) {
				this.store.cancel(id, this.now);
				tell(id, "is cancelled");
			}
		}
	}

	private void deliver() {
		List<Message> ready = this.queue.stream().filter((message) -> !message.visibleAt().isAfter(this.now)).toList();
		if (!ready.isEmpty()) {
			Message message = ready.get(this.random.nextInt(ready.size()));
			this.queue.remove(message);
			this.tasks.add(new Delivery(worker(), message));
		}
	}

	/**
	 * Calls the store, which may be away before it has done anything, or its answer lost.
	 */
	private <T> T call(Supplier<T> call) {
		if (this.trouble && this.random.nextInt(25) == 0) {
			throw new StoreUnavailableException("away", null);
		}
		T answer = call.get();
		if (this.trouble && this.random.nextInt(25) == 0) {
			throw new StoreUnavailableException("no answer", null, true);
		}
		return answer;
	}

	private Fate fate(String job) {
		return this.fates.computeIfAbsent(job, (id) -> new Fate());
	}

	private void tell(String job, String what, @Nullable Object more) {
		if (this.told) {
			tell(job, what + more);
		}
	}

	private void tell(String job, String what) {
		if (!this.told) {
			return;
		}
		this.history.add("%8.3f %s %s".formatted(Duration.between(START, this.now).toMillis() / 1000.0, job, what));
	}

	private boolean isDue(JobRow row) {
		return row.relayAt != null && !row.relayAt.isAfter(this.now);
	}

	private @Nullable Instant leaseEnd(JobRow row) {
		Instant until = row.leaseUntil;
		for (Worker worker : this.workers) {
			if (worker.name.equals(row.worker) && until != null
					&& worker.beaten.contains(new Lease(row.id.toString(), row.run))) {
				Instant extended = worker.seenAt.plus(LEASE);
				return extended.isAfter(until) ? extended : until;
			}
		}
		return until;
	}

	/** What must hold at the end, and must have held all the time. */
	private void check() {
		Map<String, List<String>> told = new HashMap<>();
		for (FeedEvent event : this.store.events()) {
			told.computeIfAbsent(event.subject(), (id) -> new ArrayList<>()).add(event.type());
		}
		for (StoredJob stored : this.store.all()) {
			Job job = stored.job();
			List<String> events = told.getOrDefault(job.id(), List.of());
			require(ended(job.state()), job.id(), "did not end: it is " + job.state() + " after all");
			int end = -1;
			int starts = 0;
			for (int i = 0; i < events.size(); i++) {
				boolean last = Set.of("job.completed", "job.discarded", "job.dead_lettered", "job.cancelled")
					.contains(events.get(i));
				require(!last || end < 0, job.id(), "ended twice: " + events);
				require(end < 0 || last, job.id(), "went on after its end: " + events);
				end = last ? i : end;
				starts += events.get(i).equals("job.started") ? 1 : 0;
			}
			require(end >= 0, job.id(), "has no end that was told: " + events);
			Fate fate = fate(job.id());
			require(job.attempt() <= stored.maxAttempts(), job.id(), "had " + job.attempt() + " attempts");
			require(starts == job.attempt(), job.id(),
					"counts " + job.attempt() + " attempts and has begun " + starts + " times: " + events);
			require(fate.runs <= 1 + fate.repeats + fate.failures, job.id(), "ran " + fate.runs + " times, although "
					+ fate.repeats + " runs were cut off or lost, and " + fate.failures + " failed");
			require(!fate.completed || job.state() == JobState.COMPLETED, job.id(), "succeeded, and is " + job.state());
			require(job.state() != JobState.COMPLETED || fate.succeeded, job.id(), "is completed without a success");
		}
		this.fates.forEach((id, fate) -> require(!fate.kept || this.store.find(id).isPresent(), id, "is lost"));
		for (Message message : this.queue) {
			require(false, message.job(), "has a message left");
		}
	}

	private static void require(boolean holds, String job, String violation) {
		if (!holds) {
			throw new Violation(job, violation);
		}
	}

	/**
	 * A message of the broker.
	 *
	 * @param encoded the job
	 * @param attempt the attempt that it announces
	 * @param visibleAt when it leaves its retry queue
	 */
	private record Message(EncodedJob encoded, int attempt, Instant visibleAt) {

		String job() {
			return this.encoded.job().id();
		}

	}

	/**
	 * What is known of a job from outside of the store.
	 */
	private static final class Fate {

		private boolean kept;

		/** How often its handler has begun. */
		private int runs;

		/** How often a run was cut off, or may have been lost without its worker. */
		private int repeats;

		private int failures;

		/** Whether its handler has succeeded. */
		private boolean succeeded;

		/** Whether a worker was told that this is recorded. */
		private boolean completed;

		void mayRepeat() {
			this.repeats++;
		}

	}

	/**
	 * A process that works jobs.
	 */
	private final class Worker {

		private final String name = "process-" + ++Simulation.this.processes;

		private final Set<Lease> held = new HashSet<>();

		/** What it held when it was seen last. */
		private Set<Lease> beaten = Set.of();

		private Instant seenAt = Simulation.this.now;

		private Instant hangsUntil = Simulation.this.now;

		boolean hangs() {
			return Simulation.this.trouble && this.hangsUntil.isAfter(Simulation.this.now);
		}

		void beat() {
			this.seenAt = Simulation.this.now;
			this.beaten = Set.copyOf(this.held);
			Simulation.this.store.write("look at what runs", () -> {
				for (JobRow row : Simulation.this.store.lock(this::isToGoOn, Comparator.comparing((row) -> row.id),
						10)) {
					row.relayAt = Simulation.this.now.plus(LEASE);
					Simulation.this.store.put(row);
				}
				return true;
			});
		}

		private boolean isToGoOn(JobRow row) {
			return isDue(row) && row.state == JobState.ACTIVE
					&& this.held.contains(new Lease(row.id.toString(), row.run));
		}

	}

	/**
	 * What a process is at.
	 */
	private abstract static class Task {

		final Worker worker;

		Task(Worker worker) {
			this.worker = worker;
		}

		/** Goes on by one step; whether that was the last one. */
		abstract boolean step();

	}

	/** Inserts a job, publishes it and notes that. */
	private final class Enqueue extends Task {

		private final EncodedJob job;

		private final Instant relayAt = Simulation.this.now.plus(GRACE);

		private final boolean scheduled = Simulation.this.random.nextInt(4) == 0;

		private int done;

		Enqueue(Worker worker) {
			super(worker);
			Simulation.this.enqueued++;
			String id = new UUID(Simulation.this.random.nextLong(), Simulation.this.random.nextLong()).toString();
			Job job = Job
				.builder(id.substring(0, 14) + "7" + id.substring(15, 19) + "8" + id.substring(20), "sim", "sim")
				.state(this.scheduled ? JobState.SCHEDULED : JobState.AVAILABLE)
				.scheduledAt(this.scheduled ? Rfc3339.utc(this.relayAt) : null)
				.createdAt(Rfc3339.utc(Simulation.this.now))
				.enqueuedAt(Rfc3339.utc(Simulation.this.now))
				.build();
			this.job = new EncodedJob(job, Simulation.this.codec.encode(job), 1 + Simulation.this.random.nextInt(3));
		}

		@Override
		boolean step() {
			String id = this.job.job().id();
			switch (this.done++) {
				case 0 -> {
					try {
						call(() -> Simulation.this.store
							.insert(List.of(new NewJob(this.job, Map.of(), this.relayAt, false))));
						fate(id).kept = true;
					}
					catch (DuplicateIdException ex) {
						fate(id).kept = true;
					}
					catch (StoreUnavailableException ex) {
						// The caller hears of it, and the job may be there or not.
						tell(id, "is not known to be kept: " + ex.getMessage());
						return true;
					}
					tell(id, "is kept by " + this.worker.name);
					return this.scheduled;
				}
				case 1 -> {
					Simulation.this.queue.add(new Message(this.job, 1, Simulation.this.now));
					tell(id, "is published by " + this.worker.name);
					return false;
				}
				default -> {
					published(Map.of(id, this.relayAt));
					return true;
				}
			}
		}

	}

	/** As {@code JdbcRelayStore} notes it. */
	private void published(Map<String, Instant> jobs) {
		this.store.write("note what was published", () -> {
			for (JobRow row : this.store.lock(jobs.keySet().stream().map(UUID::fromString).toList(), false).values()) {
				if (row.state == JobState.AVAILABLE && jobs.get(row.id.toString()).equals(row.relayAt)) {
					row.relayAt = null;
					row.publishedAt = this.now;
					this.store.put(row);
				}
			}
			return true;
		});
	}

	/** Takes what is due, publishes it and notes that. */
	private final class Relay extends Task {

		private List<RelayedJob> taken = List.of();

		private int done;

		Relay(Worker worker) {
			super(worker);
		}

		@Override
		boolean step() {
			switch (this.done++) {
				case 0 -> {
					try {
						this.taken = call(this::take);
					}
					catch (StoreUnavailableException ex) {
						return true;
					}
					return this.taken.isEmpty();
				}
				case 1 -> {
					for (RelayedJob job : this.taken) {
						Simulation.this.queue.add(new Message(job.encoded(), job.attempt(), Simulation.this.now));
						tell(job.id(), "is relayed by " + this.worker.name);
					}
					return false;
				}
				default -> {
					published(this.taken.stream().collect(Collectors.toMap(RelayedJob::id, RelayedJob::until)));
					return true;
				}
			}
		}

		private List<RelayedJob> take() {
			Instant until = Simulation.this.now.plus(LEASE);
			return Simulation.this.store.write("take jobs", () -> {
				List<JobRow> due = Simulation.this.store.lock((row) -> isDue(row) && row.state != JobState.ACTIVE,
						Comparator.comparing((row) -> Times.micros(row.relayAt)), 10);
				Transitions transitions = Simulation.this.store.transitions(Simulation.this.now);
				Relaying relaying = new Relaying(Simulation.this.store.codec(), transitions);
				List<RelayedJob> jobs = new ArrayList<>();
				for (JobRow row : due) {
					relaying.take(row, until).ifPresent(jobs::add);
					if (row.state == JobState.AVAILABLE) {
						row.relayAt = until;
						Simulation.this.store.put(row);
					}
				}
				Simulation.this.store.save(transitions);
				return jobs;
			});
		}

	}

	/** Works one delivery, as {@code DeliveryProcessor} does. */
	private final class Delivery extends Task {

		private final Message message;

		private final Set<Instant> unanswered = new HashSet<>();

		/** Whether the broker has given its message to another worker. */
		private boolean lost;

		private Claim.@Nullable Taken run;

		private Instant endsAt = Instant.MAX;

		private @Nullable Outcome outcome;

		/** What becomes of the message when the outcome is recorded. */
		private @Nullable Message next;

		Delivery(Worker worker, Message message) {
			super(worker);
			this.message = message;
		}

		@Override
		boolean step() {
			if (this.run == null) {
				return claim();
			}
			if (this.outcome == null) {
				return handle(this.run);
			}
			return settle(this.run, this.outcome);
		}

		private boolean claim() {
			String id = this.message.job();
			Instant at = Simulation.this.now;
			ClaimRequest request = new ClaimRequest(this.message.encoded(), "sim", this.message.attempt(), Map.of(),
					LEASE, this.unanswered)
				.store(Simulation.this.store.id());
			Claim claim;
			long running = running(id);
			try {
				claim = call(() -> Simulation.this.attempts.claim(List.of(request), this.worker.name, at, true)).get(0);
			}
			catch (StoreUnavailableException ex) {
				this.unanswered.add(at);
				fate(id).mayRepeat();
				return false;
			}
			tell(id, "is claimed by " + this.worker.name + ": ", claim);
			if (claim instanceof Claim.Taken taken) {
				require(running == 0 || running == taken.lease().run(), id, "was taken from a run that has its lease");
				this.run = taken;
				this.worker.held.add(taken.lease());
				this.worker.beat();
				fate(id).runs++;
				this.endsAt = at.plusMillis(Simulation.this.random.nextInt(4_000));
				if (Simulation.this.random.nextInt(4) == 0) {
					this.endsAt = at.plusSeconds(20 + Simulation.this.random.nextInt(60));
				}
				return false;
			}
			if (!this.lost && claim instanceof Claim.NotDue early && early.job().job().state() == JobState.RETRYABLE) {
				Simulation.this.queue
					.add(new Message(this.message.encoded(), this.message.attempt() + 1, early.dueAt()));
			}
			return true;
		}

		private boolean handle(Claim.Taken taken) {
			if (Simulation.this.now.isBefore(this.endsAt)) {
				if (!Simulation.this.trouble) {
					pass(Duration.ofSeconds(1));
				}
				return false;
			}
			Lease lease = taken.lease();
			String id = lease.jobId();
			Instant at = Simulation.this.now;
			boolean fails = Simulation.this.random.nextInt(4) == 0;
			JobError error = new JobError("sim", "SIM", "no luck", taken.job().job().attempt(), Rfc3339.utc(at),
					List.of(), Map.of());
			if (!fails) {
				this.outcome = new Outcome.Completed(lease, taken.job().job().attempt());
				fate(id).succeeded = true;
			}
			else if (taken.job().job().attempt() < taken.job().maxAttempts()) {
				Instant dueAt = at.plusSeconds(3);
				this.outcome = new Outcome.Retried(lease, error, dueAt, dueAt.plus(GRACE));
				this.next = new Message(this.message.encoded(), taken.job().job().attempt() + 1, dueAt);
			}
			else {
				this.outcome = new Outcome.Discarded(lease, error, Transition.EXHAUST);
			}
			tell(id, "ends at " + this.worker.name + ": " + this.outcome.getClass().getSimpleName());
			return false;
		}

		private boolean settle(Claim.Taken taken, Outcome ended) {
			String id = taken.lease().jobId();
			Boolean valid;
			boolean holds = holds(taken.lease());
			try {
				valid = call(() -> Simulation.this.attempts.settle(List.of(ended), Simulation.this.now)).get(0);
			}
			catch (StoreUnavailableException ex) {
				if (ex.isOutcomeUnknown()) {
					fate(id).mayRepeat();
				}
				return false;
			}
			tell(id, "is settled by " + this.worker.name + ": ", valid);
			Fate fate = fate(id);
			if (Boolean.TRUE.equals(valid)) {
				require(holds, id, "was ended by a run whose lease was over");
				fate.failures += (ended instanceof Outcome.Retried || ended instanceof Outcome.Discarded) ? 1 : 0;
				fate.completed |= ended instanceof Outcome.Completed;
			}
			else {
				fate.mayRepeat();
			}
			// What a stop has cut off goes back to the broker in any case.
			boolean goesOn = Boolean.TRUE.equals(valid) || ended instanceof Outcome.Released;
			if (this.next != null && goesOn && !this.lost) {
				Simulation.this.queue.add(this.next);
			}
			this.worker.held.remove(taken.lease());
			return true;
		}

		/** The run whose worker has the job for certain; 0 if there is none. */
		private long running(String id) {
			JobRow row = Simulation.this.store.lock(List.of(UUID.fromString(id)), false).get(UUID.fromString(id));
			Instant end = (row != null && row.state == JobState.ACTIVE) ? leaseEnd(row) : null;
			return (row != null && end != null && !end.isBefore(Simulation.this.now)) ? row.run : 0;
		}

		private boolean holds(Lease lease) {
			UUID id = UUID.fromString(lease.jobId());
			JobRow row = Simulation.this.store.lock(List.of(id), false).get(id);
			return row != null && row.state == JobState.ACTIVE && row.run == lease.run();
		}

	}

	/** The time of the simulation. */
	private final class Now extends Clock {

		@Override
		public Instant instant() {
			return Simulation.this.now;
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

	/** Something that must not be. */
	private static final class Violation extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final String job;

		Violation(String job, String message) {
			super("Job " + job + " " + message);
			this.job = job;
		}

	}

}
