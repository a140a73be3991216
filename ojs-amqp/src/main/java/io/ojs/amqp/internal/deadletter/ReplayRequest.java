package io.ojs.amqp.internal.deadletter;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.deadletter.ReplayListener;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.internal.DeadLetterRequests;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * A replay that the broker alone can do.
 *
 * @param queue the OJS queue whose dead letters are replayed
 */
record ReplayRequest(String queue, DeadLetterFilter filter, ReplayOptions options, ReplayListener listener) {

	private static final String STORE_ONLY = "only the job store can change it; name the queue, the priority or the "
			+ "maximum number of attempts";

	/**
	 * Checks a request.
	 * @throws InvalidDeadLetterRequestException if it names no queue, is not confirmed,
	 * or asks for something that only the job store can do
	 */
	static ReplayRequest of(DeadLetterFilter filter, ReplayOptions options, ReplayListener listener) {
		if (filter.queue() == null) {
			throw new InvalidDeadLetterRequestException("filter.queue", null,
					"must name the OJS queue whose dead letters at the broker to replay");
		}
		DeadLetterRequests.unsupported("filter.origin", filter.origin(),
				"at the broker dead letters are in the queue in which they failed");
		if (!options.dryRun()) {
			DeadLetterRequests.confirmed(options.confirm());
		}
		ReplayOverrides overrides = options.overrides();
		DeadLetterRequests.unsupported("overrides.args", overrides.args(), STORE_ONLY);
		DeadLetterRequests.unsupported("overrides.meta", overrides.meta().isEmpty() ? null : overrides.meta(),
				STORE_ONLY);
		RetryOverrides retry = overrides.retry();
		boolean attemptsOnly = retry == null
				|| (retry.maxAttempts() != null && retry.equals(RetryOverrides.NONE.maxAttempts(retry.maxAttempts())));
		DeadLetterRequests.unsupported("overrides.retry", attemptsOnly ? null : retry, STORE_ONLY);
		return new ReplayRequest(filter.queue(), filter, options, listener);
	}

	/** The largest number of jobs to replay. */
	long limit() {
		Long limit = this.options.limit();
		return (limit != null) ? limit : Long.MAX_VALUE;
	}

	/** The maximum number of attempts that replayed jobs get; {@code null} to keep it. */
	@Nullable Integer maxAttempts() {
		RetryOverrides retry = this.options.overrides().retry();
		// OJS Retry: 0 means once.
		return (retry != null && retry.maxAttempts() != null) ? Math.max(1, retry.maxAttempts()) : null;
	}

}
