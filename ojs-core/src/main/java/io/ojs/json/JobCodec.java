package io.ojs.json;

import io.ojs.job.Job;

/**
 * Turns jobs into bytes and back. {@link JsonJobCodec} is the one that OJS requires.
 */
public interface JobCodec {

	/**
	 * The media type of the bytes.
	 * @return such as {@code application/openjobspec+json}
	 */
	String contentType();

	/**
	 * Writes a job.
	 * @param job the job
	 * @return its bytes
	 */
	byte[] encode(Job job);

	/**
	 * Reads a job.
	 * @param body bytes from anywhere, possibly hostile
	 * @return the job
	 * @throws UndecodableJobException if they are no job
	 */
	Job decode(byte[] body);

}
