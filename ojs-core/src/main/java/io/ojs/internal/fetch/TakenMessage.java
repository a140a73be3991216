package io.ojs.internal.fetch;

import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import org.jspecify.annotations.Nullable;

/**
 * A job in a message that was removed from the broker.
 *
 * @param encoded the job and its bytes, as received
 * @param attempt the attempt that the message announces, from 1
 * @param producer the name of the producer
 * @param headers the headers beside the envelope
 * @param store the id of the store that published the job; {@code null} if none did
 */
public record TakenMessage(EncodedJob encoded, int attempt, String producer, Map<String, String> headers,
		@Nullable String store) {

	public TakenMessage {
		headers = Map.copyOf(headers);
	}

}
