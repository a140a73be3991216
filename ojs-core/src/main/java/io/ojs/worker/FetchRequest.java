package io.ojs.worker;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;

import io.ojs.job.HandledJobs;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * What a worker wants to have.
 *
 * @param queues where to look, in this order; at least one
 * @param count how many jobs at most, 1 to {@link #MOST}
 * @param worker who runs them; {@code null} for somebody who does not say
 * @param lease how long the worker wants to have them, where a job does not say; at least
 * a second, {@code null} for what their queues say
 * @param tenant whose jobs alone it wants; {@code null} for all
 * @param handled which jobs it can run; {@code null} for those that its last heartbeat
 * named
 */
public record FetchRequest(List<String> queues, int count, @Nullable String worker, @Nullable Duration lease,
		@Nullable String tenant, @Nullable HandledJobs handled) {

	/** The most jobs that one fetch hands out. */
	public static final int MOST = 100;

	private static final int MOST_QUEUES = 100;

	/**
	 * Checks what was asked.
	 * @throws InvalidWorkerRequestException if it is too little or too much
	 * @throws InvalidJobException if a name is not one of a queue
	 */
	public FetchRequest {
		queues = List.copyOf(new LinkedHashSet<>(queues));
		if (queues.isEmpty() || queues.size() > MOST_QUEUES) {
			throw new InvalidWorkerRequestException("queues", queues, "must name 1 to " + MOST_QUEUES + " queues");
		}
		queues.forEach(JobRules::queue);
		if (count < 1 || count > MOST) {
			throw new InvalidWorkerRequestException("count", count, "must be between 1 and " + MOST);
		}
		if (worker != null) {
			WorkerIds.check(worker);
		}
		if (lease != null && (lease.isNegative() || lease.isZero())) {
			throw new InvalidWorkerRequestException("visibility_timeout_ms", lease, "must be longer than zero");
		}
	}

	/**
	 * Wants jobs of whatever tenant.
	 * @param queues where to look, in this order; at least one
	 * @param count how many jobs at most, 1 to {@link #MOST}
	 * @param worker who runs them; {@code null} for somebody who does not say
	 * @param lease how long the worker wants to have them, where a job does not say;
	 * {@code null} for what their queues say
	 */
	public FetchRequest(List<String> queues, int count, @Nullable String worker, @Nullable Duration lease) {
		this(queues, count, worker, lease, null, null);
	}

}
