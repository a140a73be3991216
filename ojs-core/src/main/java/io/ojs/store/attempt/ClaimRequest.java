package io.ojs.store.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import io.ojs.client.EncodedJob;
import io.ojs.job.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * Somebody has a job at hand and wants to run it.
 *
 * @param encoded the job and its bytes, as they came: a job that the store does not know
 * was published by somebody else, and is adopted
 * @param queue the queue that it came from, whatever its envelope says
 * @param attempt the attempt that the message announces, from 1; counts for adopted jobs
 * only
 * @param headers what travels beside the envelope; kept of adopted jobs
 * @param lease how long the lease lasts unless it is extended
 * @param unanswered when the same worker has claimed the job for the same message and got
 * no answer; empty unless something has failed
 * @param handled which jobs the worker can run
 * @param store the id of the store that published the job; {@code null} if none did
 */
public record ClaimRequest(EncodedJob encoded, String queue, int attempt, Map<String, String> headers, Duration lease,
		Set<Instant> unanswered, HandledJobs handled, @Nullable String store) {

	public ClaimRequest {
		headers = Map.copyOf(headers);
		unanswered = Set.copyOf(unanswered);
	}

	/**
	 * A job that is claimed by somebody who can run any.
	 * @param encoded the job and its bytes, as they came
	 * @param queue the queue that it came from
	 * @param attempt the attempt that the message announces, from 1
	 * @param headers what travels beside the envelope
	 * @param lease how long the lease lasts unless it is extended
	 * @param unanswered when it was claimed without an answer
	 */
	public ClaimRequest(EncodedJob encoded, String queue, int attempt, Map<String, String> headers, Duration lease,
			Set<Instant> unanswered) {
		this(encoded, queue, attempt, headers, lease, unanswered, HandledJobs.ALL, null);
	}

	/**
	 * A job that is claimed for the first time, by somebody who can run any.
	 * @param encoded the job and its bytes, as they came
	 * @param queue the queue that it came from
	 * @param attempt the attempt that the message announces, from 1
	 * @param headers what travels beside the envelope
	 * @param lease how long the lease lasts unless it is extended
	 */
	public ClaimRequest(EncodedJob encoded, String queue, int attempt, Map<String, String> headers, Duration lease) {
		this(encoded, queue, attempt, headers, lease, Set.of());
	}

	/**
	 * The same job, claimed by somebody who cannot run every one.
	 * @param jobs which jobs the worker can run
	 * @return the request
	 */
	public ClaimRequest handled(HandledJobs jobs) {
		return new ClaimRequest(this.encoded, this.queue, this.attempt, this.headers, this.lease, this.unanswered, jobs,
				this.store);
	}

	/**
	 * The same job, published by a store.
	 * @param id the id of the store; {@code null} if none published it
	 * @return the request
	 */
	public ClaimRequest store(@Nullable String id) {
		return new ClaimRequest(this.encoded, this.queue, this.attempt, this.headers, this.lease, this.unanswered,
				this.handled, id);
	}

	/**
	 * The same job, claimed again.
	 * @param times when it was claimed without an answer
	 * @return the request
	 */
	ClaimRequest unanswered(Set<Instant> times) {
		return new ClaimRequest(this.encoded, this.queue, this.attempt, this.headers, this.lease, times, this.handled,
				this.store);
	}

}
