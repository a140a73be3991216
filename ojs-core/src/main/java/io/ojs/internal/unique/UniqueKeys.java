package io.ojs.internal.unique;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobVersion;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Makes the keys of unique jobs: two jobs are alike if their keys are equal (OJS Unique
 * Jobs §4). A key is the SHA-256 of the compared parts in the canonical form of RFC 8785.
 * With a secret it is their HMAC-SHA256, because a plain hash reveals arguments that can
 * be guessed. Thread-safe.
 */
public final class UniqueKeys {

	private static final String HMAC = "HmacSHA256";

	private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");

	private final @Nullable SecretKeySpec secret;

	/**
	 * Creates the maker of keys.
	 * @param secret the same in all applications that share a job store; not empty;
	 * {@code null} for plain hashes
	 */
	public UniqueKeys(@Nullable String secret) {
		this.secret = (secret != null) ? new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC) : null;
	}

	/**
	 * Makes the key of a job.
	 * @return 64 hexadecimal digits in lower case; {@code null} if the job has no policy
	 * @throws InvalidJobException if the job lacks a part that its policy compares
	 */
	public @Nullable String of(Job job) {
		return of(job, null);
	}

	/**
	 * Makes the key of a job that is unique within its tenant.
	 * @param tenant the tenant of the job; {@code null} if it has none
	 * @return 64 hexadecimal digits in lower case; {@code null} if the job has no policy
	 * @throws InvalidJobException if the job lacks a part that its policy compares
	 */
	public @Nullable String of(Job job, @Nullable String tenant) {
		UniquePolicy policy = job.unique();
		if (policy == null) {
			return null;
		}
		Map<String, @Nullable Object> compared = new LinkedHashMap<>();
		for (UniqueDimension dimension : policy.keys()) {
			Object value = value(dimension, policy, job);
			// Jobs without a version keep the keys that they had before versions existed.
			if (value != null) {
				compared.put(dimension.wireName(), value);
			}
		}
		if (tenant != null) {
			compared.put("tenant", tenant);
		}
		return hash(CanonicalJson.write("unique", compared));
	}

	/**
	 * Makes the key of a job whose arguments another program has encrypted.
	 * @param tenant the tenant of the job; {@code null} if it has none
	 * @return 64 hexadecimal digits in lower case: the given key, if it has this form and
	 * there is no tenant
	 */
	public String ofGiven(String given, @Nullable String tenant) {
		if (tenant == null && KEY.matcher(given).matches()) {
			return given;
		}
		Map<String, @Nullable Object> compared = new LinkedHashMap<>();
		compared.put("unique_key", given);
		if (tenant != null) {
			compared.put("tenant", tenant);
		}
		return hash(CanonicalJson.write("unique_key", compared));
	}

	private static @Nullable Object value(UniqueDimension dimension, UniquePolicy policy, Job job) {
		return switch (dimension) {
			case TYPE -> job.type();
			case QUEUE -> job.queue();
			case ARGS -> policy.argsKeys().isEmpty() ? job.args() : args(policy.argsKeys(), job.args());
			case META -> meta(policy.metaKeys(), job.meta());
			case VERSION -> version(job);
		};
	}

	/** Canonical: 2 and "2.0" are the same version. */
	private static @Nullable String version(Job job) {
		JobVersion version = job.version();
		return (version != null) ? version.toString() : null;
	}

	private static Map<String, @Nullable Object> args(List<String> keys, List<@Nullable Object> args) {
		Map<String, @Nullable Object> selected = new LinkedHashMap<>();
		Set<String> wanted = Set.copyOf(keys);
		// One pass over each argument, however many keys there are.
		for (Object arg : args) {
			if (arg instanceof Map<?, ?> object) {
				object.forEach((key, value) -> select(wanted, (String) key, value, selected));
			}
		}
		for (String key : keys) {
			if (!selected.containsKey(key)) {
				throw new InvalidJobException("unique.args_keys", key, "must name keys of arguments that are objects");
			}
		}
		return selected;
	}

	private static void select(Set<String> wanted, String key, @Nullable Object value,
			Map<String, @Nullable Object> selected) {
		if (!wanted.contains(key)) {
			return;
		}
		if (selected.containsKey(key)) {
			throw new InvalidJobException("unique.args_keys", key, "must name keys that only one argument has");
		}
		selected.put(key, value);
	}

	private static Map<String, @Nullable Object> meta(List<String> keys, Map<String, @Nullable Object> meta) {
		Map<String, @Nullable Object> selected = new LinkedHashMap<>();
		for (String key : keys) {
			if (!meta.containsKey(key)) {
				throw new InvalidJobException("unique.meta_keys", key, "must name keys that the job's meta has");
			}
			selected.put(key, meta.get(key));
		}
		return selected;
	}

	private String hash(String canonical) {
		byte[] bytes = canonical.getBytes(StandardCharsets.UTF_8);
		try {
			if (this.secret == null) {
				return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
			}
			Mac mac = Mac.getInstance(HMAC);
			mac.init(this.secret);
			return HexFormat.of().formatHex(mac.doFinal(bytes));
		}
		catch (GeneralSecurityException ex) {
			// Every Java platform has both.
			throw new IllegalStateException("Keys of unique jobs need SHA-256 and HmacSHA256", ex);
		}
	}

}
