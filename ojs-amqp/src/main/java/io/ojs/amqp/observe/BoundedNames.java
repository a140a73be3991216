package io.ojs.amqp.observe;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that may be the value of a tag: those that are known beforehand, and of others so
 * many as came first. A producer may use any number of names, and each would be a time
 * series for ever.
 */
final class BoundedNames {

	/** What all names are called that are too many. */
	static final String OTHER = "other";

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private final int limit;

	BoundedNames(Collection<String> known, int limit) {
		this.names.addAll(known);
		this.limit = limit;
	}

	/**
	 * The value of the tag.
	 * @param name any name
	 * @return the name, or {@link #OTHER} if there are enough of them
	 */
	String admit(String name) {
		// Two threads at the same moment may let in one more.
		if (this.names.contains(name) || (this.names.size() < this.limit && this.names.add(name))) {
			return name;
		}
		return OTHER;
	}

	/**
	 * The value of the tag, if it is used already.
	 * @param name any name
	 * @return the name, or {@link #OTHER} if it was never admitted
	 */
	String known(String name) {
		return this.names.contains(name) ? name : OTHER;
	}

}
