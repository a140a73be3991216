package io.ojs.crypto;

import java.util.List;
import java.util.Map;

import io.ojs.job.JobRules;
import io.ojs.job.NamePatterns;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs an application encrypts when it enqueues them, and how. In patterns,
 * {@code *} stands for anything.
 *
 * @param types patterns of their types
 * @param queues patterns of their queues
 * @param unboundTypes patterns of those types whose ciphertext is not bound to its job,
 * because workers of other implementations decrypt it
 * @param require what is demanded of a job among them that arrives from elsewhere
 */
public record EncryptedJobs(List<String> types, List<String> queues, List<String> unboundTypes, Require require) {

	/** All of them. */
	public static final EncryptedJobs ALL = new EncryptedJobs(List.of("*"), List.of());

	public EncryptedJobs {
		types = List.copyOf(types);
		queues = List.copyOf(queues);
		unboundTypes = List.copyOf(unboundTypes);
	}

	/**
	 * Jobs whose ciphertext is bound to them, and of which nothing is demanded.
	 * @param types patterns of their types
	 * @param queues patterns of their queues
	 */
	public EncryptedJobs(List<String> types, List<String> queues) {
		this(types, queues, List.of(), Require.NONE);
	}

	/**
	 * Whether a job is one of them.
	 * @param type its type
	 * @param queue its queue
	 * @return whether one of both is named
	 */
	public boolean include(String type, String queue) {
		return NamePatterns.matches(this.types, type) || NamePatterns.matches(this.queues, queue);
	}

	boolean bind(String type) {
		return !NamePatterns.matches(this.unboundTypes, type);
	}

	/** What of that which is demanded is missing. */
	@Nullable String problem(String type, List<? extends @Nullable Object> args, Map<String, @Nullable Object> meta) {
		if (this.require == Require.NONE) {
			return null;
		}
		if (!EncodedArgs.are(args) || !EncodedArgs.of(args, meta).isEncrypted()) {
			return "they are not encrypted";
		}
		if (this.require == Require.BOUND && bind(type)) {
			// One event is encrypted once, for the subscriptions of all tenants.
			boolean tenant = Tenants.of(meta).isPresent() && !type.equals(JobRules.WEBHOOK_TYPE);
			List<String> bound = EncodedArgs.of(args, meta).boundTo();
			for (String field : tenant ? List.of(JobEncryption.TYPE, JobEncryption.TENANT)
					: List.of(JobEncryption.TYPE)) {
				if (!bound.contains(field)) {
					return "they are not bound to '%s' (meta.%s)".formatted(field, JobEncryption.BOUND_TO);
				}
			}
		}
		return null;
	}

	/** What is demanded of a job that arrives from elsewhere. */
	public enum Require {

		/** Nothing: plain arguments are accepted. */
		NONE,

		/** That its arguments are encrypted. */
		ENCRYPTED,

		/**
		 * That its arguments are encrypted, and bound to its type and, if it has one, its
		 * tenant.
		 */
		BOUND

	}

}
