package io.ojs.test.jobs.internal;

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
import io.ojs.test.jobs.DrainResult;
import io.ojs.test.jobs.LeftJob;
import io.ojs.test.jobs.SettableClock;
import io.ojs.test.jobs.TestJobs;
import io.ojs.test.jobs.TestMode;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of a test in memory, run by the components of the application.
 */
public final class MemoryTestJobs implements TestJobs {

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
	public MemoryTestJobs(TestRuntime runtime, JobCodec codec, JsonValues values, TestMode mode,
			TestTransactions transactions) {
		this.runtime = runtime;
		this.values = values;
		this.store = new MemoryJobStore(codec, runtime.clock(), runtime.events()::publish);
		this.runner = new JobRunner(runtime, values, this.store);
		KeepingStrategy keeping = new KeepingStrategy(this.store, runtime, transactions);
		this.enqueuer = new Enqueuer(runtime.factory(), JobTracing.NONE,
				(mode == TestMode.INLINE) ? new InlineStrategy(keeping, this.store, this.runner) : keeping);
	}

	@Override
	public void reset() {
		this.store.clear();
		this.runtime.clock().reset();
	}

	@Override
	public SettableClock clock() {
		return this.runtime.clock();
	}

	@Override
	public List<Job> all() {
		return this.store.all().stream().map(this::shown).toList();
	}

	@Override
	public List<Job> all(String type) {
		return all().stream().filter((job) -> job.type().equals(type)).toList();
	}

	@Override
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

	@Override
	public DrainResult drain() {
		return drain(false);
	}

	@Override
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
