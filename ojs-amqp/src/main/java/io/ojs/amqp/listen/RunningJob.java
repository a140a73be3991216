package io.ojs.amqp.listen;

import java.time.Instant;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that is under way, for those who ask about it.
 */
public interface RunningJob {

	/**
	 * The job.
	 * @return the job as it was enqueued
	 */
	Job job();

	/**
	 * The attempt.
	 * @return 1 for the first
	 */
	int attempt();

	/**
	 * Since when it is under way.
	 * @return when its handler was called
	 */
	Instant startedAt();

	/**
	 * When it last said that it is alive.
	 * @return {@code null} if it never did
	 */
	@Nullable Instant lastHeartbeat();

}
