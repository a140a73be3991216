package io.ojs.internal.rate;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Jobs that have the places of a limit, and jobs that wait for one.
 *
 * @param running jobs that run, or are let through and have not started; the one that
 * began first is the first
 * @param waiting jobs that wait, in the order in which they are let through
 */
public record LimitedJobs(List<LimitedJob> running, List<LimitedJob> waiting) {

	public LimitedJobs {
		running = List.copyOf(running);
		waiting = List.copyOf(waiting);
	}

	/**
	 * A job with a limit.
	 *
	 * @param tenant its tenant; {@code null} without one
	 * @param since when it began; if it has not, when it was enqueued
	 */
	public record LimitedJob(String id, String type, @Nullable String tenant, Instant since) {
	}

}
