package io.ojs.internal.version;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.job.internal.HandledJobs;

/**
 * Knows which processes can run which versions of jobs, so that a job whose message came
 * to a process that cannot run it reaches another one.
 */
public interface HandlerStore {

	/** How often a process announces itself. */
	Duration INTERVAL = Duration.ofSeconds(10);

	/** How long an announcement is trusted. */
	Duration TRUSTED = Duration.ofSeconds(30);

	/**
	 * Records which jobs a process can run.
	 * @param process its name, at most 128 characters
	 * @param queues the OJS queues that it consumes, each with the largest number of its
	 * consumers
	 */
	void announce(String process, Map<String, Integer> queues, HandledJobs handled, Instant now);

	/** Lists the processes whose announcements are trusted. */
	List<HandlerProcess> trusted(Instant now);

	/** Removes the announcement of a process. */
	void withdraw(String process);

	/**
	 * Counts the consumers of a queue that all processes with this store have. A process
	 * counts until its announcement is some minutes old: the broker may take as long to
	 * notice that it is gone.
	 */
	int consumers(String queue);

	/**
	 * Publishes jobs soon that waited for a worker of their version, because there is one
	 * now. Jobs that are published within {@link #TRUSTED} anyway are left alone.
	 * @param queues the OJS queues that the worker consumes
	 */
	int release(Set<String> queues, HandledJobs handled, Instant now);

}
