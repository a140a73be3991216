package io.ojs.internal.worker;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;

import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * A request of a worker over HTTP for jobs.
 *
 * @param queues the queues, in this order; at least one
 * @param count the largest number of jobs, 1 to {@value #MOST}
 * @param worker the name of the worker; {@code null} if it does not say
 * @param lease the lease that the worker wants for jobs that do not say one; shortened or
 * extended to between a second and a week; {@code null} for that of their queues
 * @param tenant only jobs of this tenant; {@code null} for all
 * @param handled the jobs that the worker can run; {@code null} for those in its last
 * heartbeat
 */
public record FetchRequest(List<String> queues, int count, @Nullable String worker, @Nullable Duration lease,
		@Nullable String tenant, @Nullable HandledJobs handled) {

	/** The largest number of jobs of one fetch. */
	public static final int MOST = 100;

	private static final int MOST_QUEUES = 100;

	/**
	 * Checks the request.
	 * @throws InvalidWorkerRequestException if a value is out of range
	 * @throws InvalidJobException if a queue name is not valid
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
	 * Creates a request for jobs of all tenants.
	 * @param queues the queues, in this order; at least one
	 * @param count the largest number of jobs, 1 to {@value #MOST}
	 * @param worker the name of the worker; {@code null} if it does not say
	 * @param lease the lease that the worker wants for jobs that do not say one;
	 * {@code null} for that of their queues
	 */
	public FetchRequest(List<String> queues, int count, @Nullable String worker, @Nullable Duration lease) {
		this(queues, count, worker, lease, null, null);
	}

}
