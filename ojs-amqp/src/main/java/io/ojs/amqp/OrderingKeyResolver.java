package io.ojs.amqp;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ordering key of a job: jobs of a queue with the same key run one after the
 * other. Producers call it for jobs that they enqueue, workers for jobs of other
 * producers; it must return the same key in both places. Implementations must be
 * thread-safe.
 */
@FunctionalInterface
public interface OrderingKeyResolver {

	/** Field of {@code meta} that has the key by default. */
	String META_KEY = "ordering_key";

	/** Uses {@code meta.ordering_key}. */
	OrderingKeyResolver META = (job) -> {
		Object key = job.meta().get(META_KEY);
		if (key == null || key instanceof String) {
			return (String) key;
		}
		throw new InvalidJobException("meta." + META_KEY, key, "must be text");
	};

	/**
	 * The ordering key of a job.
	 * @param job the job, in a queue that is ordered by key
	 * @return its key; {@code null} if it may run beside any other job
	 * @throws InvalidJobException if its key is invalid
	 */
	@Nullable String orderingKey(Job job);

}
