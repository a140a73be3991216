package io.ojs.client.internal;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job that is encoded and ready to be sent.
 *
 * @param job the job
 * @param body the encoded envelope
 * @param maxAttempts how often the job may be executed in all, at least 1
 * @param uniqueKey the key that unique jobs like this one share, 64 hexadecimal digits;
 * {@code null} if the job is not unique. It is made of the arguments, so do not log it
 */
public record EncodedJob(Job job, byte[] body, int maxAttempts, @Nullable String uniqueKey) {

	/**
	 * Creates an encoded job that is not unique.
	 * @param maxAttempts how often the job may be executed in all, at least 1
	 */
	public EncodedJob(Job job, byte[] body, int maxAttempts) {
		this(job, body, maxAttempts, null);
	}

}
