package io.ojs.store;

import java.util.Map;

import io.ojs.client.EncodedJob;

/**
 * A job that is to be published.
 *
 * @param encoded the job, available, and its bytes
 * @param attempt the attempt that comes next, from 1
 * @param headers what travels beside the envelope, such as the context of a trace
 */
public record RelayedJob(EncodedJob encoded, int attempt, Map<String, String> headers) {

	public RelayedJob {
		headers = Map.copyOf(headers);
	}

}
