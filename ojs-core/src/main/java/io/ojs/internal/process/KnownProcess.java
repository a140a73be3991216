package io.ojs.internal.process;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * A process that works jobs, as it was last seen.
 *
 * @param id its unique name
 * @param lastSeen when it was last seen
 * @param queues the queues that it works, each with the largest number of its consumers
 * @param handled the jobs that it can run
 * @param process the process itself; {@code null} if its version of this library does not
 * say
 * @param running the number of jobs that it runs; {@code null} as above
 */
public record KnownProcess(String id, Instant lastSeen, Map<String, Integer> queues, HandledJobs handled,
		@Nullable ThisProcess process, @Nullable Integer running) {

	public KnownProcess {
		queues = new TreeMap<>(queues);
	}

}
