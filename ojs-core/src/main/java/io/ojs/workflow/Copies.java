package io.ojs.workflow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Changed copies of immutable collections.
 */
final class Copies {

	private Copies() {
	}

	static Map<String, @Nullable Object> copy(Map<String, @Nullable Object> map) {
		return Collections.unmodifiableMap(new LinkedHashMap<>(map));
	}

	static Map<String, @Nullable Object> with(Map<String, @Nullable Object> map, String key, @Nullable Object value) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>(map);
		changed.put(key, value);
		return changed;
	}

	static List<Step> with(List<Step> steps, Step step) {
		List<Step> changed = new ArrayList<>(steps);
		changed.add(step);
		return changed;
	}

}
