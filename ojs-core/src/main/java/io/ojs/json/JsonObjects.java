package io.ojs.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON objects on the wire. Reads only what is beyond doubt: UTF-8, one object, nothing
 * behind it, no name twice.
 */
public final class JsonObjects {

	/** Number of characters that a name may have. */
	public static final int MAX_NAME_LENGTH = 1024;

	/** Number of characters that a number may have. */
	public static final int MAX_NUMBER_LENGTH = 1000;

	/** Number of arrays and objects that may be within each other. */
	public static final int MAX_DEPTH = 500;

	/**
	 * Of its own, whatever the application makes of its mappers: this is a wire format.
	 * Immutable, and shared because it takes far longer to make than to use.
	 */
	private static final JsonMapper MAPPER = JsonMapper
		.builder(JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder()
				.maxNestingDepth(MAX_DEPTH)
				.maxNameLength(MAX_NAME_LENGTH)
				.maxNumberLength(MAX_NUMBER_LENGTH)
				.build())
			.build())
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	/**
	 * Writes an object.
	 * @param object values that are JSON's own
	 * @return UTF-8
	 */
	public byte[] write(Map<String, ? extends @Nullable Object> object) {
		return MAPPER.writeValueAsBytes(object);
	}

	/**
	 * Writes an array.
	 * @param array values that are JSON's own
	 * @return UTF-8
	 */
	public byte[] writeArray(List<? extends @Nullable Object> array) {
		return MAPPER.writeValueAsBytes(array);
	}

	/**
	 * Reads an array.
	 * @param body bytes from anywhere
	 * @return values that are JSON's own
	 * @throws UndecodableJobException if it is none
	 */
	public List<@Nullable Object> readArray(byte[] body) {
		if (value(body) instanceof List<?> array) {
			return new ArrayList<@Nullable Object>(array);
		}
		throw new UndecodableJobException("The body is JSON, but not an array.");
	}

	/**
	 * Reads an object.
	 * @param body bytes from anywhere
	 * @return values that are JSON's own
	 * @throws UndecodableJobException if it is none
	 */
	@SuppressWarnings("unchecked")
	public Map<String, @Nullable Object> read(byte[] body) {
		Object value = value(body);
		if (!(value instanceof Map)) {
			throw new UndecodableJobException("The body is JSON, but not an object.");
		}
		return (Map<String, @Nullable Object>) value;
	}

	private static @Nullable Object value(byte[] body) {
		try {
			return MAPPER.readValue(text(body), Object.class);
		}
		catch (JacksonException ex) {
			throw new UndecodableJobException("The body is not JSON: " + ex.getOriginalMessage(), ex);
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

}
