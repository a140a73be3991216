package io.ojs.queue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.json.IsoDurations;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object of a configuration, taken out one by one with their types
 * checked. None may be left over. A {@code null} is as if the field were not there.
 */
final class ConfigFields {

	private final String path;

	private final Map<String, @Nullable Object> values;

	private final List<String> known = new ArrayList<>();

	ConfigFields(String path, Map<String, ? extends @Nullable Object> values) {
		this.path = path;
		this.values = new LinkedHashMap<>(values);
	}

	void nothingIsLeft() {
		this.values.forEach((name, value) -> {
			throw new InvalidQueueConfigException(at(name), value,
					"is no field of a queue's configuration: remove it, or use one of "
							+ String.join(", ", this.known));
		});
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

	@Nullable Long longInteger(String name) {
		return integer(name, Long.MIN_VALUE, Long.MAX_VALUE);
	}

	@Nullable Integer integer(String name) {
		Long value = integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
		return (value != null) ? Integer.valueOf(value.intValue()) : null;
	}

	private @Nullable Long integer(String name, long least, long greatest) {
		Number value = typed(name, Number.class, "must be a whole number");
		if (value == null) {
			return null;
		}
		if (value instanceof Double || value instanceof Float || value instanceof BigDecimal) {
			throw new InvalidQueueConfigException(at(name), value, "must be a whole number");
		}
		if (value instanceof BigInteger || value.longValue() < least || value.longValue() > greatest) {
			throw new InvalidQueueConfigException(at(name), value, "must not be beyond " + greatest);
		}
		return value.longValue();
	}

	@Nullable Duration seconds(String name) {
		Integer seconds = integer(name);
		return (seconds != null) ? Duration.ofSeconds(seconds) : null;
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
			throw new InvalidQueueConfigException(at(name), text,
					"must be an ISO 8601 duration such as PT30S or P7D, without years and months", ex);
		}
	}

	@Nullable List<String> strings(String name) {
		List<?> array = typed(name, List.class, "must be an array of strings");
		if (array == null) {
			return null;
		}
		List<String> strings = new ArrayList<>(array.size());
		for (Object element : array) {
			if (!(element instanceof String string)) {
				throw new InvalidQueueConfigException(at(name), array, "must be an array of strings");
			}
			strings.add(string);
		}
		return strings;
	}

	@SuppressWarnings("unchecked")
	@Nullable ConfigFields nested(String name) {
		Map<String, @Nullable Object> object = typed(name, Map.class, "must be an object");
		return (object != null) ? new ConfigFields(at(name), object) : null;
	}

	InvalidQueueConfigException missing(String name) {
		return new InvalidQueueConfigException(at(name), null, "is required where '%s' is set".formatted(this.path));
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable T typed(String name, Class<? super T> type, String problem) {
		this.known.add(name);
		Object value = this.values.remove(name);
		if (value != null && !type.isInstance(value)) {
			throw new InvalidQueueConfigException(at(name), value, problem);
		}
		return (T) value;
	}

	private String at(String name) {
		return this.path.isEmpty() ? name : this.path + "." + name;
	}

}
