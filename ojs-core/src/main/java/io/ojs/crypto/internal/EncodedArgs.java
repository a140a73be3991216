package io.ojs.crypto.internal;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.crypto.UndecryptableException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Encoded arguments as they are in a job (OJS Encryption §5.2).
 *
 * @param only the only argument of the job
 * @param meta the {@code meta} of the job
 */
record EncodedArgs(Map<?, ?> only, Map<String, @Nullable Object> meta) {

	private static final String MARKER = "ojs_encoded";

	private static final String ENCODING = "encoding";

	private static final String DATA = "data";

	static final List<String> FIELDS = List.of(MARKER, ENCODING, DATA);

	static EncodedArgs of(List<? extends @Nullable Object> args, Map<String, @Nullable Object> meta) {
		return new EncodedArgs((Map<?, ?>) Objects.requireNonNull(args.get(0)), meta);
	}

	static boolean are(List<? extends @Nullable Object> args) {
		return args.size() == 1 && args.get(0) instanceof Map<?, ?> only && Boolean.TRUE.equals(only.get(MARKER));
	}

	static JobEncryption.Sealed of(Payload payload) {
		Map<String, @Nullable Object> only = new LinkedHashMap<>();
		only.put(MARKER, true);
		only.put(ENCODING, AesGcm.ENCODING);
		only.put(DATA, Base64.getEncoder().encodeToString(payload.data()));
		Map<String, @Nullable Object> meta = new LinkedHashMap<>();
		meta.put(JobEncryption.ENCODINGS, payload.encodings());
		meta.put(JobEncryption.KEY_ID, payload.keyId());
		if (!payload.boundTo().isEmpty()) {
			meta.put(JobEncryption.BOUND_TO, payload.boundTo().keySet().stream().sorted().toList());
		}
		return new JobEncryption.Sealed(List.of(only), meta);
	}

	/**
	 * The list in {@code meta} is complete; some producers write only the field in the
	 * argument.
	 */
	List<String> encodings() {
		List<String> encodings = names(JobEncryption.ENCODINGS);
		return encodings.isEmpty() ? List.of(String.valueOf(this.only.get(ENCODING))) : encodings;
	}

	boolean isEncrypted() {
		return encodings().contains(AesGcm.ENCODING);
	}

	/**
	 * The names of the fields to which the ciphertext is bound, as {@code meta} lists
	 * them.
	 */
	List<String> boundTo() {
		return names(JobEncryption.BOUND_TO);
	}

	private List<String> names(String key) {
		List<String> names = new ArrayList<>();
		if (this.meta.get(key) instanceof List<?> values) {
			values.forEach((value) -> names.add(String.valueOf(value)));
		}
		return names;
	}

	private @Nullable String keyId() {
		return (this.meta.get(JobEncryption.KEY_ID) instanceof String id) ? id : null;
	}

	/** The id of the key for errors. */
	String shownKey() {
		String id = keyId();
		return (id != null) ? id : PayloadCodecs.NO_KEY;
	}

	/** Whether the argument is ciphertext and nothing else. */
	boolean isSealed() {
		return this.only.get(DATA) instanceof String && keyId() != null && FIELDS.containsAll(this.only.keySet())
				&& isEncrypted();
	}

	/**
	 * Reads the payload to decode.
	 * @param fields the fields to which it may be bound, with the values that this job
	 * has
	 * @throws UndecryptableException if the data is not Base64, or is bound to another
	 * field
	 */
	Payload payload(Map<String, String> fields) {
		Map<String, String> bound = new LinkedHashMap<>();
		for (String field : boundTo()) {
			String value = fields.get(field);
			if (value == null) {
				throw new UndecryptableException(shownKey(),
						"it is bound to '%s' (meta.%s), which is none of %s".formatted(ForeignText.escape(field),
								JobEncryption.BOUND_TO, fields.keySet().stream().sorted().toList()));
			}
			bound.put(field, value);
		}
		try {
			return new Payload(Base64.getDecoder().decode(String.valueOf(this.only.get(DATA))), encodings(), keyId(),
					bound);
		}
		catch (IllegalArgumentException ex) {
			throw new UndecryptableException(shownKey(), "'args[0].data' is no Base64");
		}
	}

}
