package io.ojs.internal.engine;

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
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A few jobs, two processes that get them from a broker and fetch them, and the engine on
 * a store in memory, one step at a time. A random number decides which step comes next,
 * what fails and who is killed, so a seed is a history that can be told again.
 *
 * <p>
 * After some steps nothing fails any longer, and what is left has to end by itself.
 */
final class Simulation {

	static final Duration LEASE = Duration.ofSeconds(30);

	/** How long the relay leaves jobs to those that have their messages. */
	static final Duration GRACE = Duration.ofSeconds(10);

	private static final int TROUBLED = 250;

	private static final int MOST = 4000;

	/** How often what has happened, in all histories. */
	static final Map<String, LongAdder> HAPPENED = new ConcurrentHashMap<>();

	private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

	final Random random;

	Instant now = START;

	final JsonJobCodec codec = new JsonJobCodec();

	final MemoryJobStore store = new MemoryJobStore(this.codec, new Now(), (told) -> {
	}, this::leaseEnd);

	final AttemptEngine attempts = new AttemptEngine(this.store);

	final List<Message> queue = new ArrayList<>();

	private final List<Worker> workers = new ArrayList<>();

	final List<SimulatedTask> tasks = new ArrayList<>();

	/** Jobs whose insertion was committed and not refused. */
	private final Map<String, Fate> fates = new LinkedHashMap<>();

	private final List<String> history = new ArrayList<>();

	private final boolean told;

	boolean trouble = true;

	/** Whether processes also fetch: what they fetch, the relay need not publish. */
	private final boolean fetching;

	private final boolean fetchingToTheEnd;

	private int processes;

	int enqueued;

	private Simulation(long seed, boolean told) {
		this.random = new Random(seed);
		this.fetching = this.random.nextBoolean();
		this.fetchingToTheEnd = this.fetching && this.random.nextBoolean();
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
			this.tasks.add(new SimulatedTask.Enqueue(this, worker()));
		}
		else if (choice < 12) {
			pass(Duration.ofMillis(this.random.nextInt(6_000)));
		}
		else if (choice < 16) {
			this.tasks.add(new SimulatedTask.Relay(this, worker()));
		}
		else if (choice < 18) {
			reap();
		}
		else if (choice < 24) {
			fail(choice);
		}
		else if (choice < 42) {
			deliver();
		}
		else if (choice < 47) {
			if (this.trouble ? this.fetching : this.fetchingToTheEnd) {
				this.tasks.add(new SimulatedTask.Fetch(this, worker()));
			}
		}
		else if (!this.tasks.isEmpty()) {
			SimulatedTask task = this.tasks.get(this.random.nextInt(this.tasks.size()));
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
		List<SimulatedTask.Delivery> deliveries = this.tasks.stream()
			.filter(SimulatedTask.Delivery.class::isInstance)
			.map(SimulatedTask.Delivery.class::cast)
			.filter((delivery) -> !delivery.lost)
			.toList();
		if (!deliveries.isEmpty()) {
			SimulatedTask.Delivery delivery = deliveries.get(this.random.nextInt(deliveries.size()));
			delivery.lost = true;
			this.queue.add(delivery.message);
			tell(delivery.message.job(), "is delivered again: the channel is lost");
		}
	}

	/** A process that stops gives back what it runs. */
	private void stop(Worker worker) {
		for (SimulatedTask task : List.copyOf(this.tasks)) {
			if (task.worker == worker && task instanceof SimulatedTask.Run run && run.lease != null
					&& run.outcome == null) {
				run.stop(run.lease);
			}
		}
	}

	private Worker worker() {
		return this.workers.get(this.random.nextInt(this.workers.size()));
	}

	/** Time passes; a process that lives beats often enough, unless it hangs. */
	void pass(Duration time) {
		this.now = this.now.plus(time);
		for (Worker worker : this.workers) {
			if (!worker.hangs()) {
				worker.beat();
			}
		}
	}

	private void reap() {
		try {
			call(() -> {
				List<StoredJob> lost = this.attempts.reap(this.now, 10);
				lost.forEach((job) -> lost(job.job().id(), job.job().state()));
				return lost;
			});
		}
		catch (StoreUnavailableException ex) {
			// It is done again.
		}
	}

	/**
	 * A job has lost a run, as after a claim; unless it waits for a thread, and has
	 * another attempt.
	 */
	void lost(String job, JobState state) {
		tell(job, "was lost, and is ", state);
		fate(job).cutOff |= this.tasks.stream()
			.noneMatch((task) -> task instanceof SimulatedTask.Fetched fetched && fetched.inAdvance
					&& fetched.job.job().id().equals(job));
	}

	/** A killed process leaves its messages to others, and nothing else. */
	private void kill(Worker worker) {
		tell("all", worker.name + " is killed");
		this.tasks.removeIf((task) -> {
			if (task.worker != worker) {
				return false;
			}
			if (task instanceof SimulatedTask.Delivery delivery) {
				if (!delivery.lost) {
					this.queue.add(delivery.message);
				}
				fate(delivery.message.job()).mayRepeat();
			}
			if (task instanceof SimulatedTask.Fetched fetched) {
				Fate fate = fate(fetched.job.job().id());
				if (fetched.begun) {
					fate.mayRepeat();
				}
				// It was about to begin, as after a claim. A crash costs no job its only
				// attempt that waits for a thread.
				fate.cutOff |= !fetched.inAdvance;
			}
			return true;
		});
		for (Instant at : worker.unanswered) {
			this.store.lock((row) -> worker.hasFetched(row, at), Comparator.comparing((row) -> row.id), 10)
				.forEach((row) -> fate(row.id.toString()).cutOff = true);
		}
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
			this.tasks.add(new SimulatedTask.Delivery(this, worker(), message));
		}
	}

	/**
	 * Calls the store, which may be away before it has done anything, or its answer lost.
	 */
	<T> T call(Supplier<T> call) {
		if (this.trouble && this.random.nextInt(25) == 0) {
			throw new StoreUnavailableException("away", null);
		}
		T answer = call.get();
		if (this.trouble && this.random.nextInt(25) == 0) {
			throw new StoreUnavailableException("no answer", null, true);
		}
		return answer;
	}

	Fate fate(String job) {
		return this.fates.computeIfAbsent(job, (id) -> new Fate());
	}

	void tell(String job, String what, @Nullable Object more) {
		if (this.told) {
			tell(job, what + more);
		}
	}

	void tell(String job, String what) {
		if (!this.told) {
			return;
		}
		this.history.add("%8.3f %s %s".formatted(Duration.between(START, this.now).toMillis() / 1000.0, job, what));
	}

	boolean isDue(JobRow row) {
		return row.relayAt != null && !row.relayAt.isAfter(this.now);
	}

	@Nullable Instant leaseEnd(JobRow row) {
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

	/** As {@code JdbcRelayStore} notes it. */
	void published(Map<String, Instant> jobs) {
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

	/** Counts what happens, over all histories: what never happens is not checked. */
	static void count(String what, long times) {
		HAPPENED.computeIfAbsent(what, (key) -> new LongAdder()).add(times);
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
			require(starts - fate.givenBack == job.attempt(), job.id(),
					"counts " + job.attempt() + " attempts, has begun " + starts + " times and was given back "
							+ fate.givenBack + " times: " + events);
			require(fate.runs <= 1 + fate.repeats + fate.failures, job.id(), "ran " + fate.runs + " times, although "
					+ fate.repeats + " runs were cut off or lost, and " + fate.failures + " failed");
			require(job.state() != JobState.DISCARDED || fate.runs > 0 || fate.repeats > 0 || fate.cutOff, job.id(),
					"is a dead letter and has never run: " + events);
			require(!fate.completed || job.state() == JobState.COMPLETED, job.id(), "succeeded, and is " + job.state());
			require(job.state() != JobState.COMPLETED || fate.succeeded, job.id(), "is completed without a success");
		}
		this.fates.forEach((id, fate) -> require(!fate.kept || this.store.find(id).isPresent(), id, "is lost"));
		for (Message message : this.queue) {
			require(false, message.job(), "has a message left");
		}
	}

	static void require(boolean holds, String job, String violation) {
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
	record Message(EncodedJob encoded, int attempt, Instant visibleAt) {

		String job() {
			return this.encoded.job().id();
		}

	}

	/**
	 * What is known of a job from outside of the store.
	 */
	static final class Fate {

		boolean kept;

		/** How often its handler has begun. */
		int runs;

		/** How often a run was cut off, or may have been lost without its worker. */
		int repeats;

		int failures;

		/** How often it was given back without its handler having begun. */
		int givenBack;

		/** Whether a process that was about to begin it has not heard of it, or died. */
		boolean cutOff;

		/** Whether its handler has succeeded. */
		boolean succeeded;

		/** Whether a worker was told that this is recorded. */
		boolean completed;

		void mayRepeat() {
			this.repeats++;
		}

	}

	/**
	 * A process that works jobs.
	 */
	final class Worker {

		final String name = "process-" + ++Simulation.this.processes;

		final Set<Lease> held = new HashSet<>();

		/** What it held when it was seen last. */
		Set<Lease> beaten = Set.of();

		Instant seenAt = Simulation.this.now;

		Instant hangsUntil = Simulation.this.now;

		/** When it fetched without hearing what. */
		final Set<Instant> unanswered = new TreeSet<>();

		/** Whether it has taken a job at a time, as a row tells it. */
		boolean hasFetched(JobRow row, Instant at) {
			return row.state == JobState.ACTIVE && row.leaseMillis == null && row.relayAt != null
					&& !row.relayAt.isAfter(at.plus(LEASE)) && this.name.equals(row.worker) && at.equals(row.startedAt);
		}

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
