package io.ojs.json;

import java.math.BigInteger;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object, taken out one by one with their types checked. What
 * nobody takes is left over: the unknown fields, which OJS wants kept.
 */
final class Fields {

	private final String path;

	private final Map<String, @Nullable Object> values;

	Fields(String path, Map<String, @Nullable Object> values) {
		this.path = path;
		this.values = new LinkedHashMap<>(values);
	}

	Map<String, @Nullable Object> leftOver() {
		return this.values;
	}

	boolean has(String name) {
		return this.values.containsKey(name);
	}

	@Nullable Object peek(String name) {
		return this.values.get(name);
	}

	@Nullable Object any(String name) {
		return this.values.remove(name);
	}

	@Nullable String string(String name) {
		return typed(name, String.class, "must be a string");
	}

	@Nullable Boolean bool(String name) {
		return typed(name, Boolean.class, "must be true or false");
	}

	@Nullable Double number(String name) {
		Number number = typed(name, Number.class, "must be a number");
		return (number != null) ? number.doubleValue() : null;
	}

	@Nullable Integer integer(String name) {
		Object value = any(name);
		if (value == null || value instanceof Integer) {
			return (Integer) value;
		}
		String problem = (value instanceof Long || value instanceof BigInteger) ? "must fit into 32 bits"
				: "must be an integer";
		throw new InvalidJobException(at(name), value, problem);
	}

	@Nullable OffsetDateTime time(String name) {
		String text = string(name);
		return (text != null) ? Rfc3339.parse(at(name), text) : null;
	}

	@Nullable Duration duration(String name) {
		String text = string(name);
		if (text == null) {
			return null;
		}
		try {
			return IsoDurations.parse(text);
		}
		catch (DateTimeParseException | ArithmeticException ex) {
			throw new InvalidJobException(at(name), text, "must be an ISO 8601 duration such as PT30S", ex);
		}
	}

	@Nullable List<@Nullable Object> array(String name) {
		return typed(name, List.class, "must be an array");
	}

	@Nullable List<String> strings(String name) {
		List<@Nullable Object> array = array(name);
		if (array == null) {
			return null;
		}
		List<String> strings = new ArrayList<>(array.size());
		for (Object element : array) {
			if (!(element instanceof String string)) {
				throw new InvalidJobException(at(name), array, "must be an array of strings");
			}
			strings.add(string);
		}
		return strings;
	}

	@Nullable Map<String, @Nullable Object> object(String name) {
		return typed(name, Map.class, "must be an object");
	}

	@Nullable Fields nested(String name) {
		Map<String, @Nullable Object> object = object(name);
		return (object != null) ? new Fields(at(name), object) : null;
	}

	<T> List<T> nestedList(String name, Function<Fields, T> read) {
		List<@Nullable Object> array = array(name);
		if (array == null) {
			return List.of();
		}
		List<T> result = new ArrayList<>(array.size());
		for (int i = 0; i < array.size(); i++) {
			String at = "%s[%d]".formatted(at(name), i);
			if (!(array.get(i) instanceof Map<?, ?> object)) {
				throw new InvalidJobException(at, array.get(i), "must be an object");
			}
			result.add(read.apply(new Fields(at, asObject(object))));
		}
		return result;
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable T typed(String name, Class<? super T> type, String problem) {
		Object value = any(name);
		if (value != null && !type.isInstance(value)) {
			throw new InvalidJobException(at(name), value, problem);
		}
		return (T) value;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, @Nullable Object> asObject(Map<?, ?> object) {
		return (Map<String, @Nullable Object>) object;
	}

	private String at(String name) {
		return this.path.isEmpty() ? name : this.path + "." + name;
	}

}
