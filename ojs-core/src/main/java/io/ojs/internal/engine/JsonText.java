package io.ojs.internal.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.json.EnvelopeWriter;
import io.ojs.internal.json.ErrorCauseJson;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the JSON columns of rows. Escapes characters that a database may
 * refuse, such as U+0000.
 */
public final class JsonText {

	private final JsonMapper mapper = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	/** Reads texts of any length, which this class has written. */
	private final JsonMapper texts = JsonMapper
		.builder(JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
			.build())
		.build();

	/**
	 * Writes a value.
	 * @return its text; unpaired surrogates, which UTF-8 cannot encode, are replaced
	 * @throws StoreException if JSON cannot represent the value
	 */
	public String write(@Nullable Object value) {
		try {
			String text = this.mapper.writeValueAsString(value);
			return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
		}
		catch (JacksonException ex) {
			throw unwritable(value, ex.getOriginalMessage(), ex);
		}
		catch (StackOverflowError | LinkageError ex) {
			// A getter may cause these, for example. The caller has to learn that its
			// value is bad.
			throw unwritable(value, ex.toString(), ex);
		}
	}

	private static StoreException unwritable(@Nullable Object value, @Nullable String reason, Throwable cause) {
		return new StoreException("Could not write a value of the type %s as JSON: %s"
			.formatted((value != null) ? value.getClass().getName() : null, reason), cause);
	}

	/**
	 * Writes a value, if there is one.
	 * @return its text; {@code null} without a value
	 * @throws StoreException if JSON cannot represent the value
	 */
	@Nullable String writeOrNull(@Nullable Object value) {
		return (value != null) ? write(value) : null;
	}

	/**
	 * Reads a value.
	 * @param text its text; {@code null} for no value
	 */
	public @Nullable Object read(@Nullable String text) {
		return (text != null) ? this.mapper.readValue(text, Object.class) : null;
	}

	/**
	 * Reads an object.
	 * @param text its text; {@code null} for no value
	 * @return the object; empty if the text is not an object
	 */
	@SuppressWarnings("unchecked")
	public Map<String, @Nullable Object> readObject(@Nullable String text) {
		return (read(text) instanceof Map<?, ?> map) ? (Map<String, @Nullable Object>) map : Map.of();
	}

	/** Reads an array of objects, which may contain texts of any length. */
	@SuppressWarnings("unchecked")
	public List<Map<String, @Nullable Object>> readObjects(String text) {
		return (this.texts.readValue(text, Object.class) instanceof List<?> list)
				? (List<Map<String, @Nullable Object>>) list : List.of();
	}

	/**
	 * Writes headers.
	 * @return their text; {@code null} without headers
	 */
	public @Nullable String writeHeaders(Map<String, String> headers) {
		return headers.isEmpty() ? null : write(headers);
	}

	/**
	 * Reads headers.
	 * @param text their text; {@code null} for none
	 */
	public Map<String, String> readHeaders(@Nullable String text) {
		Map<String, String> headers = new LinkedHashMap<>();
		readObject(text).forEach((name, value) -> headers.put(name, String.valueOf(value)));
		return headers;
	}

	/**
	 * Writes errors.
	 * @return their text; {@code null} without errors
	 */
	@Nullable String writeErrors(List<JobError> errors) {
		return errors.isEmpty() ? null : write(errors.stream().map(EnvelopeWriter::error).toList());
	}

	/**
	 * Reads errors.
	 * @param text their text; {@code null} for none
	 */
	public List<JobError> readErrors(@Nullable String text) {
		List<JobError> errors = new ArrayList<>();
		if (read(text) instanceof List<?> list) {
			for (Object error : list) {
				errors.add(error((Map<?, ?>) error));
			}
		}
		return errors;
	}

	@SuppressWarnings("unchecked")
	private static JobError error(Map<?, ?> error) {
		return new JobError((String) error.get("type"), (String) error.get("code"), (String) error.get("message"),
				((Number) error.get("attempt")).intValue(),
				Rfc3339.parse("occurred_at", (String) error.get("occurred_at")),
				(error.get("backtrace") instanceof List<?> frames) ? (List<String>) frames : List.of(),
				(error.get("details") instanceof Map<?, ?> details) ? (Map<String, @Nullable Object>) details
						: Map.of(),
				ErrorCauseJson.read(error.get("causes")));
	}

}
