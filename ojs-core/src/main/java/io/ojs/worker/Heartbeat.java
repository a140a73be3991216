package io.ojs.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A worker says that it lives (OJS Worker Protocol §4).
 *
 * @param worker what it calls itself, 1 to 128 characters
 * @param state the state that it is in; {@code null} if it does not say
 * @param jobIds the ids of the jobs that it runs, at most {@link #MOST}
 * @param activeJobs how many jobs it runs; {@code null} for as many as it names
 * @param lease how long it wants to have its jobs from now on; {@code null} for as long
 * as it got them for
 * @param queues the queues that it fetches from; empty if it does not say
 * @param details what else it says of itself; JSON values
 */
public record Heartbeat(String worker, @Nullable WorkerState state, List<String> jobIds, @Nullable Integer activeJobs,
		@Nullable Duration lease, List<String> queues, Map<String, @Nullable Object> details) {

	/** The most jobs that one heartbeat names. */
	public static final int MOST = 10_000;

	/** The most queues that one heartbeat names. */
	public static final int MOST_QUEUES = 1000;

	private static final int LONGEST_QUEUE = 128;

	/**
	 * Checks what was said.
	 * @throws InvalidWorkerRequestException if it cannot be
	 */
	public Heartbeat {
		WorkerIds.check(worker);
		jobIds = List.copyOf(new LinkedHashSet<>(jobIds));
		if (jobIds.size() > MOST) {
			throw new InvalidWorkerRequestException("active_jobs", jobIds.size(),
					"must name at most " + MOST + " jobs");
		}
		if (activeJobs != null && activeJobs < 0) {
			throw new InvalidWorkerRequestException("active_jobs", activeJobs, "must not be negative");
		}
		if (lease != null && (lease.isNegative() || lease.isZero())) {
			throw new InvalidWorkerRequestException("visibility_timeout_ms", lease, "must be longer than zero");
		}
		queues = List.copyOf(queues);
		if (queues.size() > MOST_QUEUES || queues.stream().anyMatch((queue) -> queue.length() > LONGEST_QUEUE)) {
			throw new InvalidWorkerRequestException("queues", queues,
					"must be at most %d names of at most %d characters".formatted(MOST_QUEUES, LONGEST_QUEUE));
		}
		details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
	}

	/**
	 * A worker runs jobs, and says no more.
	 * @param worker what it calls itself
	 * @param jobIds the ids of the jobs that it runs
	 */
	public Heartbeat(String worker, List<String> jobIds) {
		this(worker, null, jobIds, null, null, List.of(), Map.of());
	}

	/** What is known of the worker with that. */
	KnownWorker seen(@Nullable KnownWorker before, Instant now) {
		WorkerState known = (before != null) ? before.state() : WorkerState.RUNNING;
		Map<String, @Nullable Object> said = new LinkedHashMap<>(
				(before != null && this.details.isEmpty()) ? before.details() : this.details);
		if (before != null && before.details().containsKey(HandledJobsJson.FIELD)) {
			said.putIfAbsent(HandledJobsJson.FIELD, before.details().get(HandledJobsJson.FIELD));
		}
		return new KnownWorker(this.worker, (this.state != null) ? this.state : known,
				(before != null) ? before.directive() : WorkerState.RUNNING,
				(before != null) ? before.firstSeen() : now, now,
				(this.activeJobs != null) ? this.activeJobs : this.jobIds.size(),
				(before != null && this.queues.isEmpty()) ? before.queues() : this.queues, said);
	}

}
