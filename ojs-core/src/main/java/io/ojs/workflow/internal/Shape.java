package io.ojs.workflow.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.ojs.internal.json.JsonObjects;
import io.ojs.workflow.Callback;
import io.ojs.workflow.WorkflowType;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a workflow, without the content of its jobs. Jobs are numbered in their
 * order; the callbacks of a batch follow its jobs.
 */
sealed interface Shape {

	/** One job. */
	record Leaf(int number) implements Shape {
	}

	/** A workflow, which may be within another one. */
	record Branch(WorkflowType type, @Nullable String name, List<Shape> children,
			Map<Callback, Leaf> callbacks) implements Shape {

		public Branch {
			children = List.copyOf(children);
			EnumMap<Callback, Leaf> copy = new EnumMap<>(Callback.class);
			copy.putAll(callbacks);
			callbacks = Collections.unmodifiableMap(copy);
		}

		/** Calls a visitor with each job, and with whether it is a callback. */
		void eachLeaf(BiConsumer<Leaf, Boolean> visitor) {
			for (Shape child : this.children) {
				if (child instanceof Branch branch) {
					branch.eachLeaf(visitor);
				}
				else if (child instanceof Leaf leaf) {
					visitor.accept(leaf, false);
				}
			}
			this.callbacks.values().forEach((leaf) -> visitor.accept(leaf, true));
		}

		int leaves() {
			int[] count = new int[1];
			eachLeaf((leaf, callback) -> count[0]++);
			return count[0];
		}

		String toJson() {
			return new String(new JsonObjects().write(toMap()), StandardCharsets.UTF_8);
		}

		private Map<String, @Nullable Object> toMap() {
			Map<String, @Nullable Object> map = new LinkedHashMap<>();
			map.put("type", this.type.wireName());
			if (this.name != null) {
				map.put("name", this.name);
			}
			List<Object> shapes = new ArrayList<>();
			for (Shape child : this.children) {
				shapes.add((child instanceof Branch branch) ? branch.toMap() : ((Leaf) child).number());
			}
			map.put("steps", shapes);
			if (!this.callbacks.isEmpty()) {
				Map<String, Object> numbers = new LinkedHashMap<>();
				this.callbacks.forEach((callback, leaf) -> numbers.put(callback.wireName(), leaf.number()));
				map.put("callbacks", numbers);
			}
			return map;
		}

		/** Parses the text of {@link #toJson}. */
		static Branch fromJson(String json) {
			return fromMap(new JsonObjects().read(json.getBytes(StandardCharsets.UTF_8)));
		}

		private static Branch fromMap(Map<?, ?> map) {
			List<Shape> children = new ArrayList<>();
			for (Object child : (List<?>) map.get("steps")) {
				children
					.add((child instanceof Map<?, ?> branch) ? fromMap(branch) : new Leaf(((Number) child).intValue()));
			}
			Map<Callback, Leaf> callbacks = new EnumMap<>(Callback.class);
			if (map.get("callbacks") instanceof Map<?, ?> numbers) {
				for (Callback callback : Callback.values()) {
					if (numbers.get(callback.wireName()) instanceof Number number) {
						callbacks.put(callback, new Leaf(number.intValue()));
					}
				}
			}
			return new Branch(WorkflowType.fromWire((String) map.get("type")).orElseThrow(), (String) map.get("name"),
					children, callbacks);
		}

	}

}
