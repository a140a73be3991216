package io.ojs.store.internal.relay;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.ojs.client.UnsupportedJobException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.store.internal.Admission;

/**
 * The queues with {@code delivery=hand-over}: their workers are other programs, which
 * need not report to the job store. The store keeps a job until the broker has confirmed
 * it, and does not publish it again by itself. It does not learn when the job ends, so it
 * refuses jobs that depend on that: unique jobs, and jobs with a rate limit.
 */
public final class HandOver implements Predicate<String> {

	/** No queue is handed over. */
	public static final HandOver NONE = new HandOver(Set.of());

	private final Set<String> queues;

	public HandOver(Set<String> queues) {
		this.queues = Set.copyOf(queues);
	}

	/** Returns the queues. */
	public Set<String> queues() {
		return this.queues;
	}

	@Override
	public boolean test(String queue) {
		return this.queues.contains(queue);
	}

	/**
	 * Returns an admission that refuses jobs which cannot be handed over, before another
	 * admission decides.
	 */
	public Admission before(Admission next) {
		return new Admission() {

			@Override
			public void authorize(List<EncodedJob> jobs) {
				next.authorize(jobs);
			}

			@Override
			public boolean locks(List<EncodedJob> jobs) {
				return next.locks(jobs);
			}

			@Override
			public Decision lock(List<EncodedJob> jobs) {
				jobs.forEach(HandOver.this::check);
				return next.lock(jobs);
			}

			@Override
			public <T> T patiently(boolean inTransaction, Supplier<T> enqueue) {
				return next.patiently(inTransaction, enqueue);
			}

		};
	}

	private void check(EncodedJob encoded) {
		if (!test(encoded.job().queue())) {
			return;
		}
		if (encoded.uniqueKey() != null) {
			throw refused("unique", encoded.job().queue());
		}
		if (RateLimitJson.of(encoded.job()).isPresent()) {
			throw refused("rate_limit", encoded.job().queue());
		}
	}

	private static UnsupportedJobException refused(String field, String queue) {
		return new UnsupportedJobException(field,
				("queue '%s' has delivery=hand-over, so the job store does not learn when its jobs begin and end. "
						+ "Remove '%s', or enqueue to a queue that this library works.")
					.formatted(queue, field));
	}

}
