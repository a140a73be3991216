package io.ojs.store.internal;

import java.time.Instant;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import org.jspecify.annotations.Nullable;

/**
 * A job that is to be kept.
 *
 * @param encoded the job, scheduled, available or pending, and its bytes
 * @param headers the headers beside the envelope, such as a trace context
 * @param relayAt when the relay publishes the job, unless another thread has published it
 * by then; {@code null} if the job waits to be activated
 * @param ordered whether its queue is ordered, so that only the relay publishes the job,
 * after all jobs that were kept before
 */
public record NewJob(EncodedJob encoded, Map<String, String> headers, @Nullable Instant relayAt, boolean ordered) {

	public NewJob {
		headers = Map.copyOf(headers);
	}

	/**
	 * Creates a job of a queue that is not ordered.
	 * @param headers the headers beside the envelope, such as a trace context
	 * @param relayAt when the relay publishes the job, unless another thread has
	 * published it by then; {@code null} if the job waits to be activated
	 */
	public NewJob(EncodedJob encoded, Map<String, String> headers, @Nullable Instant relayAt) {
		this(encoded, headers, relayAt, false);
	}

}
