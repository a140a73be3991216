package io.ojs.internal.json;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.UndecodableJobException;

/**
 * Encodes jobs as JSON (OJS JSON Format).
 */
public final class JsonJobCodec implements JobCodec {

	/** The media type of a job in JSON. */
	public static final String CONTENT_TYPE = "application/openjobspec+json";

	private final JsonObjects objects = new JsonObjects();

	@Override
	public String contentType() {
		return CONTENT_TYPE;
	}

	@Override
	public byte[] encode(Job job) {
		return this.objects.write(EnvelopeWriter.write(job));
	}

	@Override
	public Job decode(byte[] body) {
		try {
			return EnvelopeReader.read(this.objects.read(body));
		}
		catch (InvalidJobException ex) {
			throw new UndecodableJobException(ex.getMessage(), ex);
		}
	}

}
