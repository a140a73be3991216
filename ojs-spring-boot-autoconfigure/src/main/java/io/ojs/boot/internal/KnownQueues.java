package io.ojs.boot.internal;

import java.util.Set;
import java.util.TreeSet;

import io.ojs.boot.OjsProperties;
import io.ojs.handler.internal.JobHandlers;

/**
 * The queues that an application knows before it uses them.
 */
public final class KnownQueues {

	private KnownQueues() {
	}

	/** The queues with properties and the queues of handlers. */
	public static Set<String> of(OjsProperties properties, JobHandlers handlers) {
		Set<String> known = new TreeSet<>(properties.queues().keySet());
		known.addAll(handlers.byQueue().keySet());
		return known;
	}

}
