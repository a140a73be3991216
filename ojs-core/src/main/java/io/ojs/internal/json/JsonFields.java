package io.ojs.internal.json;

import java.math.BigInteger;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fields of a JSON object one by one and checks their types. A {@code null}
 * counts as a missing field. Fields that are never taken are left over: unknown fields,
 * which OJS keeps in a job and rejects elsewhere. Not thread-safe.
 */
public final class JsonFields {

	/** Computed only for errors. */
	private final Supplier<String> path;

	private final Map<String, @Nullable Object> values;

	private final Refusal refusal;

	private final List<String> asked = new ArrayList<>();

	/**
	 * Copies the fields of an object.
	 * @param refusal creates the exception for an invalid field
	 */
	public JsonFields(Map<String, ? extends @Nullable Object> values, Refusal refusal) {
		this(() -> "", values, refusal);
	}

	JsonFields(Supplier<String> path, Map<String, ? extends @Nullable Object> values, Refusal refusal) {
		this.path = path;
		this.values = new LinkedHashMap<>(values);
		this.refusal = refusal;
	}

	/**
	 * The fields that were not taken.
	 * @return fields and values, in the order of the object
	 */
	public Map<String, @Nullable Object> leftOver() {
		return this.values;
	}

	/**
	 * Rejects fields that were not taken.
	 * @param problem what is wrong with them, as the second half of a sentence; the names
	 * of the known fields are appended
	 */
	public void refuseLeftOver(String problem) {
		this.values.forEach((name, value) -> {
			throw refuse(name, value, problem + ": remove it, or use one of " + String.join(", ", this.asked));
		});
	}

	/**
	 * Whether the object has a field that was not taken yet.
	 * @return whether the object has it, even if it is {@code null}
	 */
	public boolean has(String name) {
		return this.values.containsKey(name);
	}

	/** Reads a field without taking it. */
	public @Nullable Object peek(String name) {
		return this.values.get(name);
	}

	/** Takes a field of any type. */
	public @Nullable Object any(String name) {
		this.asked.add(name);
		return this.values.remove(name);
	}

	/** Takes a string. */
	public @Nullable String string(String name) {
		return typed(name, String.class, "must be a string");
	}

	/** Takes a boolean. */
	public @Nullable Boolean bool(String name) {
		return typed(name, Boolean.class, "must be true or false");
	}

	/** Takes a number. */
	public @Nullable Double number(String name) {
		Number number = typed(name, Number.class, "must be a number");
		return (number != null) ? number.doubleValue() : null;
	}

	/** Takes an integer of 32 bits. {@code 1.0} is rejected. */
	public @Nullable Integer integer(String name) {
		Object value = any(name);
		if (value == null || value instanceof Integer) {
			return (Integer) value;
		}
		throw notInteger(name, value, 32);
	}

	/** Takes an integer of 64 bits. {@code 1.0} is rejected. */
	public @Nullable Long longInteger(String name) {
		Object value = any(name);
		if (value instanceof Integer integer) {
			return integer.longValue();
		}
		if (value == null || value instanceof Long) {
			return (Long) value;
		}
		throw notInteger(name, value, 64);
	}

	private RuntimeException notInteger(String name, Object value, int bits) {
		boolean integer = value instanceof Long || value instanceof BigInteger;
		return refuse(name, value, integer ? "must fit into %d bits".formatted(bits) : "must be an integer");
	}

	/**
	 * Takes a time.
	 * @return the time, with the offset that it was written with
	 * @see Rfc3339
	 */
	public @Nullable OffsetDateTime time(String name) {
		String text = string(name);
		return (text != null) ? Rfc3339.parse(at(name), text) : null;
	}

	/**
	 * Takes an ISO 8601 duration.
	 * @see IsoDurations
	 */
	public @Nullable Duration duration(String name) {
		String text = string(name);
		if (text == null) {
			return null;
		}
		try {
			return IsoDurations.parse(text);
		}
		catch (DateTimeParseException | ArithmeticException ex) {
			throw this.refusal.create(at(name), text,
					"must be an ISO 8601 duration such as PT30S or P7D, without years and months", ex);
		}
	}

	/** Takes an array. */
	public @Nullable List<@Nullable Object> array(String name) {
		return typed(name, List.class, "must be an array");
	}

	/** Takes an array of strings. */
	public @Nullable List<String> strings(String name) {
		List<?> array = typed(name, List.class, "must be an array of strings");
		if (array == null) {
			return null;
		}
		List<String> strings = new ArrayList<>(array.size());
		for (Object element : array) {
			if (!(element instanceof String string)) {
				throw refuse(name, array, "must be an array of strings");
			}
			strings.add(string);
		}
		return strings;
	}

	/** Takes an object as a map. */
	public @Nullable Map<String, @Nullable Object> object(String name) {
		return typed(name, Map.class, "must be an object");
	}

	/** Takes an object whose fields can be taken. */
	public @Nullable JsonFields nested(String name) {
		Map<String, @Nullable Object> object = object(name);
		return (object != null) ? new JsonFields(() -> at(name), object, this.refusal) : null;
	}

	/**
	 * Takes an array of objects.
	 * @return the results; empty if there is no array
	 */
	public <T> List<T> nestedList(String name, Function<JsonFields, T> read) {
		List<@Nullable Object> array = array(name);
		if (array == null) {
			return List.of();
		}
		List<T> result = new ArrayList<>(array.size());
		for (int i = 0; i < array.size(); i++) {
			int index = i;
			Supplier<String> at = () -> at(name) + "[" + index + "]";
			if (!(array.get(i) instanceof Map<?, ?> object)) {
				throw this.refusal.create(at.get(), array.get(i), "must be an object", null);
			}
			result.add(read.apply(new JsonFields(at, asObject(object), this.refusal)));
		}
		return result;
	}

	/**
	 * Creates the exception for an invalid field.
	 * @param problem what is wrong with it, as the second half of a sentence
	 */
	public RuntimeException refuse(String name, @Nullable Object value, String problem) {
		return this.refusal.create(at(name), value, problem, null);
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable T typed(String name, Class<? super T> type, String problem) {
		Object value = any(name);
		if (value != null && !type.isInstance(value)) {
			throw refuse(name, value, problem);
		}
		return (T) value;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, @Nullable Object> asObject(Map<?, ?> object) {
		return (Map<String, @Nullable Object>) object;
	}

	private String at(String name) {
		String parent = this.path.get();
		return parent.isEmpty() ? name : parent + "." + name;
	}

	/**
	 * Creates the exception for an invalid field.
	 */
	@FunctionalInterface
	public interface Refusal {

		/**
		 * Creates the exception.
		 * @param path the field, with its path if it is nested
		 * @param problem what is wrong with it, as the second half of a sentence
		 */
		RuntimeException create(String path, @Nullable Object value, String problem, @Nullable Throwable cause);

	}

}
