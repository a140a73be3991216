package io.ojs.amqp.internal.run;

import java.time.Instant;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that is running, as others see it.
 */
public interface RunningJob {

	/** The job. */
	Job job();

	/**
	 * The number of the attempt.
	 * @return the number, from 1
	 */
	int attempt();

	/** When the attempt began. */
	Instant startedAt();

	/**
	 * When the attempt last sent a heartbeat.
	 * @return the time; {@code null} if it never did
	 */
	@Nullable Instant lastHeartbeat();

}
