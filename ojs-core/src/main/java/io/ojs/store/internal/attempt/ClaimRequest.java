package io.ojs.store.internal.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * A worker's request to run a job that it has received.
 *
 * @param encoded the job and its bytes, as received; a job that the store does not know
 * comes from another producer, and is adopted
 * @param queue the queue that the message came from, whatever the envelope says
 * @param attempt the attempt that the message announces, from 1; counts for adopted jobs
 * only
 * @param headers the headers beside the envelope; kept for adopted jobs
 * @param lease how long the lease lasts unless it is extended
 * @param unanswered the times at which the same worker claimed the job for the same
 * message without an answer; empty unless something failed
 * @param handled the jobs that the worker can run
 * @param store the id of the store that published the job; {@code null} if none did
 */
public record ClaimRequest(EncodedJob encoded, String queue, int attempt, Map<String, String> headers, Duration lease,
		Set<Instant> unanswered, HandledJobs handled, @Nullable String store) {

	public ClaimRequest {
		headers = Map.copyOf(headers);
		unanswered = Set.copyOf(unanswered);
	}

	/**
	 * Creates a request of a worker that can run any job.
	 * @param attempt the attempt that the message announces, from 1
	 */
	public ClaimRequest(EncodedJob encoded, String queue, int attempt, Map<String, String> headers, Duration lease,
			Set<Instant> unanswered) {
		this(encoded, queue, attempt, headers, lease, unanswered, HandledJobs.ALL, null);
	}

	/**
	 * Creates the first request of a worker that can run any job.
	 * @param attempt the attempt that the message announces, from 1
	 */
	public ClaimRequest(EncodedJob encoded, String queue, int attempt, Map<String, String> headers, Duration lease) {
		this(encoded, queue, attempt, headers, lease, Set.of());
	}

	/**
	 * Returns this request for a worker that can run only some jobs.
	 * @param jobs the jobs that the worker can run
	 */
	public ClaimRequest handled(HandledJobs jobs) {
		return new ClaimRequest(this.encoded, this.queue, this.attempt, this.headers, this.lease, this.unanswered, jobs,
				this.store);
	}

	/**
	 * Returns this request for a job that a store has published.
	 * @param id the id of the store; {@code null} if none published it
	 */
	public ClaimRequest store(@Nullable String id) {
		return new ClaimRequest(this.encoded, this.queue, this.attempt, this.headers, this.lease, this.unanswered,
				this.handled, id);
	}

	/**
	 * Returns this request as another try.
	 * @param times the times of claims without an answer
	 */
	ClaimRequest unanswered(Set<Instant> times) {
		return new ClaimRequest(this.encoded, this.queue, this.attempt, this.headers, this.lease, times, this.handled,
				this.store);
	}

}
