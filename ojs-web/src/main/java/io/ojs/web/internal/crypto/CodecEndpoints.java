package io.ojs.web.internal.crypto;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

import io.ojs.OjsException;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.crypto.internal.Payload;
import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.web.Access;
import io.ojs.web.CodecAccess;
import io.ojs.web.CodecAudit;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes arguments for tools without keys (OJS Encryption §9). A caller sees
 * all arguments, so no other right includes {@link Access#CODEC}, and each request is
 * recorded.
 */
public final class CodecEndpoints implements Endpoints {

	/** How many payloads a request may have. */
	private static final int MAX_PAYLOADS = 100;

	private static final int MAX_REASON = 500;

	private static final String PAYLOADS = "payloads";

	private static final String DATA = "data";

	private static final String METADATA = "metadata";

	/**
	 * How many bytes all answers may have together: a few bytes may be decompressed to
	 * many.
	 */
	private static final long MAX_BYTES = 16 * 1024 * 1024;

	private static final String ENCODING = "encoding";

	private static final String ENCODINGS = "encodings";

	private static final String KEY_ID = "encryption_key_id";

	private static final String BOUND_TO = "aad";

	private static final String DECODE = "decode";

	private static final String PLAIN = "json/plain";

	private final JobEncryption encryption;

	private final CodecAudit audit;

	private final boolean reasonRequired;

	/**
	 * Creates the endpoints.
	 * @param reasonRequired whether callers have to say why they decode
	 */
	public CodecEndpoints(JobEncryption encryption, CodecAudit audit, boolean reasonRequired) {
		this.encryption = encryption;
		this.audit = audit;
		this.reasonRequired = reasonRequired;
	}

	@Override
	public void addTo(Routes routes) {
		routes.post("/v1/codec/encode", Access.CODEC, (call) -> answer(call, "encode", this::encode));
		routes.post("/v1/codec/decode", Access.CODEC, (call) -> answer(call, DECODE, this::decode));
	}

	private HttpResult answer(HttpCall call, String operation, UnaryOperator<Payload> work) {
		JsonFields fields = call.fields();
		List<Payload> asked = read(fields);
		String jobId = jobId(fields);
		String reason = reason(fields, operation);
		TreeSet<String> keys = new TreeSet<>();
		List<Payload> answers = new ArrayList<>(asked.size());
		long left = MAX_BYTES;
		try {
			for (Payload payload : asked) {
				if (operation.equals(DECODE)) {
					note(payload, keys);
				}
				Payload answer = work(work, payload, answers.size());
				left -= answer.data().length;
				if (left < 0) {
					throw HttpFailure.tooLarge(MAX_BYTES);
				}
				note(answer, keys);
				answers.add(answer);
			}
		}
		catch (RuntimeException ex) {
			this.audit.accessed(new CodecAccess(operation, null, jobId, reason, asked.size(), keys, false,
					call.requestId(), call.now()));
			throw ex;
		}
		this.audit.accessed(new CodecAccess(operation, null, jobId, reason, asked.size(), keys, true, call.requestId(),
				call.now()));
		return HttpResult.ok(Map.of(PAYLOADS, answers.stream().map(CodecEndpoints::json).toList()));
	}

	private static @Nullable String jobId(JsonFields fields) {
		String id = fields.string("job_id");
		try {
			return (id != null) ? JobRules.id(id) : null;
		}
		catch (InvalidJobException ex) {
			throw fields.refuse("job_id", id, "must be the id of a job, a UUID");
		}
	}

	private @Nullable String reason(JsonFields fields, String operation) {
		String reason = fields.string("reason");
		if (reason != null && reason.length() > MAX_REASON) {
			throw fields.refuse("reason", reason.length() + " characters",
					"must have at most %d characters".formatted(MAX_REASON));
		}
		if (this.reasonRequired && operation.equals(DECODE) && (reason == null || reason.isBlank())) {
			throw fields.refuse("reason", reason, "is required: say why you look at the arguments");
		}
		return reason;
	}

	private static void note(Payload payload, TreeSet<String> keys) {
		if (payload.keyId() != null) {
			keys.add(payload.keyId());
		}
	}

	private static Payload work(UnaryOperator<Payload> work, Payload payload, int index) {
		try {
			return work.apply(payload);
		}
		catch (OjsException ex) {
			throw HttpFailure.invalid("%s[%d]".formatted(PAYLOADS, index), payload.encodings(),
					"must be a payload that this application can encode or decode (%s)".formatted(ex.getMessage()));
		}
	}

	private Payload encode(Payload payload) {
		return this.encryption.encode(payload.data(), payload.boundTo());
	}

	private Payload decode(Payload payload) {
		return new Payload(this.encryption.decode(payload), List.of(), null, Map.of());
	}

	private static List<Payload> read(JsonFields fields) {
		List<@Nullable Object> entries = fields.array(PAYLOADS);
		if (entries == null || entries.isEmpty() || entries.size() > MAX_PAYLOADS) {
			throw HttpFailure.invalid(PAYLOADS, (entries != null) ? entries.size() + " payloads" : null,
					"must be an array of 1 to %d payloads".formatted(MAX_PAYLOADS));
		}
		List<Payload> payloads = new ArrayList<>(entries.size());
		for (Object entry : entries) {
			payloads.add(payload("%s[%d]".formatted(PAYLOADS, payloads.size()), entry));
		}
		return payloads;
	}

	private static Payload payload(String at, @Nullable Object entry) {
		if (!(entry instanceof Map<?, ?> object)) {
			throw HttpFailure.invalid(at, null, "must be an object");
		}
		if (!(object.get(DATA) instanceof String data)) {
			throw HttpFailure.invalid(at + ".data", null, "must be a string in Base64");
		}
		if (!(object.get(METADATA) instanceof Map<?, ?> metadata)) {
			throw HttpFailure.invalid(at + ".metadata", null, "must be an object");
		}
		Object keyId = metadata.get(KEY_ID);
		if (keyId != null && (!(keyId instanceof String id) || id.length() > EncryptionKey.MAX_ID)) {
			throw HttpFailure.invalid(at + ".metadata." + KEY_ID, keyId,
					"must be a string of at most %d characters".formatted(EncryptionKey.MAX_ID));
		}
		try {
			return new Payload(Base64.getDecoder().decode(data), encodings(at, metadata), (String) keyId,
					boundTo(at, metadata));
		}
		catch (IllegalArgumentException ex) {
			// The value must not appear in the answer.
			throw HttpFailure.invalid(at + ".data", null, "must be a string in Base64");
		}
	}

	/**
	 * Reads the fields of the job, with their values, that the ciphertext is bound to.
	 */
	private static Map<String, String> boundTo(String at, Map<?, ?> metadata) {
		Object given = metadata.get(BOUND_TO);
		if (given == null) {
			return Map.of();
		}
		Map<String, String> boundTo = new LinkedHashMap<>();
		if (given instanceof Map<?, ?> fields) {
			fields.forEach((name, value) -> {
				if (value instanceof String text) {
					boundTo.put(String.valueOf(name), text);
				}
			});
		}
		if (!(given instanceof Map<?, ?> fields) || fields.size() != boundTo.size()) {
			throw HttpFailure.invalid(at + ".metadata." + BOUND_TO, null,
					"must be an object of strings: the fields that meta.%s names, with their values in the job"
						.formatted(JobEncryption.BOUND_TO));
		}
		return boundTo;
	}

	private static List<String> encodings(String at, Map<?, ?> metadata) {
		if (metadata.get(ENCODINGS) instanceof List<?> names) {
			return names.stream().map(String::valueOf).toList();
		}
		if (!(metadata.get(ENCODING) instanceof String encoding)) {
			throw HttpFailure.invalid(at + ".metadata.encoding", null, "must be a string such as binary/encrypted");
		}
		return encoding.equals(PLAIN) ? List.of() : List.of(encoding);
	}

	private static Map<String, Object> json(Payload payload) {
		Map<String, Object> metadata = new LinkedHashMap<>();
		List<String> encodings = payload.encodings();
		metadata.put(ENCODING, encodings.isEmpty() ? PLAIN : encodings.get(encodings.size() - 1));
		if (!encodings.isEmpty()) {
			metadata.put(ENCODINGS, encodings);
		}
		if (payload.keyId() != null) {
			metadata.put(KEY_ID, payload.keyId());
		}
		if (!payload.boundTo().isEmpty()) {
			metadata.put(BOUND_TO, payload.boundTo());
		}
		Map<String, Object> json = new LinkedHashMap<>();
		json.put(DATA, Base64.getEncoder().encodeToString(payload.data()));
		json.put(METADATA, metadata);
		return json;
	}

}
