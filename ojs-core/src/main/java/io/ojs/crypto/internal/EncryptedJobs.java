package io.ojs.crypto.internal;

import java.util.List;
import java.util.Map;

import io.ojs.crypto.RequiredEncryption;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.NamePatterns;
import io.ojs.tenant.internal.ThreadTenants;
import org.jspecify.annotations.Nullable;

/**
 * Selects the jobs that an application encrypts when it enqueues them. In patterns,
 * {@code *} stands for any characters.
 *
 * @param types patterns of job types
 * @param queues patterns of queues
 * @param unboundTypes patterns of types whose ciphertext is not bound to its job, because
 * workers of other implementations decrypt it
 * @param require the requirement for selected jobs of other producers
 */
public record EncryptedJobs(List<String> types, List<String> queues, List<String> unboundTypes,
		RequiredEncryption require) {

	/** All jobs. */
	public static final EncryptedJobs ALL = new EncryptedJobs(List.of("*"), List.of());

	public EncryptedJobs {
		types = List.copyOf(types);
		queues = List.copyOf(queues);
		unboundTypes = List.copyOf(unboundTypes);
	}

	/**
	 * Selects jobs whose ciphertext is bound to them, without a requirement for other
	 * producers.
	 */
	public EncryptedJobs(List<String> types, List<String> queues) {
		this(types, queues, List.of(), RequiredEncryption.NONE);
	}

	/**
	 * Whether a job is selected.
	 * @return whether the type or the queue matches a pattern
	 */
	public boolean include(String type, String queue) {
		return NamePatterns.matches(this.types, type) || NamePatterns.matches(this.queues, queue);
	}

	boolean bind(String type) {
		return !NamePatterns.matches(this.unboundTypes, type);
	}

	/** How a job breaks the requirement; {@code null} if it does not. */
	@Nullable String problem(String type, List<? extends @Nullable Object> args, Map<String, @Nullable Object> meta) {
		if (this.require == RequiredEncryption.NONE) {
			return null;
		}
		if (!EncodedArgs.are(args) || !EncodedArgs.of(args, meta).isEncrypted()) {
			return "they are not encrypted";
		}
		if (this.require == RequiredEncryption.BOUND && bind(type)) {
			// Deliveries of webhooks are not bound to a tenant: an event is encrypted
			// once for all subscriptions.
			boolean tenant = ThreadTenants.of(meta).isPresent() && !type.equals(JobRules.WEBHOOK_TYPE);
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

}
