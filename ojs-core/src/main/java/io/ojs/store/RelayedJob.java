package io.ojs.store;

import java.util.Map;

import io.ojs.client.EncodedJob;

/**
 * A job that is to be published.
 *
 * @param encoded the job, available, and its bytes
 * @param attempt the attempt that comes next, from 1
 * @param headers what travels beside the envelope, such as the context of a trace
 * @param replays how often an operator has replayed it
 */
public record RelayedJob(EncodedJob encoded, int attempt, Map<String, String> headers, int replays) {

	public RelayedJob {
		headers = Map.copyOf(headers);
	}

	/**
	 * A job that nobody has replayed.
	 * @param encoded the job, available, and its bytes
	 * @param attempt the attempt that comes next, from 1
	 * @param headers what travels beside the envelope, such as the context of a trace
	 */
	public RelayedJob(EncodedJob encoded, int attempt, Map<String, String> headers) {
		this(encoded, attempt, headers, 0);
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
