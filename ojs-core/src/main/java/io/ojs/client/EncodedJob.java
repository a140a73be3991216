package io.ojs.client;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job that is ready to be sent.
 *
 * @param job the job
 * @param body its bytes
 * @param maxAttempts how often it may be executed in all, at least 1
 * @param uniqueKey tells whether another job is like it: 64 hexadecimal digits;
 * {@code null} if it may meet any other. Made of its arguments, so not to be logged
 */
public record EncodedJob(Job job, byte[] body, int maxAttempts, @Nullable String uniqueKey) {

	/**
	 * A job that may meet any other.
	 * @param job the job
	 * @param body its bytes
	 * @param maxAttempts how often it may be executed in all, at least 1
	 */
	public EncodedJob(Job job, byte[] body, int maxAttempts) {
		this(job, body, maxAttempts, null);
	}

}
