package io.ojs.handler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The handlers of an application, one for each type.
 */
public final class JobHandlers {

	private final Map<String, JobHandlerDefinition> byType = new LinkedHashMap<>();

	private final SortedMap<String, List<JobHandlerDefinition>> byQueue = new TreeMap<>();

	/**
	 * Collects handlers.
	 * @param definitions all of them
	 * @throws InvalidJobHandlerException if two are for one type
	 */
	public JobHandlers(Collection<JobHandlerDefinition> definitions) {
		for (JobHandlerDefinition definition : definitions) {
			JobHandlerDefinition other = this.byType.putIfAbsent(definition.type(), definition);
			if (other != null) {
				throw new InvalidJobHandlerException(definition.origin(),
						"%s already handles jobs of type '%s'.".formatted(other.origin(), definition.type()),
						"Give one of the two another type, or remove it.", null);
			}
			this.byQueue.computeIfAbsent(definition.queue(), (queue) -> new ArrayList<>()).add(definition);
		}
		this.byQueue.replaceAll((queue, ofQueue) -> List.copyOf(ofQueue));
	}

	/**
	 * The handler for a type.
	 * @param type the type
	 * @return its handler, if this application has one
	 */
	public Optional<JobHandlerDefinition> find(String type) {
		return Optional.ofNullable(this.byType.get(type));
	}

	/**
	 * The handlers by the queue that they work.
	 * @return queues in alphabetical order
	 */
	public Map<String, List<JobHandlerDefinition>> byQueue() {
		return Collections.unmodifiableMap(this.byQueue);
	}

}
