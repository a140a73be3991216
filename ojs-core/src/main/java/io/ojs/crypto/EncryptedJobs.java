package io.ojs.crypto;

import java.util.List;

import io.ojs.job.NamePatterns;

/**
 * Which jobs an application encrypts when it enqueues them.
 *
 * @param types patterns of their types, in which {@code *} stands for anything
 * @param queues patterns of their queues
 */
public record EncryptedJobs(List<String> types, List<String> queues) {

	/** All of them. */
	public static final EncryptedJobs ALL = new EncryptedJobs(List.of("*"), List.of());

	public EncryptedJobs {
		types = List.copyOf(types);
		queues = List.copyOf(queues);
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

}
