package io.ojs.crypto;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.json.JsonObjects;
import io.ojs.json.UndecodableJobException;
import io.ojs.tenant.Tenants;
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

	/** Key of {@code meta}: the fields of the job that the ciphertext is bound to. */
	public static final String BOUND_TO = "ojs.codec.aad";

	/** Nothing is encrypted, and nothing can be decrypted. */
	public static final JobEncryption OFF = new JobEncryption();

	private static final Pattern ARGS = Pattern.compile("^(.*\\.)?args(\\[\\d+\\])?");

	static final String ID = "id";

	static final String TENANT = Tenants.META_KEY;

	static final String TYPE = "type";

	/** The name of the cron that keeps a job. */
	private static final String CRON = "cron";

	private static final String NO_TENANT = "";

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
		return EncodedArgs.are(args);
	}

	/**
	 * Encrypts the arguments of a job, if they are to be and are not yet. What comes
	 * encoded stays as it is.
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
		Sealed sealed = seal(job.args(), job);
		return job.toBuilder().args(sealed.args()).meta(sealed.in(job.meta())).build();
	}

	/**
	 * Encrypts the arguments of a request that becomes several jobs, if they are to be
	 * and are not yet. They are bound to its type alone.
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
		return with(request, seal(request.args(), bound(request.type(), Map.of(TYPE, request.type()))));
	}

	/**
	 * Encrypts the arguments of a request that a cron keeps, if they are to be and are
	 * not yet. They are bound to the cron: nothing else that is encrypted is decrypted by
	 * {@link #open(JobRequest, String)}.
	 * @param request the request, with arguments that are JSON's own
	 * @param queue its queue
	 * @param cron the name of the cron
	 * @return the request as it may be seen by everybody
	 * @throws InvalidJobException if it says that it is encrypted, and is not, or if
	 * another cron keeps it, or for another type or tenant
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
	 * Encrypts the arguments of a job, whichever it is.
	 * @param args the arguments
	 * @param job the job that they are for
	 * @return what stands for them
	 * @throws UnencodableException if a codec fails with them
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public Sealed seal(List<? extends @Nullable Object> args, Job job) {
		return seal(args, bound(job.type(), fields(job.id(), job.type(), job.meta(), job.unique())));
	}

	/**
	 * Encrypts the arguments of a request, whichever it is, if they are not yet.
	 * @param request the request, with an id and arguments that are JSON's own
	 * @return the request as it may be seen by everybody
	 * @throws UnencodableException if a codec fails with them
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

	/** What the ciphertext of a job may be bound to. */
	private static Map<String, String> fields(Job job) {
		return fields(job.id(), job.type(), job.meta(), null);
	}

	/**
	 * What the ciphertext of a job is bound to by its policy. Of a job that can be merged
	 * into another one, that is all but its id: the other one keeps its own. None of the
	 * values has a character that JSON escapes.
	 */
	private static Map<String, String> fields(String id, String type, Map<String, @Nullable Object> meta,
			@Nullable UniquePolicy unique) {
		String tenant = Tenants.of(meta).orElse(NO_TENANT);
		return isMerged(unique) ? Map.of(TENANT, tenant, TYPE, type) : Map.of(ID, id, TENANT, tenant, TYPE, type);
	}

	private static boolean isMerged(@Nullable UniquePolicy unique) {
		return unique != null && unique.onConflict() == OnConflict.REPLACE_EXCEPT_SCHEDULE;
	}

	private static Map<String, String> fields(JobRequest request, String cron) {
		return Map.of(CRON, cron, TENANT, Tenants.of(request.meta()).orElse(NO_TENANT), TYPE, request.type());
	}

	/** Plain arguments that only say so would go where none are to be. */
	private static void checkSealed(List<? extends @Nullable Object> args, Map<String, @Nullable Object> meta) {
		if (!EncodedArgs.of(args, meta).isSealed()) {
			throw new InvalidJobException("args[0]", PLACEHOLDER,
					"must be plain, to be encrypted here, or encrypted: '%s' alone, with '%s' among 'meta.%s' and the key in 'meta.%s'"
						.formatted(String.join("', '", EncodedArgs.FIELDS), AesGcm.ENCODING, ENCODINGS, KEY_ID));
		}
	}

	/**
	 * Checks a job that its producer has encrypted before it is merged into another one.
	 * @param job the job
	 * @throws InvalidJobException if its policy allows that, and its ciphertext is bound
	 * to its id, which it would lose
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
	 * Encrypts bytes, for tools without keys.
	 * @param plain the bytes
	 * @param boundTo the fields that they are bound to, with their values; may be empty
	 * @return what everybody may see
	 * @throws InvalidEncryptionKeyException if there are no keys
	 */
	public Payload encode(byte[] plain, Map<String, String> boundTo) {
		return codecs().encode(plain, boundTo);
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
	 * @throws UndecryptableException if the key does not open it, or it is bound to
	 * another job; or if it has to be encrypted, or bound, and is not
	 */
	public Job decrypt(Job job) {
		Map<String, @Nullable Object> meta = job.meta();
		if (encrypts(job.type(), job.queue())) {
			String problem = this.encrypted.problem(job.type(), job.args(), meta);
			if (problem != null) {
				throw new UndecryptableException(job.type(), this.encrypted.require(), problem);
			}
		}
		return isEncoded(job.args()) ? job.toBuilder().args(open(job.args(), meta, fields(job))).build() : job;
	}

	/**
	 * Checks a request that comes from elsewhere, and says nothing of its key.
	 * @param request the request
	 * @param queue its queue
	 * @throws InvalidJobException if it has to be encrypted, or bound, and is not
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
	 * Checks what a middleware has done to a job.
	 * @param before the job before
	 * @param after the job behind it
	 * @param middleware its name
	 * @throws InvalidJobException if nothing decrypts the arguments any more
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
	 * The request as a cron was given it, to be enqueued and so encrypted again by the
	 * key of today. What came encoded to the cron is left as it is.
	 * @param kept the request, as {@link #keep} has made it
	 * @param cron the name of the cron
	 * @return the request with plain arguments, if those of the cron were
	 * @throws UnknownKeyException if the key is not known here
	 * @throws UndecryptableException if the key does not open it, or it is bound to
	 * another cron
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
			// Without its text, which shows what was decrypted.
			throw new UndecryptableException(encoded.shownKey(), "what comes out of it is no JSON array");
		}
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

		/**
		 * What {@code meta} has to say of these arguments, and nothing of other ones.
		 * @param other what it says else
		 * @return both
		 */
		public Map<String, @Nullable Object> in(Map<String, @Nullable Object> other) {
			Map<String, @Nullable Object> all = new LinkedHashMap<>(other);
			all.keySet().removeAll(List.of(ENCODINGS, KEY_ID, BOUND_TO));
			all.putAll(this.meta);
			return all;
		}

	}

}
