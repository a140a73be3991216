package io.ojs.internal.version;

import java.util.Set;

import io.ojs.job.internal.HandledJobs;

/**
 * A process that runs jobs, as it announces itself.
 *
 * @param queues the queues that it consumes or fetches from
 * @param handled the types for which it has handlers, with their versions
 */
public record HandlerProcess(Set<String> queues, HandledJobs handled) {

	public HandlerProcess {
		queues = Set.copyOf(queues);
	}

}
