package io.ojs.json;

import java.util.Map;
import java.util.function.Consumer;

import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Changes single fields of a job that is JSON already. Unlike decoding and encoding it,
 * this keeps everything else: fields that nobody knows, their order, the digits of
 * numbers.
 */
public final class EnvelopeEditor {

	private final JsonMapper mapper = JsonMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	/**
	 * Changes an envelope.
	 * @param body one JSON object in UTF-8
	 * @param change changes its fields; nested objects are maps, arrays lists
	 * @return the bytes of the changed object
	 * @throws UndecodableJobException if the body is no JSON object
	 */
	@SuppressWarnings("unchecked")
	public byte[] edit(byte[] body, Consumer<Map<String, @Nullable Object>> change) {
		try {
			if (!(this.mapper.readValue(body, Object.class) instanceof Map<?, ?> envelope)) {
				throw new UndecodableJobException("The body is JSON, but not an object.");
			}
			change.accept((Map<String, @Nullable Object>) envelope);
			return this.mapper.writeValueAsBytes(envelope);
		}
		catch (JacksonException ex) {
			throw new UndecodableJobException("The body is not JSON: " + ex.getOriginalMessage(), ex);
		}
	}

	/**
	 * Writes a retry policy as it stands in an envelope.
	 * @param retry what is set of it
	 * @return the fields of the object {@code retry}
	 */
	public static Map<String, @Nullable Object> retry(RetryOverrides retry) {
		return EnvelopeWriter.retry(retry);
	}

}
