package io.ojs.test.jobs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.ojs.OjsException;
import io.ojs.client.OjsOperations;
import io.ojs.client.internal.Enqueuer;
import io.ojs.internal.engine.MemoryJobStore;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.trace.JobTracing;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * {@link OjsOperations} for tests: keeps jobs in memory, where a test inspects and runs
 * them. Jobs are created as in the application, and run as with a worker and a job store,
 * by a clock that the test moves.
 *
 * <pre>{@code
 * jobs.enqueue("email.send", "ada@example.com");
 * assertThat(jobs.drain().completed()).hasSize(1);
 * }</pre>
 */
public final class TestJobs implements OjsOperations {

	/**
	 * Largest number of attempts in one call, which stops a job that enqueues itself
	 * again and again.
	 */
	public static final int MAX_ATTEMPTS = 1000;

	private final TestRuntime runtime;

	private final JsonValues values;

	private final MemoryJobStore store;

	private final JobRunner runner;

	private final Enqueuer enqueuer;

	/**
	 * Creates it.
	 * @param runtime the components that create and work jobs
	 * @param codec reads jobs, as a worker would
	 * @param values converts results, and arguments that a test compares, to JSON
	 * @param mode whether a job runs as soon as it is enqueued
	 * @param transactions a job that is enqueued in one of them is removed if it is
	 * rolled back
	 */
	public TestJobs(TestRuntime runtime, JobCodec codec, JsonValues values, TestMode mode,
			TestTransactions transactions) {
		this.runtime = runtime;
		this.values = values;
		this.store = new MemoryJobStore(codec, runtime.clock(), runtime.events()::publish);
		this.runner = new JobRunner(runtime, values, this.store);
		KeepingStrategy keeping = new KeepingStrategy(this.store, runtime, transactions);
		this.enqueuer = new Enqueuer(runtime.factory(), JobTracing.NONE,
				(mode == TestMode.INLINE) ? new InlineStrategy(keeping, this.store, this.runner) : keeping);
	}

	/**
	 * Removes all jobs, and sets the clock to the present time.
	 */
	public void reset() {
		this.store.clear();
		this.runtime.clock().reset();
	}

	/**
	 * The clock of the jobs.
	 * @return the clock
	 */
	public SettableClock clock() {
		return this.runtime.clock();
	}

	/**
	 * All jobs that were enqueued, including those that have ended.
	 * @return the jobs in their present state, in the order in which they were enqueued;
	 * their arguments are decrypted
	 */
	public List<Job> all() {
		return this.store.all().stream().map(this::shown).toList();
	}

	/**
	 * All jobs of a type that were enqueued, including those that have ended.
	 * @param type the type
	 * @return the jobs in their present state, in the order in which they were enqueued;
	 * their arguments are decrypted
	 */
	public List<Job> all(String type) {
		return all().stream().filter((job) -> job.type().equals(type)).toList();
	}

	/**
	 * Converts arguments to JSON values, as enqueueing would.
	 * @param args arguments
	 * @return the values that a job would have
	 */
	public List<@Nullable Object> toJson(@Nullable Object... args) {
		List<@Nullable Object> converted = new ArrayList<>(args.length);
		for (Object arg : args) {
			converted.add(this.values.toJson("args[%d]".formatted(converted.size()), arg));
		}
		return converted;
	}

	private Job shown(StoredJob kept) {
		Job job = kept.described();
		try {
			return this.runtime.factory().encryption().decrypt(job);
		}
		catch (OjsException ex) {
			// Encrypted with a key that this application does not have.
			return job;
		}
	}

	/**
	 * Runs all jobs that are due, and jobs that these enqueue and that are due, one after
	 * another on this thread. The clock does not move, unless handlers move it.
	 * @return the results
	 * @throws AssertionError after {@link #MAX_ATTEMPTS} jobs, because it would never end
	 */
	public DrainResult drain() {
		return drain(false);
	}

	/**
	 * Runs all jobs that wait, for whatever time, and the jobs that these enqueue, one
	 * after another on this thread. The clock moves to the time of each job.
	 * @return the results
	 * @throws AssertionError after {@link #MAX_ATTEMPTS} jobs, because it would never end
	 */
	public DrainResult drainAll() {
		return drain(true);
	}

	private DrainResult drain(boolean all) {
		Set<String> ran = new LinkedHashSet<>();
		int attempts = 0;
		for (int turns = 0;; turns++) {
			StoredJob next = this.store.next(all ? null : clock().instant(), this.runner::takes).orElse(null);
			if (next == null) {
				return new DrainResult(attempts,
						ran.stream().flatMap((id) -> this.store.find(id).stream()).map(this::shown).toList(), left());
			}
			if (turns == MAX_ATTEMPTS) {
				throw new EndlessJobsError(
						"%d jobs have run, and there is no end to it: %s.".formatted(turns, types()));
			}
			Instant turn = this.store.turn(next.job().id()).orElse(clock().instant());
			if (turn.isAfter(clock().instant())) {
				clock().set(turn);
			}
			JobRunner.Ran came = this.runner.run(next.job());
			if (came != null) {
				ran.add(next.job().id());
				attempts += came.attempted() ? 1 : 0;
			}
		}
	}

	private List<LeftJob> left() {
		return this.store.all().stream().filter((kept) -> {
			JobState state = Objects.requireNonNull(kept.job().state());
			return !state.isTerminal() && state != JobState.ACTIVE;
		}).map((kept) -> new LeftJob(shown(kept), this.runner.whyLeft(kept))).toList();
	}

	/** The number of jobs of each type, for a message. */
	private Map<String, Integer> types() {
		Map<String, Integer> types = new LinkedHashMap<>();
		this.store.all().forEach((kept) -> types.merge(kept.job().type(), 1, Integer::sum));
		return types;
	}

	@Override
	public Job enqueue(JobRequest request) {
		return this.enqueuer.enqueue(request);
	}

	@Override
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		return this.enqueuer.enqueueAll(requests);
	}

	@Override
	public CompletableFuture<Job> enqueueAsync(JobRequest request) {
		return this.enqueuer.enqueueAsync(request);
	}

	/** Does nothing if the job has ended. */
	@Override
	public void cancel(String queue, String jobId) {
		JobRules.queue(queue);
		if (!this.store.find(JobRules.id(jobId)).map((kept) -> isTerminal(kept.job())).orElse(true)) {
			cancel(jobId);
		}
	}

	@Override
	public Optional<Job> cancel(String jobId) {
		return this.store.cancel(JobRules.id(jobId), clock().instant())
			.map((before) -> before.job().toBuilder().state(JobState.CANCELLED).build());
	}

	private static boolean isTerminal(Job job) {
		return Objects.requireNonNull(job.state()).isTerminal();
	}

	@Override
	public Optional<Job> find(String queue, String jobId) {
		JobRules.queue(queue);
		return find(jobId);
	}

	@Override
	public Optional<Job> find(String jobId) {
		return this.store.find(JobRules.id(jobId)).map(StoredJob::described);
	}

	@Override
	public List<Job> list(JobQuery query) {
		return this.store.list(query).stream().map(StoredJob::described).toList();
	}

	@Override
	public Optional<Job> activate(String jobId) {
		Instant now = clock().instant();
		return this.store.activate(JobRules.id(jobId), now, now).map(StoredJob::job);
	}

}
