package io.ojs.worker;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a worker says of a run that failed.
 *
 * @param code the code of the error, such as {@code handler_error}
 * @param type what failed; {@code null} for {@code details.error_class}, or else the code
 * @param message what a person should read
 * @param retryable whether it is worth another attempt
 * @param backtrace stack frames, outermost call last; may be empty
 * @param details whatever else the worker says; JSON values
 */
public record RemoteFailure(String code, @Nullable String type, String message, boolean retryable,
		List<String> backtrace, Map<String, @Nullable Object> details) {

	public RemoteFailure {
		backtrace = List.copyOf(backtrace);
		details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
	}

	/**
	 * What failed, for the retry policy to look at.
	 * @return the type of the error
	 */
	public String effectiveType() {
		if (this.type != null && !this.type.isBlank()) {
			return this.type;
		}
		return (this.details.get("error_class") instanceof String name && !name.isBlank()) ? name : this.code;
	}

}
