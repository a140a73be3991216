package io.ojs.workflow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The three ways in which jobs belong together (OJS Workflows §1.1).
 */
public enum WorkflowType {

	/** One after another. */
	CHAIN,

	/** All at once. */
	GROUP,

	/** All at once, and callbacks when all have ended. */
	BATCH;

	/**
	 * The type with this name on the wire.
	 * @param value {@code "chain"}, {@code "group"} or {@code "batch"}
	 * @return the type; empty if there is no such type
	 */
	public static Optional<WorkflowType> fromWire(String value) {
		return Arrays.stream(values()).filter((type) -> type.wireName().equals(value)).findFirst();
	}

	/**
	 * The name of this type in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
