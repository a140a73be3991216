package io.ojs.version;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import io.ojs.job.HandledJobs;

/**
 * Knows which processes work which versions of jobs, so that jobs whose message came to
 * one that cannot run them reach one that can.
 */
public interface HandlerStore {

	/** How often a process says that it is there. */
	Duration INTERVAL = Duration.ofSeconds(10);

	/** How long a process counts as being there that does not say so again. */
	Duration TRUSTED = Duration.ofSeconds(30);

	/**
	 * A process says what it works, and that it is there.
	 * @param process what it calls itself, at most 128 characters
	 * @param queues the OJS queues that it consumes, and how many consumers it has for
	 * each at most
	 * @param handled the jobs that it can run
	 * @param now the present
	 */
	void announce(String process, Map<String, Integer> queues, HandledJobs handled, Instant now);

	/**
	 * A process works nothing any longer.
	 * @param process what it calls itself
	 */
	void withdraw(String process);

	/**
	 * Counts the consumers of a queue that are this library's, those of all processes on
	 * this store. A process counts until nobody has heard of it for some minutes: the
	 * broker may take as long to notice that it is gone.
	 * @param queue the OJS queue
	 * @return how many at most
	 */
	int consumers(String queue);

	/**
	 * Has jobs published soon that wait for somebody who can run them, because somebody
	 * can: those that would not be published within {@link #TRUSTED}.
	 * @param queues the OJS queues that somebody consumes
	 * @param handled the jobs that they can run
	 * @param now the present
	 * @return how many
	 */
	int release(Set<String> queues, HandledJobs handled, Instant now);

}
