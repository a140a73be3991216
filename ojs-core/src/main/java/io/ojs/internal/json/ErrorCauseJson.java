package io.ojs.internal.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.ErrorCause;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the causes of an error.
 */
public final class ErrorCauseJson {

	private ErrorCauseJson() {
	}

	/** Writes causes as JSON objects. */
	static List<Map<String, @Nullable Object>> write(List<ErrorCause> causes) {
		return causes.stream().map((cause) -> {
			Map<String, @Nullable Object> object = new LinkedHashMap<>();
			object.put("type", cause.type());
			object.put("message", cause.message());
			object.put("frames", cause.frames());
			return object;
		}).toList();
	}

	/**
	 * Reads causes. Leaves out what is none: another program may have written the error.
	 * @param value the value of the field; {@code null} without one
	 */
	public static List<ErrorCause> read(@Nullable Object value) {
		List<ErrorCause> causes = new ArrayList<>();
		if (value instanceof List<?> list) {
			for (Object element : list) {
				if (element instanceof Map<?, ?> cause && cause.get("type") instanceof String type) {
					causes.add(new ErrorCause(type, (cause.get("message") instanceof String message) ? message : "",
							frames(cause.get("frames"))));
				}
			}
		}
		return causes;
	}

	private static List<String> frames(@Nullable Object value) {
		return (value instanceof List<?> list)
				? list.stream().filter(String.class::isInstance).map(String.class::cast).toList() : List.of();
	}

}
