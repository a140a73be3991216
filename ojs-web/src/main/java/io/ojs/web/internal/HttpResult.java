package io.ojs.web.internal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a request. Immutable; each method returns a changed copy.
 *
 * @param status the HTTP status
 * @param headers headers beside those that every answer has
 * @param body the JSON object, with values of JSON's own types; {@code null} for none
 * @param stream writes the body, now and later; {@code null} if {@code body} is all
 */
public record HttpResult(int status, Map<String, String> headers,
		@Nullable Map<String, ? extends @Nullable Object> body, @Nullable HttpStream stream) {

	public HttpResult {
		headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
	}

	public HttpResult(int status, Map<String, String> headers, @Nullable Map<String, ? extends @Nullable Object> body) {
		this(status, headers, body, null);
	}

	/**
	 * Creates the answer to a request that was carried out.
	 * @return an answer with 200
	 */
	public static HttpResult ok(Map<String, ? extends @Nullable Object> body) {
		return new HttpResult(200, Map.of(), body);
	}

	/**
	 * Creates the answer to a request that was carried out, with a JSON object of one
	 * member.
	 * @param name the name of the member, such as {@code job}
	 * @return an answer with 200
	 */
	public static HttpResult ok(String name, @Nullable Object value) {
		return ok(Collections.singletonMap(name, value));
	}

	/**
	 * Creates the answer to a request that has created something.
	 * @return an answer with 201
	 */
	public static HttpResult created(Map<String, ? extends @Nullable Object> body) {
		return new HttpResult(201, Map.of(), body);
	}

	/**
	 * Creates the answer to a request that will be carried out.
	 * @return an answer with 202
	 */
	public static HttpResult accepted(Map<String, ? extends @Nullable Object> body) {
		return new HttpResult(202, Map.of(), body);
	}

	/**
	 * Creates the answer to a request that was carried out, without a body.
	 * @return an answer with 204
	 */
	public static HttpResult noContent() {
		return new HttpResult(204, Map.of(), null);
	}

	/**
	 * Creates an answer that goes on after the request was handled.
	 * @return an answer with 200
	 */
	public static HttpResult stream(HttpStream stream) {
		return new HttpResult(200, Map.of(), null, stream);
	}

	/** Adds a header. */
	public HttpResult header(String name, String value) {
		Map<String, String> changed = new LinkedHashMap<>(this.headers);
		changed.put(name, value);
		return new HttpResult(this.status, changed, this.body, this.stream);
	}

}
