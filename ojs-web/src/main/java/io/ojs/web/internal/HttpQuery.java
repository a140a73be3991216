package io.ojs.web.internal;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.Rfc3339;
import io.ojs.web.HttpFailure;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request. A wrong value is answered with 400.
 */
public final class HttpQuery {

	/** How many results a page has if the request does not say. */
	public static final int DEFAULT_LIMIT = 50;

	/** How many results a page has at most. */
	public static final int MAX_LIMIT = 200;

	private final Map<String, String[]> parameters;

	HttpQuery(Map<String, String[]> parameters) {
		this.parameters = parameters;
	}

	/**
	 * Returns a parameter.
	 * @return its text; {@code null} if it is missing or empty
	 */
	public @Nullable String string(String name) {
		String[] values = this.parameters.get(name);
		if (values == null || values.length == 0) {
			return null;
		}
		if (values.length > 1) {
			throw HttpFailure.invalid(name, String.join(", ", values), "must not be given more than once");
		}
		return values[0].isEmpty() ? null : checked(name, values[0]);
	}

	/**
	 * Returns a parameter that is a list, separated by commas or given several times.
	 * @return the elements; empty if it is missing
	 */
	public Set<String> strings(String name) {
		Set<String> result = new LinkedHashSet<>();
		for (String value : this.parameters.getOrDefault(name, new String[0])) {
			Arrays.stream(checked(name, value).split(","))
				.map(String::strip)
				.filter((part) -> !part.isEmpty())
				.forEach(result::add);
		}
		return result;
	}

	/**
	 * Returns a parameter that may be given several times, whose values may contain
	 * commas.
	 * @return the values that are not empty
	 */
	public Set<String> each(String name) {
		Set<String> result = new LinkedHashSet<>();
		for (String value : this.parameters.getOrDefault(name, new String[0])) {
			if (!value.isEmpty()) {
				result.add(checked(name, value));
			}
		}
		return result;
	}

	/** Refuses U+0000, which databases do not store and no name contains. */
	static String checked(String name, String value) {
		if (value.indexOf(0) >= 0) {
			throw HttpFailure.invalid(name, value.replace('\0', ' '), "must not contain the character U+0000");
		}
		return value;
	}

	/**
	 * Returns a parameter that is a whole number.
	 * @param otherwise the number if it is missing
	 */
	public long number(String name, long otherwise, long min, long max) {
		String text = string(name);
		if (text == null) {
			return otherwise;
		}
		try {
			long value = Long.parseLong(text);
			if (value >= min && value <= max) {
				return value;
			}
		}
		catch (NumberFormatException ex) {
			throw HttpFailure.invalid(name, text, "must be a whole number");
		}
		throw HttpFailure.invalid(name, text, "must be between %d and %d".formatted(min, max));
	}

	/**
	 * Returns how many results the request asks for.
	 * @return {@code limit}, 1 to {@link #MAX_LIMIT}
	 */
	public int limit() {
		return (int) number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
	}

	/**
	 * Returns a parameter that is true or false.
	 * @return whether it is true; {@code false} if it is missing
	 */
	public boolean bool(String name) {
		String text = string(name);
		if (text == null || text.equals("false")) {
			return false;
		}
		if (text.equals("true")) {
			return true;
		}
		throw HttpFailure.invalid(name, text, "must be true or false");
	}

	/**
	 * Returns a parameter that is a point in time.
	 * @return the moment; {@code null} if it is missing
	 */
	public @Nullable Instant time(String name) {
		String text = string(name);
		try {
			// A plus sign that is not escaped arrives as a space.
			return (text != null) ? Rfc3339.parse(name, text.replace(' ', '+')).toInstant() : null;
		}
		catch (InvalidJobException ex) {
			throw HttpFailure.invalid(name, text, ex.problem());
		}
	}

}
