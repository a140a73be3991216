package io.ojs.workflow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The types of workflows (OJS Workflows §1.1).
 */
public enum WorkflowType {

	/** Steps run one after another. */
	CHAIN,

	/** Jobs run at once. */
	GROUP,

	/** Jobs run at once, and callbacks when all of them have ended. */
	BATCH;

	/**
	 * Returns the type with a name in JSON.
	 * @param value {@code "chain"}, {@code "group"} or {@code "batch"}
	 * @return the type; empty if there is no such type
	 */
	public static Optional<WorkflowType> fromWire(String value) {
		return Arrays.stream(values()).filter((type) -> type.wireName().equals(value)).findFirst();
	}

	/**
	 * Returns the name of this type in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
