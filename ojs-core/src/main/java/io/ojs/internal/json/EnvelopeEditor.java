package io.ojs.internal.json;

import java.util.Map;
import java.util.function.Consumer;

import io.ojs.job.UndecodableJobException;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Changes single fields of an encoded job. Unlike decoding and encoding, this keeps
 * everything else: unknown fields, the order of fields, the digits of numbers.
 */
public final class EnvelopeEditor {

	private final JsonObjects objects = new JsonObjects();

	/**
	 * Changes an envelope.
	 * @param body one JSON object in UTF-8
	 * @param change changes its fields; nested objects are maps, arrays are lists
	 * @return the changed object in UTF-8
	 * @throws UndecodableJobException if the body is not a JSON object
	 */
	public byte[] edit(byte[] body, Consumer<Map<String, @Nullable Object>> change) {
		Map<String, @Nullable Object> envelope = this.objects.read(body);
		change.accept(envelope);
		return this.objects.write(envelope);
	}

	/**
	 * Writes the settings of a retry policy as an envelope has them.
	 * @return the fields of the object {@code retry}
	 */
	public static Map<String, @Nullable Object> retry(RetryOverrides retry) {
		return EnvelopeWriter.retry(retry);
	}

}
