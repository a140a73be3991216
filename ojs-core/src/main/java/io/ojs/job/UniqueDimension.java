package io.ojs.job;

import java.util.Locale;

/**
 * What jobs are compared by (OJS Unique Jobs §3).
 */
public enum UniqueDimension {

	/** The type of the job. Always compared. */
	TYPE,

	/** The queue that the job waits in. */
	QUEUE,

	/** The arguments, all of them or those that {@link UniquePolicy#argsKeys} names. */
	ARGS,

	/** What {@link UniquePolicy#metaKeys} names of {@code meta}. */
	META,

	/** The version of the arguments; jobs without one are alike in it. */
	VERSION;

	/**
	 * The value with this name on the wire.
	 * @param value {@code type}, {@code queue}, {@code args}, {@code meta} or
	 * {@code version}
	 * @return the value
	 * @throws InvalidJobException if there is no such value
	 */
	public static UniqueDimension fromWire(String value) {
		for (UniqueDimension candidate : values()) {
			if (candidate.wireName().equals(value)) {
				return candidate;
			}
		}
		throw new InvalidJobException("unique.keys", value, "must be of type, queue, args, meta and version");
	}

	/**
	 * The name of this value in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
