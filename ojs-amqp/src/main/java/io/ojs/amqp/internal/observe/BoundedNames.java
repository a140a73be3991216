package io.ojs.amqp.internal.observe;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that may be tag values: those known beforehand, and the first others up to a
 * limit. Producers may use any number of names, and each would become a time series that
 * never ends.
 */
final class BoundedNames {

	/** Stands for all names beyond the limit. */
	static final String OTHER = "other";

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private final int limit;

	BoundedNames(Collection<String> known, int limit) {
		this.names.addAll(known);
		this.limit = limit;
	}

	/**
	 * The tag value for a name, which is admitted if the limit allows.
	 * @return the name, or {@link #OTHER} beyond the limit
	 */
	String admit(String name) {
		// Two threads at the same moment may exceed the limit by one.
		if (this.names.contains(name) || (this.names.size() < this.limit && this.names.add(name))) {
			return name;
		}
		return OTHER;
	}

	/**
	 * The tag value for a name, which is not admitted.
	 * @return the name, or {@link #OTHER} if it was not admitted before
	 */
	String known(String name) {
		return this.names.contains(name) ? name : OTHER;
	}

}
