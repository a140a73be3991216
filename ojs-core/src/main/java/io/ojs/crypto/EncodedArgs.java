package io.ojs.crypto;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.job.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * What stands for encoded arguments (OJS Encryption §5.2).
 *
 * @param only the only argument that there is
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

	/** Those in {@code meta} say more; some producers write only the other. */
	List<String> encodings() {
		List<String> encodings = names(JobEncryption.ENCODINGS);
		return encodings.isEmpty() ? List.of(String.valueOf(this.only.get(ENCODING))) : encodings;
	}

	boolean isEncrypted() {
		return encodings().contains(AesGcm.ENCODING);
	}

	/** Names of the fields that the ciphertext is bound to, as they are told. */
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

	/** The key as an error names it. */
	String shownKey() {
		String id = keyId();
		return (id != null) ? id : PayloadCodecs.NO_KEY;
	}

	/** Whether it is ciphertext and nothing else. */
	boolean isSealed() {
		return this.only.get(DATA) instanceof String && keyId() != null && FIELDS.containsAll(this.only.keySet())
				&& isEncrypted();
	}

	/**
	 * What is to be decoded.
	 * @param fields what it may be bound to, with the values that it takes
	 * @throws UndecryptableException if it is no Base64, or bound to something else
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
