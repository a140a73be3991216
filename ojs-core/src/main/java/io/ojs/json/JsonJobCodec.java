package io.ojs.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Jobs as JSON (OJS JSON Format). Reads only what is beyond doubt: UTF-8, one object,
 * nothing behind it, no name twice.
 */
public final class JsonJobCodec implements JobCodec {

	/** The media type of a job in JSON. */
	public static final String CONTENT_TYPE = "application/openjobspec+json";

	// Of its own, whatever the application makes of its mappers: this is a wire format.
	private final JsonMapper mapper = JsonMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	@Override
	public String contentType() {
		return CONTENT_TYPE;
	}

	@Override
	public byte[] encode(Job job) {
		return this.mapper.writeValueAsBytes(EnvelopeWriter.write(job));
	}

	@Override
	public Job decode(byte[] body) {
		try {
			return EnvelopeReader.read(object(text(body)));
		}
		catch (InvalidJobException ex) {
			throw new UndecodableJobException(ex.getMessage(), ex);
		}
	}

	private static String text(byte[] body) {
		try {
			// Strictly: new String(…) would put replacement characters and go on.
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new UndecodableJobException("The body is not UTF-8 (%d bytes).".formatted(body.length), ex);
		}
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> object(String text) {
		Object value;
		try {
			value = this.mapper.readValue(text, Object.class);
		}
		catch (JacksonException ex) {
			throw new UndecodableJobException("The body is not JSON: " + ex.getOriginalMessage(), ex);
		}
		if (!(value instanceof Map)) {
			throw new UndecodableJobException("The body is JSON, but not an object.");
		}
		return (Map<String, Object>) value;
	}

}
