package io.ojs.store;

import java.time.Instant;
import java.util.Map;

import io.ojs.client.EncodedJob;
import org.jspecify.annotations.Nullable;

/**
 * A job to be kept.
 *
 * @param encoded the job, scheduled, available or pending, and its bytes
 * @param headers what travels beside the envelope, such as the context of a trace
 * @param relayAt when the relay takes care of it, unless somebody else has published it
 * by then; {@code null} if it is not to be published before it is activated
 * @param ordered whether its queue keeps jobs in their order, so that only the relay
 * publishes it, behind all that were kept before
 */
public record NewJob(EncodedJob encoded, Map<String, String> headers, @Nullable Instant relayAt, boolean ordered) {

	public NewJob {
		headers = Map.copyOf(headers);
	}

	/**
	 * A job that may overtake others.
	 * @param encoded the job, scheduled, available or pending, and its bytes
	 * @param headers what travels beside the envelope, such as the context of a trace
	 * @param relayAt when the relay takes care of it, unless somebody else has published
	 * it by then; {@code null} if it is not to be published before it is activated
	 */
	public NewJob(EncodedJob encoded, Map<String, String> headers, @Nullable Instant relayAt) {
		this(encoded, headers, relayAt, false);
	}

}
