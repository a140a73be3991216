package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;

/**
 * A job that is to be published.
 *
 * @param encoded the job, available, and its bytes
 * @param attempt the next attempt, from 1
 * @param headers the headers beside the envelope, such as a trace context
 * @param replays how often an operator has replayed it
 * @param until when the relay publishes the job again, unless it is noted as published by
 * then. The store recognizes by this time which publication a note is about
 */
public record RelayedJob(EncodedJob encoded, int attempt, Map<String, String> headers, int replays, Instant until) {

	public RelayedJob {
		headers = Map.copyOf(headers);
	}

	/**
	 * Creates a new job, for its first attempt.
	 * @param headers the headers beside the envelope, such as a trace context
	 */
	public RelayedJob(EncodedJob encoded, Map<String, String> headers, Instant until) {
		this(encoded, 1, headers, 0, until);
	}

	/** Returns the id of the job. */
	public String id() {
		return this.encoded.job().id();
	}

	/** Returns the queue of the job. */
	public String queue() {
		return this.encoded.job().queue();
	}

}
