package io.ojs.internal.inspect;

import java.time.Instant;

import io.ojs.internal.engine.JobRow;
import org.jspecify.annotations.Nullable;

/**
 * Knows the jobs that wait for limits.
 */
@FunctionalInterface
public interface LimitLines {

	/**
	 * Returns the limit that a job waits for.
	 * @param row the row of the job, with its envelope
	 * @return the limit; {@code null} if the job waits for none
	 */
	@Nullable LimitWait of(JobRow row, Instant now);

}
