package io.ojs.job;

import java.util.Locale;

/**
 * A part of a job by which unique jobs are compared (OJS Unique Jobs §3).
 */
public enum UniqueDimension {

	/** The type of the job. Always compared. */
	TYPE,

	/** The queue of the job. */
	QUEUE,

	/** The arguments: all of them, or the keys in {@link UniquePolicy#argsKeys}. */
	ARGS,

	/** The keys of {@code meta} that are in {@link UniquePolicy#metaKeys}. */
	META,

	/** The version of the arguments. Jobs without a version are equal in it. */
	VERSION;

	/**
	 * The value with this name in JSON.
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
