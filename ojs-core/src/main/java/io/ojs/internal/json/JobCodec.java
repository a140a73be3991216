package io.ojs.internal.json;

import io.ojs.job.Job;
import io.ojs.job.UndecodableJobException;

/**
 * Encodes and decodes jobs. OJS requires {@link JsonJobCodec}.
 */
public interface JobCodec {

	/**
	 * The media type of encoded jobs.
	 * @return such as {@code application/openjobspec+json}
	 */
	String contentType();

	/** Encodes a job. */
	byte[] encode(Job job);

	/**
	 * Decodes a job.
	 * @throws UndecodableJobException if the bytes are not a job
	 */
	Job decode(byte[] body);

}
