package io.ojs.job;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Deep, unmodifiable copies of lists and maps. Unlike {@link List#copyOf} and
 * {@link Map#copyOf} they keep nulls and order. A copy is not copied again, because a job
 * is built several times with the same arguments.
 */
final class JsonCopies {

	private JsonCopies() {
	}

	static List<@Nullable Object> list(List<? extends @Nullable Object> values) {
		if (values instanceof ListCopy copy) {
			return copy;
		}
		@Nullable Object[] elements = values.toArray();
		for (int i = 0; i < elements.length; i++) {
			elements[i] = value(elements[i]);
		}
		return new ListCopy(elements);
	}

	static Map<String, @Nullable Object> map(Map<String, ? extends @Nullable Object> values) {
		if ((Map<String, ?>) values instanceof MapCopy copy) {
			return copy;
		}
		// Most objects have few fields, and the default has room for twelve.
		Map<String, @Nullable Object> copy = new LinkedHashMap<>(values.size() * 4 / 3 + 1);
		values.forEach((key, value) -> copy.put(key, value(value)));
		return new MapCopy(Collections.unmodifiableMap(copy));
	}

	@SuppressWarnings("unchecked")
	private static @Nullable Object value(@Nullable Object value) {
		// Most values are of these classes, and a check for a class is faster than one
		// for an interface.
		if (value == null || value instanceof String || value instanceof Number || value instanceof Boolean) {
			return value;
		}
		if (value instanceof ArrayList<?> list) {
			return list(list);
		}
		if (value instanceof HashMap<?, ?> map) {
			return map((Map<String, ?>) map);
		}
		if (value instanceof List<?> list) {
			return list(list);
		}
		if (value instanceof Map<?, ?> map) {
			return map((Map<String, ?>) map);
		}
		return value;
	}

	private static final class ListCopy extends AbstractList<@Nullable Object> implements RandomAccess {

		private final @Nullable Object[] elements;

		ListCopy(@Nullable Object[] elements) {
			this.elements = elements;
		}

		@Override
		public @Nullable Object get(int index) {
			return this.elements[index];
		}

		@Override
		public int size() {
			return this.elements.length;
		}

		@Override
		public @Nullable Object[] toArray() {
			return this.elements.clone();
		}

	}

	private static final class MapCopy extends AbstractMap<String, @Nullable Object> {

		private final Map<String, @Nullable Object> entries;

		MapCopy(Map<String, @Nullable Object> entries) {
			this.entries = entries;
		}

		@Override
		public Set<Entry<String, @Nullable Object>> entrySet() {
			return this.entries.entrySet();
		}

		@Override
		public boolean containsKey(@Nullable Object key) {
			return this.entries.containsKey(key);
		}

		@Override
		public @Nullable Object get(@Nullable Object key) {
			return this.entries.get(key);
		}

		@Override
		public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
			this.entries.forEach(action);
		}

	}

}
