package io.ojs.internal.json;

import java.util.Arrays;

import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * The path to the current value while code walks through a JSON value. Steps cost almost
 * nothing: only {@link #toString} creates text, for errors. Not thread-safe.
 */
public final class JsonPath {

	/** How many steps are shown. Values that people write are not deeper. */
	private static final int MAX_STEPS = 12;

	/** How many characters of each name are shown. */
	private static final int MAX_NAME = 128;

	private final String root;

	private @Nullable String[] names = new String[8];

	private int[] indexes = new int[8];

	private int depth;

	/**
	 * Creates a path to the value at which the walk begins.
	 * @param root the field of that value, such as {@code args}; empty for the whole
	 * object
	 */
	public JsonPath(String root) {
		this.root = root;
	}

	/** Steps into a member of an object. */
	public void enter(String name) {
		push(name, 0);
	}

	/**
	 * Steps into an element of an array.
	 * @param index its index, from 0
	 */
	public void enter(int index) {
		push(null, index);
	}

	private void push(@Nullable String name, int index) {
		if (this.depth == this.names.length) {
			this.names = Arrays.copyOf(this.names, 2 * this.depth);
			this.indexes = Arrays.copyOf(this.indexes, 2 * this.depth);
		}
		this.names[this.depth] = name;
		this.indexes[this.depth++] = index;
	}

	/**
	 * Steps out of the member or element that was entered last.
	 */
	public void leave() {
		this.depth--;
	}

	/**
	 * Writes the path, such as {@code args[1].name}.
	 * @return the path, with … in place of parts that are too long
	 */
	@Override
	public String toString() {
		StringBuilder path = new StringBuilder(this.root);
		for (int i = 0; i < Math.min(this.depth, MAX_STEPS); i++) {
			String name = this.names[i];
			if (name != null) {
				path.append(path.isEmpty() ? "" : ".").append(shortened(name));
			}
			else {
				path.append('[').append(this.indexes[i]).append(']');
			}
		}
		return path.append((this.depth > MAX_STEPS) ? "…" : "").toString();
	}

	private static String shortened(String name) {
		return (name.length() <= MAX_NAME) ? name : ForeignText.beginning(name, MAX_NAME) + "…";
	}

}
