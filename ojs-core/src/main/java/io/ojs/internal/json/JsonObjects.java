package io.ojs.internal.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.job.UndecodableJobException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes JSON for the wire. Reads only unambiguous bodies: UTF-8, a single
 * value, no name twice in an object.
 */
public final class JsonObjects {

	/** The most characters of a name. */
	public static final int MAX_NAME_LENGTH = 1024;

	/** The most characters of a number. */
	public static final int MAX_NUMBER_LENGTH = 1000;

	/** The deepest nesting of arrays and objects. */
	public static final int MAX_DEPTH = 500;

	/**
	 * Independent of the application's mappers, because this is a wire format. Immutable,
	 * and shared because its creation takes long.
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
	 * @return UTF-8
	 */
	public byte[] write(Map<String, ? extends @Nullable Object> object) {
		return MAPPER.writeValueAsBytes(object);
	}

	/**
	 * Writes an array.
	 * @return UTF-8
	 */
	public byte[] writeArray(List<? extends @Nullable Object> array) {
		return MAPPER.writeValueAsBytes(array);
	}

	/**
	 * Reads an array.
	 * @throws UndecodableJobException if the body is not a JSON array
	 */
	public List<@Nullable Object> readArray(byte[] body) {
		if (value(body) instanceof List<?> array) {
			return new ArrayList<@Nullable Object>(array);
		}
		throw new UndecodableJobException("The body is JSON, but not an array.");
	}

	/**
	 * Reads an object.
	 * @throws UndecodableJobException if the body is not a JSON object
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
			// Strictly: new String(…) would insert replacement characters.
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new UndecodableJobException("The body is not UTF-8 (%d bytes).".formatted(body.length), ex);
		}
	}

}
