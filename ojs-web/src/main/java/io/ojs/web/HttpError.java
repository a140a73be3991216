package io.ojs.web;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An error for a caller (OJS HTTP Binding §16.1). Immutable; each method returns a
 * changed copy.
 * <p>
 * Use {@link #of} and the methods that change a copy: the constructor changes when a
 * component is added.
 *
 * @param status the HTTP status
 * @param code a code for programs, from the vocabulary of the binding or of an extension
 * @param type the kind of problem, by the name that other documents use, such as
 * {@code validation_error}
 * @param message what is wrong, for a person; contains no secrets
 * @param retryable whether the same request may succeed later
 * @param hint what the caller can do; {@code null} for none
 * @param details further information, for programs
 * @param headers further headers of the answer
 */
public record HttpError(int status, String code, String type, String message, boolean retryable, @Nullable String hint,
		Map<String, @Nullable Object> details, Map<String, String> headers) {

	public HttpError {
		details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
		headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
	}

	/**
	 * Creates an error that the same request would meet again.
	 * @param status the HTTP status
	 * @param code a code for programs
	 * @param type the kind of problem
	 * @param message what is wrong, as a sentence
	 * @return the error
	 */
	public static HttpError of(int status, String code, String type, String message) {
		return new HttpError(status, code, type, message, false, null, Map.of(), Map.of());
	}

	/**
	 * Says that the same request may succeed later.
	 * @param seconds after how many seconds to send it again at the earliest
	 * @return a changed copy, with {@code Retry-After}
	 */
	public HttpError retryAfter(long seconds) {
		return retryable(true).header("Retry-After", Long.toString(seconds));
	}

	/**
	 * Says whether the same request may succeed later.
	 * @param value whether it may
	 * @return a changed copy
	 */
	public HttpError retryable(boolean value) {
		return new HttpError(this.status, this.code, this.type, this.message, value, this.hint, this.details,
				this.headers);
	}

	/**
	 * Says what the caller can do.
	 * @param value a sentence
	 * @return a changed copy
	 */
	public HttpError hint(String value) {
		return new HttpError(this.status, this.code, this.type, this.message, this.retryable, value, this.details,
				this.headers);
	}

	/**
	 * Adds a detail.
	 * @param name its name
	 * @param value a value of JSON's own types
	 * @return a changed copy
	 */
	public HttpError detail(String name, @Nullable Object value) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>(this.details);
		changed.put(name, value);
		return new HttpError(this.status, this.code, this.type, this.message, this.retryable, this.hint, changed,
				this.headers);
	}

	/**
	 * Adds a header to the answer.
	 * @param name its name
	 * @param value its value
	 * @return a changed copy
	 */
	public HttpError header(String name, String value) {
		Map<String, String> changed = new LinkedHashMap<>(this.headers);
		changed.put(name, value);
		return new HttpError(this.status, this.code, this.type, this.message, this.retryable, this.hint, this.details,
				changed);
	}

}
