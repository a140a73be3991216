package io.ojs.amqp.internal.message;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;

/**
 * The headers that carry the trace of a job beside its envelope.
 */
public final class TraceHeaders {

	private static final List<String> NAMES = List.of(OjsHeaders.TRACE_ID, OjsHeaders.TRACEPARENT,
			OjsHeaders.TRACE_STATE);

	private TraceHeaders() {
	}

	/**
	 * The trace headers of a message.
	 * @return the headers that are text, by their names
	 */
	public static Map<String, String> of(BasicProperties properties) {
		Map<String, String> found = new HashMap<>();
		if (properties.getHeaders() != null) {
			for (String name : NAMES) {
				Object value = properties.getHeaders().get(name);
				if (value instanceof LongString || value instanceof String) {
					found.put(name, value.toString());
				}
			}
		}
		return found;
	}

}
