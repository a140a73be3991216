package io.ojs.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable copies that keep nulls and order, which {@link List#copyOf} and
 * {@link Map#copyOf} do not, all the way down.
 */
final class JsonCopies {

	private JsonCopies() {
	}

	static List<@Nullable Object> list(List<? extends @Nullable Object> values) {
		List<@Nullable Object> copy = new ArrayList<>(values.size());
		for (Object value : values) {
			copy.add(value(value));
		}
		return Collections.unmodifiableList(copy);
	}

	static Map<String, @Nullable Object> map(Map<String, ? extends @Nullable Object> values) {
		Map<String, @Nullable Object> copy = new LinkedHashMap<>();
		values.forEach((key, value) -> copy.put(key, value(value)));
		return Collections.unmodifiableMap(copy);
	}

	@SuppressWarnings("unchecked")
	private static @Nullable Object value(@Nullable Object value) {
		if (value instanceof List<?> list) {
			return list(list);
		}
		if (value instanceof Map<?, ?> map) {
			return map((Map<String, ?>) map);
		}
		return value;
	}

}
