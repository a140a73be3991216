package io.ojs.json;

import java.util.Map;
import java.util.function.Consumer;

import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Changes single fields of a job that is JSON already. Unlike decoding and encoding it,
 * this keeps everything else: fields that nobody knows, their order, the digits of
 * numbers.
 */
public final class EnvelopeEditor {

	private final JsonObjects objects = new JsonObjects();

	/**
	 * Changes an envelope.
	 * @param body one JSON object in UTF-8
	 * @param change changes its fields; nested objects are maps, arrays lists
	 * @return the bytes of the changed object
	 * @throws UndecodableJobException if the body is no JSON object
	 */
	public byte[] edit(byte[] body, Consumer<Map<String, @Nullable Object>> change) {
		Map<String, @Nullable Object> envelope = this.objects.read(body);
		change.accept(envelope);
		return this.objects.write(envelope);
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
