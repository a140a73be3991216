package io.ojs.handler.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Deep, modifiable copies of JSON values.
 */
final class MutableJson {

	private MutableJson() {
	}

	static List<@Nullable Object> list(List<?> values) {
		List<@Nullable Object> copy = new ArrayList<>(values.size());
		values.forEach((value) -> copy.add(value(value)));
		return copy;
	}

	static @Nullable Object value(@Nullable Object value) {
		if (value instanceof List<?> list) {
			return list(list);
		}
		if (value instanceof Map<?, ?> map) {
			Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
			map.forEach((key, each) -> copy.put(key, value(each)));
			return copy;
		}
		return value;
	}

}
