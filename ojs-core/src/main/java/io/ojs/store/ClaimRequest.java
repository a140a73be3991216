package io.ojs.store;

import java.util.Map;

import io.ojs.client.EncodedJob;

/**
 * Somebody has a job at hand and wants to run it.
 *
 * @param encoded the job and its bytes, as they came: a job that the store does not know
 * was published by somebody else, and is adopted
 * @param attempt the attempt that the message announces, from 1; counts for adopted jobs
 * only
 * @param headers what travels beside the envelope; kept of adopted jobs
 */
public record ClaimRequest(EncodedJob encoded, int attempt, Map<String, String> headers) {

	public ClaimRequest {
		headers = Map.copyOf(headers);
	}

}
