package io.ojs.crypto.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.InvalidEncryptionKeyException;
import io.ojs.crypto.PayloadCodec;
import io.ojs.crypto.UndecryptableException;
import io.ojs.crypto.UnencodableException;
import io.ojs.crypto.UnknownKeyException;
import io.ojs.internal.json.JsonObjects;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.UniquePolicy;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts the arguments of jobs (OJS Encryption §5.2). Thread-safe.
 */
public final class JobEncryption {

	/** Text in place of arguments that must not be shown. */
	public static final String PLACEHOLDER = "[encrypted]";

	/** Extension of an encrypted job: its unique key, made of the plain arguments. */
	public static final String UNIQUE_KEY = "unique_key";

	/**
	 * Key of {@code meta}: the encodings of the arguments, in the order in which they
	 * were applied.
	 */
	public static final String ENCODINGS = "ojs.codec.encodings";

	/** Key of {@code meta}: the id of the key that encrypted the arguments. */
	public static final String KEY_ID = "ojs.codec.key_id";

	/** Key of {@code meta}: the fields of the job to which the ciphertext is bound. */
	public static final String BOUND_TO = "ojs.codec.aad";

	/** Encrypts nothing and cannot decrypt anything. */
	public static final JobEncryption OFF = new JobEncryption();

	private static final Pattern ARGS = Pattern.compile("^(.*\\.)?args(\\[\\d+\\])?");

	static final String ID = "id";

	static final String TENANT = Tenants.META_KEY;

	static final String TYPE = "type";

	/** The name of the cron that stores a request. */
	private static final String CRON = "cron";

	private static final String NO_TENANT = "";

	private final @Nullable PayloadCodecs codecs;

	private final EncryptedJobs encrypted;

	private final JsonObjects json = new JsonObjects();

	/**
	 * Creates the encryption.
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
	 * Whether this application encrypts jobs when it enqueues them.
	 * @return whether it does
	 */
	public boolean encrypts(String type, String queue) {
		return this.codecs != null && this.encrypted.include(type, queue);
	}

	/**
	 * Whether there are keys, whichever jobs they encrypt.
	 * @return whether anything can be encrypted
	 */
	public boolean hasKeys() {
		return this.codecs != null;
	}

	/**
	 * Whether arguments are encoded, by this application or another one.
	 * @return whether they are
	 */
	public static boolean isEncoded(List<? extends @Nullable Object> args) {
		return EncodedArgs.are(args);
	}

	/**
	 * Encrypts the arguments of a job if it is selected and they are not encoded yet.
	 * Encoded arguments stay unchanged.
	 * @return the job without plain arguments, if it is selected
	 * @throws InvalidJobException if the arguments are marked as encoded and are not
	 * encrypted
	 */
	public Job encrypt(Job job) {
		if (!encrypts(job.type(), job.queue())) {
			return job;
		}
		if (isEncoded(job.args())) {
			checkSealed(job.args(), job.meta());
			return job;
		}
		Sealed sealed = seal(job.args(), job);
		return job.toBuilder().args(sealed.args()).meta(sealed.in(job.meta())).build();
	}

	/**
	 * Encrypts the arguments of a request that becomes several jobs, if it is selected
	 * and they are not encoded yet. They are bound to its type alone.
	 * @param request the request, with JSON values as arguments
	 * @return the request without plain arguments, if it is selected
	 * @throws InvalidJobException if the arguments are marked as encoded and are not
	 * encrypted
	 */
	public JobRequest encrypt(JobRequest request, String queue) {
		if (!encrypts(request.type(), queue)) {
			return request;
		}
		if (isEncoded(request.args())) {
			checkSealed(request.args(), request.meta());
			return request;
		}
		return with(request, seal(request.args(), bound(request.type(), Map.of(TYPE, request.type()))));
	}

	/**
	 * Encrypts the arguments of a request that a cron stores, if it is selected and they
	 * are not encoded yet. They are bound to the cron. {@link #open(JobRequest, String)}
	 * decrypts nothing else.
	 * @param request the request, with JSON values as arguments
	 * @return the request without plain arguments, if it is selected
	 * @throws InvalidJobException if the arguments are marked as encoded and are not
	 * encrypted, or are bound to another cron, or to this one with another type or tenant
	 */
	public JobRequest keep(JobRequest request, String queue, String cron) {
		if (isEncoded(request.args())) {
			if (isKept(request)) {
				checkKept(request, cron);
			}
			else if (encrypts(request.type(), queue)) {
				checkSealed(request.args(), request.meta());
			}
			return request;
		}
		return encrypts(request.type(), queue) ? with(request, seal(request.args(), fields(request, cron))) : request;
	}

	private void checkKept(JobRequest request, String cron) {
		try {
			open(request, cron);
		}
		catch (UnknownKeyException | UndecryptableException ex) {
			throw new InvalidJobException("args[0]", PLACEHOLDER,
					"must be plain, or encrypted for a job: what a cron keeps is for that cron, its type and tenant",
					ex);
		}
	}

	/**
	 * Encrypts the arguments of a job, whether it is selected or not.
	 * @throws UnencodableException if a codec fails
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public Sealed seal(List<? extends @Nullable Object> args, Job job) {
		return seal(args, bound(job.type(), fields(job.id(), job.type(), job.meta(), job.unique())));
	}

	/**
	 * Encrypts the arguments of a request, whether it is selected or not, if they are not
	 * encoded yet.
	 * @param request the request, with an id and JSON values as arguments
	 * @throws UnencodableException if a codec fails
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public JobRequest seal(JobRequest request) {
		String id = Objects.requireNonNull(request.id());
		return isEncoded(request.args()) ? request : with(request, seal(request.args(),
				bound(request.type(), fields(id, request.type(), request.meta(), request.unique()))));
	}

	private Map<String, String> bound(String type, Map<String, String> fields) {
		return this.encrypted.bind(type) ? fields : Map.of();
	}

	/** The fields to which the ciphertext of a job may be bound. */
	private static Map<String, String> fields(Job job) {
		return fields(job.id(), job.type(), job.meta(), null);
	}

	/**
	 * The fields to which the ciphertext of a job with a policy is bound. The arguments
	 * of a job with on_conflict replace_except_schedule can get another id, so they are
	 * not bound to it. JSON escapes no character of these values, so all implementations
	 * write the same bytes.
	 */
	private static Map<String, String> fields(String id, String type, Map<String, @Nullable Object> meta,
			@Nullable UniquePolicy unique) {
		String tenant = ThreadTenants.of(meta).orElse(NO_TENANT);
		return isMerged(unique) ? Map.of(TENANT, tenant, TYPE, type) : Map.of(ID, id, TENANT, tenant, TYPE, type);
	}

	private static boolean isMerged(@Nullable UniquePolicy unique) {
		return unique != null && unique.onConflict() == OnConflict.REPLACE_EXCEPT_SCHEDULE;
	}

	private static Map<String, String> fields(JobRequest request, String cron) {
		return Map.of(CRON, cron, TENANT, ThreadTenants.of(request.meta()).orElse(NO_TENANT), TYPE, request.type());
	}

	/**
	 * Rejects plain arguments that are only marked as encrypted: they would be stored and
	 * sent.
	 */
	private static void checkSealed(List<? extends @Nullable Object> args, Map<String, @Nullable Object> meta) {
		if (!EncodedArgs.of(args, meta).isSealed()) {
			throw new InvalidJobException("args[0]", PLACEHOLDER,
					"must be plain, to be encrypted here, or encrypted: '%s' alone, with '%s' among 'meta.%s' and the key in 'meta.%s'"
						.formatted(String.join("', '", EncodedArgs.FIELDS), AesGcm.ENCODING, ENCODINGS, KEY_ID));
		}
	}

	/**
	 * Checks that an encrypted job can be merged into another one, if its policy allows
	 * that.
	 * @throws InvalidJobException if its ciphertext is bound to its id, which a merge
	 * changes
	 */
	public static void checkMergeable(Job job) {
		if (isMerged(job.unique()) && isEncoded(job.args())
				&& EncodedArgs.of(job.args(), job.meta()).boundTo().contains(ID)) {
			throw new InvalidJobException("meta." + BOUND_TO, job.meta().get(BOUND_TO),
					"must not name '%s' with unique.on_conflict '%s', which can give the arguments to a job with another id"
						.formatted(ID, OnConflict.REPLACE_EXCEPT_SCHEDULE.wireName()));
		}
	}

	private Sealed seal(List<? extends @Nullable Object> args, Map<String, String> boundTo) {
		return EncodedArgs.of(codecs().encode(this.json.writeArray(args), boundTo));
	}

	/**
	 * Encrypts bytes for tools without keys.
	 * @param boundTo the fields to which the ciphertext is bound, with their values; may
	 * be empty
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public Payload encode(byte[] plain, Map<String, String> boundTo) {
		return codecs().encode(plain, boundTo);
	}

	/**
	 * Decrypts bytes for tools without keys.
	 * @throws UnknownKeyException if the key is unknown here
	 * @throws UndecryptableException if the key does not decrypt the payload
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public byte[] decode(Payload payload) {
		return codecs().decode(payload);
	}

	/**
	 * Decrypts the arguments of a job if they are encoded.
	 * @return the job with plain arguments, for its handler
	 * @throws UnknownKeyException if the key is unknown here, or this application has no
	 * keys
	 * @throws UndecryptableException if the key does not decrypt the arguments, or they
	 * are bound to another job; or if they break the {@linkplain EncryptedJobs#require
	 * requirement}
	 */
	public Job decrypt(Job job) {
		Map<String, @Nullable Object> meta = job.meta();
		if (encrypts(job.type(), job.queue())) {
			String problem = this.encrypted.problem(job.type(), job.args(), meta);
			if (problem != null) {
				throw new UndecryptableException(job.type(), this.encrypted.require().name().toLowerCase(Locale.ROOT),
						problem);
			}
		}
		return isEncoded(job.args()) ? job.toBuilder().args(open(job.args(), meta, fields(job))).build() : job;
	}

	/**
	 * Checks whether a request of another program meets the
	 * {@linkplain EncryptedJobs#require requirement}. Does not check the key.
	 * @throws InvalidJobException if the arguments have to be encrypted or bound and are
	 * not
	 */
	public void checkArrival(JobRequest request, String queue) {
		String problem = encrypts(request.type(), queue)
				? this.encrypted.problem(request.type(), request.args(), request.meta()) : null;
		if (problem != null) {
			throw new InvalidJobException("args", PLACEHOLDER,
					"must be %s by its producer for type '%s' (ojs.encryption.require), but %s"
						.formatted(this.encrypted.require().name().toLowerCase(Locale.ROOT), request.type(), problem));
		}
	}

	/**
	 * Checks that a middleware has not changed the type to which encrypted arguments are
	 * bound.
	 * @param before the job before the middleware
	 * @param after the job after it
	 * @throws InvalidJobException if it has, so that the arguments could not be decrypted
	 */
	public void checkUnmoved(Job before, Job after, String middleware) {
		if (isEncoded(before.args()) && !before.type().equals(after.type())
				&& EncodedArgs.of(before.args(), before.meta()).boundTo().contains(TYPE)) {
			throw new InvalidJobException("type", after.type(),
					"must stay '%s', to which the encrypted arguments are bound: the middleware '%s' has to change it before they are encrypted"
						.formatted(before.type(), middleware));
		}
	}

	/**
	 * Decrypts a request that {@link #keep} has encrypted. The caller enqueues it, which
	 * encrypts it again by the active key. A request whose arguments the caller of the
	 * cron had encrypted stays unchanged.
	 * @param kept the request, as {@link #keep} returned it
	 * @return the request, with plain arguments if {@link #keep} has encrypted them
	 * @throws UnknownKeyException if the key is unknown here
	 * @throws UndecryptableException if the key does not decrypt the arguments, or they
	 * are bound to another cron
	 */
	public JobRequest open(JobRequest kept, String cron) {
		if (!isKept(kept)) {
			return kept;
		}
		List<@Nullable Object> args = open(kept.args(), kept.meta(), fields(kept, cron));
		return with(kept, new Sealed(args, Map.of()));
	}

	private static boolean isKept(JobRequest request) {
		return isEncoded(request.args()) && EncodedArgs.of(request.args(), request.meta()).boundTo().contains(CRON);
	}

	private static JobRequest with(JobRequest request, Sealed sealed) {
		return new JobRequest(request.type(), sealed.args(), request.id(), request.queue(), sealed.in(request.meta()),
				request.priority(), request.timeout(), request.scheduledAt(), request.expiresAt(), request.retry(),
				request.unique(), request.extensions());
	}

	private List<@Nullable Object> open(List<? extends @Nullable Object> args, Map<String, @Nullable Object> meta,
			Map<String, String> fields) {
		EncodedArgs encoded = EncodedArgs.of(args, meta);
		if (this.codecs == null) {
			throw new UnknownKeyException(encoded.shownKey());
		}
		byte[] plain = this.codecs.decode(encoded.payload(fields));
		try {
			return this.json.readArray(plain);
		}
		catch (UndecodableJobException ex) {
			// Without the text of the exception, which shows decrypted data.
			throw new UndecryptableException(encoded.shownKey(), "what comes out of it is no JSON array");
		}
	}

	/**
	 * Copies an exception without the values of arguments.
	 * @return an exception that shows {@value #PLACEHOLDER} instead of an argument
	 */
	public static InvalidJobException hidden(InvalidJobException failure) {
		Matcher args = ARGS.matcher(failure.field());
		if (!args.find()) {
			return failure;
		}
		// Keys of objects, reasons and causes also show parts of arguments.
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
	 * @param args the only argument, with the ciphertext
	 * @param meta the entries of {@code meta} that describe it
	 */
	public record Sealed(List<@Nullable Object> args, Map<String, @Nullable Object> meta) {

		/**
		 * Merges the entries into the {@code meta} of a job, in place of entries for
		 * other arguments.
		 */
		public Map<String, @Nullable Object> in(Map<String, @Nullable Object> other) {
			Map<String, @Nullable Object> all = new LinkedHashMap<>(other);
			all.keySet().removeAll(List.of(ENCODINGS, KEY_ID, BOUND_TO));
			all.putAll(this.meta);
			return all;
		}

	}

}
