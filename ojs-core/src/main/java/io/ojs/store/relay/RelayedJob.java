package io.ojs.store.relay;

import java.time.Instant;
import java.util.Map;

import io.ojs.client.EncodedJob;

/**
 * A job that is to be published.
 *
 * @param encoded the job, available, and its bytes
 * @param attempt the attempt that comes next, from 1
 * @param headers what travels beside the envelope, such as the context of a trace
 * @param replays how often an operator has replayed it
 * @param until when the relay takes it next, unless it is noted by then that the broker
 * has it. By that the store knows which publication a note is about
 */
public record RelayedJob(EncodedJob encoded, int attempt, Map<String, String> headers, int replays, Instant until) {

	public RelayedJob {
		headers = Map.copyOf(headers);
	}

	/**
	 * A job that is new.
	 * @param encoded the job, available, and its bytes
	 * @param headers what travels beside the envelope, such as the context of a trace
	 * @param until when the relay takes it, unless it is noted by then that the broker
	 * has it
	 */
	public RelayedJob(EncodedJob encoded, Map<String, String> headers, Instant until) {
		this(encoded, 1, headers, 0, until);
	}

	/**
	 * The id of the job.
	 * @return the id
	 */
	public String id() {
		return this.encoded.job().id();
	}

	/**
	 * The queue of the job.
	 * @return the OJS queue
	 */
	public String queue() {
		return this.encoded.job().queue();
	}

}
