package io.ojs.amqp.order;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Knows which jobs of a queue have to run one after the other: those with the same key.
 * Asked where a job is enqueued and where one arrives from elsewhere; it has to say the
 * same in both places. Used by many threads.
 */
@FunctionalInterface
public interface OrderingKeyResolver {

	/** Where a job carries its key unless a resolver says otherwise. */
	String META_KEY = "ordering_key";

	/** Takes {@code meta.ordering_key}. */
	OrderingKeyResolver META = (job) -> {
		Object key = job.meta().get(META_KEY);
		if (key == null || key instanceof String) {
			return (String) key;
		}
		throw new InvalidJobException("meta." + META_KEY, key, "must be text");
	};

	/**
	 * The key of a job.
	 * @param job the job, in a queue that is ordered by key
	 * @return its key; {@code null} if it may run beside any other
	 * @throws InvalidJobException if it has one that cannot be used
	 */
	@Nullable String orderingKey(Job job);

}
