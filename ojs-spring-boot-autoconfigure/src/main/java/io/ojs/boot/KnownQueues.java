package io.ojs.boot;

import java.util.Set;
import java.util.TreeSet;

import io.ojs.handler.JobHandlers;

/**
 * The queues that an application knows before it uses them.
 */
final class KnownQueues {

	private KnownQueues() {
	}

	/**
	 * The queues with properties and the queues of handlers.
	 * @param properties all properties
	 * @param handlers all handlers
	 * @return OJS queues in alphabetical order
	 */
	static Set<String> of(OjsProperties properties, JobHandlers handlers) {
		Set<String> known = new TreeSet<>(properties.queues().keySet());
		known.addAll(handlers.byQueue().keySet());
		return known;
	}

}
