package io.ojs.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A heartbeat of a worker (OJS Worker Protocol §4).
 *
 * @param worker the name of the worker, 1 to 128 characters
 * @param tenant the tenant whose jobs alone it may have; {@code null} for all
 * @param state its state; {@code null} if it does not say
 * @param jobIds the ids of the jobs that it runs, at most {@value #MOST}
 * @param activeJobs the number of jobs that it runs; {@code null} for the number of
 * {@code jobIds}
 * @param lease how long the leases of its jobs last from now on; {@code null} for their
 * original duration
 * @param queues the queues that it fetches from; empty if it does not say
 * @param details other values that it reports; JSON values
 */
public record Heartbeat(String worker, @Nullable String tenant, @Nullable WorkerState state, List<String> jobIds,
		@Nullable Integer activeJobs, @Nullable Duration lease, List<String> queues,
		Map<String, @Nullable Object> details) {

	/** The largest number of jobs in one heartbeat. */
	public static final int MOST = 10_000;

	/** The largest number of queues in one heartbeat. */
	public static final int MOST_QUEUES = 1000;

	private static final int LONGEST_QUEUE = 128;

	/**
	 * Checks the values.
	 * @throws InvalidWorkerRequestException if a value is out of range
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

	public Heartbeat(String worker, List<String> jobIds) {
		this(worker, null, null, jobIds, null, null, List.of(), Map.of());
	}

	/** Returns the worker as known after this heartbeat. */
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
