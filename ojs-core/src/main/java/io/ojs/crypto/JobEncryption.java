package io.ojs.crypto;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.json.JsonObjects;
import io.ojs.json.UndecodableJobException;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts arguments (OJS Encryption §5.2). Safe for use by many threads.
 */
public final class JobEncryption {

	/** Stands where arguments are not to be shown. */
	public static final String PLACEHOLDER = "[encrypted]";

	/** Extension of an encrypted job: the key by which unique ones are told apart. */
	public static final String UNIQUE_KEY = "unique_key";

	/** Key of {@code meta}: what was done to the arguments, first to last. */
	public static final String ENCODINGS = "ojs.codec.encodings";

	/** Key of {@code meta}: the key that they were encrypted with. */
	public static final String KEY_ID = "ojs.codec.key_id";

	/** Nothing is encrypted, and nothing can be decrypted. */
	public static final JobEncryption OFF = new JobEncryption();

	private static final Pattern ARGS = Pattern.compile("^(.*\\.)?args(\\[\\d+\\])?");

	private static final String MARKER = "ojs_encoded";

	private static final String ENCODING = "encoding";

	private static final String DATA = "data";

	private static final List<String> FIELDS = List.of(MARKER, ENCODING, DATA);

	private final @Nullable PayloadCodecs codecs;

	private final EncryptedJobs encrypted;

	private final JsonObjects json = new JsonObjects();

	/**
	 * Creates it.
	 * @param keys where keys come from
	 * @param encrypted which jobs are encrypted
	 * @param codecs applied before encryption, and undone after decryption
	 * @throws IllegalArgumentException if two of them have the same encoding
	 */
	public JobEncryption(EncryptionKeys keys, EncryptedJobs encrypted, List<PayloadCodec> codecs) {
		this.codecs = new PayloadCodecs(keys, codecs);
		this.encrypted = encrypted;
	}

	private JobEncryption() {
		this.codecs = null;
		this.encrypted = new EncryptedJobs(List.of(), List.of());
	}

	/**
	 * Whether jobs are encrypted that an application enqueues.
	 * @param type their type
	 * @param queue their queue
	 * @return whether they are
	 */
	public boolean encrypts(String type, String queue) {
		return this.codecs != null && this.encrypted.include(type, queue);
	}

	/**
	 * Whether there are keys, whichever jobs are encrypted with them.
	 * @return whether anything can be encrypted
	 */
	public boolean hasKeys() {
		return this.codecs != null;
	}

	/**
	 * Whether arguments are encoded, here or elsewhere.
	 * @param args the arguments of a job
	 * @return whether they are
	 */
	public static boolean isEncoded(List<? extends @Nullable Object> args) {
		return args.size() == 1 && args.get(0) instanceof Map<?, ?> only && Boolean.TRUE.equals(only.get(MARKER));
	}

	/**
	 * Encrypts the arguments of a job, if they are to be and are not yet.
	 * @param job the job
	 * @return the job as it may be seen by everybody
	 * @throws InvalidJobException if it says that it is encrypted, and is not
	 */
	public Job encrypt(Job job) {
		if (!encrypts(job.type(), job.queue())) {
			return job;
		}
		if (isEncoded(job.args())) {
			checkSealed(job.args(), job.meta());
			return job;
		}
		Sealed sealed = seal(job.args());
		Map<String, @Nullable Object> meta = new LinkedHashMap<>(job.meta());
		meta.putAll(sealed.meta());
		return job.toBuilder().args(sealed.args()).meta(meta).build();
	}

	/**
	 * Encrypts the arguments of a request that is kept, if they are to be and are not
	 * yet.
	 * @param request the request, with arguments that are JSON's own
	 * @param queue its queue
	 * @return the request as it may be seen by everybody
	 * @throws InvalidJobException if it says that it is encrypted, and is not
	 */
	public JobRequest encrypt(JobRequest request, String queue) {
		if (!encrypts(request.type(), queue)) {
			return request;
		}
		if (isEncoded(request.args())) {
			checkSealed(request.args(), request.meta());
			return request;
		}
		Sealed sealed = seal(request.args());
		return with(request, sealed.args(), sealed.meta());
	}

	/** Whoever only says so would have readable arguments go where none are to be. */
	private static void checkSealed(List<? extends @Nullable Object> args, Map<String, @Nullable Object> meta) {
		Map<?, ?> only = (Map<?, ?>) Objects.requireNonNull(args.get(0));
		boolean sealed = only.get(DATA) instanceof String && meta.get(KEY_ID) instanceof String
				&& FIELDS.containsAll(only.keySet()) && encodings(meta, only).contains(AesGcm.ENCODING);
		if (!sealed) {
			throw new InvalidJobException("args[0]", PLACEHOLDER,
					"must be plain, to be encrypted here, or encrypted: '%s' alone, with '%s' among 'meta.%s' and the key in 'meta.%s'"
						.formatted(String.join("', '", FIELDS), AesGcm.ENCODING, ENCODINGS, KEY_ID));
		}
	}

	/**
	 * Encrypts arguments, whichever job they are of.
	 * @param args the arguments
	 * @return what stands for them, and what {@code meta} has to say of it
	 * @throws UnencodableException if a codec fails with them
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public Sealed seal(List<? extends @Nullable Object> args) {
		Payload payload = codecs().encode(this.json.writeArray(args));
		Map<String, @Nullable Object> only = new LinkedHashMap<>();
		only.put(MARKER, true);
		only.put(ENCODING, AesGcm.ENCODING);
		only.put(DATA, Base64.getEncoder().encodeToString(payload.data()));
		Map<String, @Nullable Object> meta = new LinkedHashMap<>();
		meta.put(ENCODINGS, payload.encodings());
		meta.put(KEY_ID, payload.keyId());
		return new Sealed(List.of(only), meta);
	}

	/**
	 * Encrypts bytes, for tools without keys.
	 * @param plain the bytes
	 * @return what everybody may see
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public Payload encode(byte[] plain) {
		return codecs().encode(plain);
	}

	/**
	 * Decrypts bytes, for tools without keys.
	 * @param payload what everybody may see
	 * @return the bytes as they were
	 * @throws UnknownKeyException if the key is not known here
	 * @throws UndecryptableException if the key does not open it
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public byte[] decode(Payload payload) {
		return codecs().decode(payload);
	}

	/**
	 * Decrypts the arguments of a job, if they are encoded.
	 * @param job the job
	 * @return the job as its handler is to see it
	 * @throws UnknownKeyException if the key is not known here, or nothing can be
	 * decrypted here
	 * @throws UndecryptableException if the key does not open it
	 */
	public Job decrypt(Job job) {
		return isEncoded(job.args()) ? job.toBuilder().args(open(job.args(), job.meta())).build() : job;
	}

	/**
	 * Decrypts the arguments of a request that was kept.
	 * @param request the request
	 * @return the request as it was before it was encrypted
	 * @throws UnknownKeyException if the key is not known here
	 * @throws UndecryptableException if the key does not open it
	 */
	public JobRequest decrypt(JobRequest request) {
		if (!isEncoded(request.args())) {
			return request;
		}
		JobRequest opened = with(request, open(request.args(), request.meta()), Map.of());
		Map<String, @Nullable Object> meta = new LinkedHashMap<>(opened.meta());
		meta.remove(ENCODINGS);
		meta.remove(KEY_ID);
		return new JobRequest(opened.type(), opened.args(), opened.id(), opened.queue(), meta, opened.priority(),
				opened.timeout(), opened.scheduledAt(), opened.expiresAt(), opened.retry(), opened.unique(),
				opened.extensions());
	}

	private static JobRequest with(JobRequest request, List<@Nullable Object> args,
			Map<String, @Nullable Object> more) {
		Map<String, @Nullable Object> meta = new LinkedHashMap<>(request.meta());
		meta.putAll(more);
		return new JobRequest(request.type(), args, request.id(), request.queue(), meta, request.priority(),
				request.timeout(), request.scheduledAt(), request.expiresAt(), request.retry(), request.unique(),
				request.extensions());
	}

	private List<@Nullable Object> open(List<? extends @Nullable Object> args, Map<String, @Nullable Object> meta) {
		Map<?, ?> only = (Map<?, ?>) Objects.requireNonNull(args.get(0));
		String keyId = (meta.get(KEY_ID) instanceof String id) ? id : null;
		String shown = (keyId != null) ? keyId : "?";
		if (this.codecs == null) {
			throw new UnknownKeyException(shown);
		}
		byte[] data;
		try {
			data = Base64.getDecoder().decode(String.valueOf(only.get(DATA)));
		}
		catch (IllegalArgumentException ex) {
			throw new UndecryptableException(shown, "'args[0].data' is no Base64");
		}
		byte[] plain = this.codecs.decode(new Payload(data, encodings(meta, only), keyId));
		try {
			return this.json.readArray(plain);
		}
		catch (UndecodableJobException ex) {
			// Without its text, which shows what was decrypted.
			throw new UndecryptableException(shown, "what comes out of it is no JSON array");
		}
	}

	/** Those in {@code meta} say more; some producers write only the other. */
	private static List<String> encodings(Map<String, @Nullable Object> meta, Map<?, ?> only) {
		List<String> encodings = new ArrayList<>();
		if (meta.get(ENCODINGS) instanceof List<?> names) {
			names.forEach((name) -> encodings.add(String.valueOf(name)));
		}
		return encodings.isEmpty() ? List.of(String.valueOf(only.get(ENCODING))) : encodings;
	}

	/**
	 * The same without what it shows of arguments.
	 * @param failure what is wrong with a job
	 * @return an exception that shows {@value #PLACEHOLDER} instead of an argument
	 */
	public static InvalidJobException hidden(InvalidJobException failure) {
		Matcher args = ARGS.matcher(failure.field());
		if (!args.find()) {
			return failure;
		}
		// Keys of objects, reasons and causes show something of them, too.
		return new InvalidJobException(args.group(), PLACEHOLDER, failure.problem().split(" \\(", 2)[0]);
	}

	private PayloadCodecs codecs() {
		if (this.codecs == null) {
			throw new InvalidEncryptionKeyException("?",
					"there are none in this application: set ojs.encryption.keys or ojs.encryption.key-file");
		}
		return this.codecs;
	}

	/**
	 * Encrypted arguments.
	 *
	 * @param args what stands for them
	 * @param meta what {@code meta} has to say
	 */
	public record Sealed(List<@Nullable Object> args, Map<String, @Nullable Object> meta) {
	}

}
