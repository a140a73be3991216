package io.ojs.internal.worker;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a run, as its worker reports it. The store keeps it with the job and
 * reads it each time, so long values are shortened.
 *
 * @param code the code of the error, such as {@code handler_error}; the first 1,000
 * characters are kept
 * @param type the type of the error; {@code null} for {@code details.error_class}, or
 * else the code; the first 1,000 characters are kept
 * @param message the message for people; the first 10,000 characters are kept
 * @param retryable whether another attempt may succeed
 * @param backtrace stack frames, outermost call last; may be empty; the first 50 are
 * kept, and 1,000 characters of each
 * @param details other values that the worker reports; JSON values; omitted beyond 20,000
 * characters, except {@code error_class}
 */
public record RemoteFailure(String code, @Nullable String type, String message, boolean retryable,
		List<String> backtrace, Map<String, @Nullable Object> details) {

	private static final String ERROR_CLASS = "error_class";

	private static final int LONGEST_MESSAGE = 10_000;

	private static final int LONGEST_DETAILS = 20_000;

	/** The longest code, type and frame. */
	private static final int LONGEST = 1000;

	private static final int MAX_FRAMES = 50;

	public RemoteFailure {
		code = ForeignText.beginning(code, LONGEST);
		type = (type != null) ? ForeignText.beginning(type, LONGEST) : null;
		message = ForeignText.beginning(message, LONGEST_MESSAGE);
		backtrace = backtrace.stream().limit(MAX_FRAMES).map((frame) -> ForeignText.beginning(frame, LONGEST)).toList();
		details = Collections.unmodifiableMap(kept(details));
	}

	private static Map<String, @Nullable Object> kept(Map<String, @Nullable Object> details) {
		if (details.toString().length() <= LONGEST_DETAILS) {
			return new LinkedHashMap<>(details);
		}
		Map<String, @Nullable Object> kept = new LinkedHashMap<>();
		kept.put("omitted", true);
		if (details.get(ERROR_CLASS) instanceof String name) {
			kept.put(ERROR_CLASS, ForeignText.beginning(name, LONGEST));
		}
		return kept;
	}

	/**
	 * Returns the type of the error that the retry policy looks at.
	 * @return the type; {@code error_class} or the code if there is none
	 */
	public String effectiveType() {
		if (this.type != null && !this.type.isBlank()) {
			return this.type;
		}
		return (this.details.get(ERROR_CLASS) instanceof String name && !name.isBlank()) ? name : this.code;
	}

}
