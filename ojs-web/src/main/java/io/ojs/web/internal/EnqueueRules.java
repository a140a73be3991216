package io.ojs.web.internal;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

import io.ojs.internal.json.RateLimitJson;
import io.ojs.job.JobRequest;
import io.ojs.job.RateLimit;
import io.ojs.job.internal.NamePatterns;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;
import org.jspecify.annotations.Nullable;

/**
 * Rules for jobs that callers enqueue over HTTP, so that they do not affect other callers
 * and the application: how many queues the jobs create, and which rate limits they share.
 */
public final class EnqueueRules {

	private final LiveQueues queues;

	private final Supplier<Collection<String>> ofCrons;

	private final Function<JobRequest, String> queueOf;

	private final int maxNewQueues;

	private final int maxQueues;

	private final List<String> reservedKeys;

	/**
	 * Creates the rules.
	 * @param maxNewQueues how many queues one request may create
	 * @param maxQueues how many queues there may be after a request creates some
	 * @param reservedKeys keys of rate limits that jobs must not name; {@code *} stands
	 * for any characters
	 */
	public EnqueueRules(LiveQueues queues, Supplier<Collection<String>> ofCrons, Function<JobRequest, String> queueOf,
			int maxNewQueues, int maxQueues, Collection<String> reservedKeys) {
		this.queues = queues;
		this.ofCrons = ofCrons;
		this.queueOf = queueOf;
		this.maxNewQueues = maxNewQueues;
		this.maxQueues = maxQueues;
		this.reservedKeys = List.copyOf(reservedKeys);
	}

	/**
	 * Checks all jobs of a request.
	 * @param admin whether the caller has the right to admin: its limits may be those of
	 * whole queues
	 * @throws HttpFailure if one of the jobs must not be enqueued
	 */
	public void check(Collection<JobRequest> requests, boolean admin) {
		Set<String> added = new TreeSet<>();
		for (JobRequest request : requests) {
			if (request.queue() != null && !this.queues.exists(request.queue())) {
				added.add(request.queue());
			}
			String key = limitKey(request, admin);
			if (key != null && NamePatterns.matches(this.reservedKeys, key)) {
				throw new HttpFailure(HttpError
					.of(403, "PERMISSION_DENIED", "permission_denied",
							"The rate limit '%s' is the application's own. Name another key.".formatted(key))
					.detail("field", "rate_limit.key"));
			}
		}
		if (!added.isEmpty()) {
			checkQueues(added);
		}
	}

	/**
	 * Checks the queue into which dead letters are replayed.
	 * @param queue the queue; {@code null} for the queue of each
	 * @param type the type of all of them, or a pattern; {@code null} if they are of any
	 * @param mayMake whether the replay may make the queue: callers that see no list of
	 * queues would not notice a typing error
	 * @throws HttpFailure if they must not get there
	 */
	public void checkReplay(@Nullable String queue, @Nullable String type, boolean mayMake) {
		if (queue == null) {
			return;
		}
		if (!this.queues.exists(queue)) {
			if (!mayMake) {
				throw refused("Queue '%s' does not exist.".formatted(queue));
			}
			checkQueues(Set.of(queue));
			return;
		}
		List<String> types = this.queues.get(queue).config().allowedJobTypes();
		if (types != null && !NamePatterns.matches(types, (type != null) ? type : "*")) {
			throw refused("Queue '%s' takes jobs of these types alone: %s. Replay jobs of one of them.".formatted(queue,
					String.join(", ", types)));
		}
	}

	/**
	 * Counts the queues of a workflow among those that exist, even if its jobs are
	 * enqueued later.
	 */
	public void started(Collection<JobRequest> requests) {
		requests.stream().map(JobRequest::queue).filter(Objects::nonNull).forEach(this.queues::notice);
	}

	/** Returns the key of a job's limit; {@code null} if there is none to be checked. */
	private @Nullable String limitKey(JobRequest request, boolean admin) {
		if (!(request.extensions().get(RateLimit.FIELD) instanceof Map<?, ?> limit)) {
			return null;
		}
		if (limit.get("key") == null) {
			return admin ? null : RateLimitJson.keyOf(this.queueOf.apply(request));
		}
		return (limit.get("key") instanceof String key) ? key : null;
	}

	private void checkQueues(Set<String> added) {
		if (added.size() > this.maxNewQueues) {
			throw refused("A request may make %d queues that do not exist yet, and this one names %d."
				.formatted(this.maxNewQueues, added.size()));
		}
		Set<String> toCome = new TreeSet<>(this.ofCrons.get());
		toCome.removeIf((name) -> added.contains(name) || this.queues.exists(name));
		int count = this.queues.count() + toCome.size();
		if (count + added.size() > this.maxQueues) {
			throw refused(
					"There are %d queues, with those of crons, and no request may make more than %d: queue %s does not exist."
						.formatted(count, this.maxQueues, added.iterator().next()));
		}
	}

	private static HttpFailure refused(String message) {
		return new HttpFailure(HttpError.of(422, "INVALID_QUEUE", "queue_refused", message)
			.hint("Check the names of the queues, or ask an administrator to create them by POST " + "/ojs/v1/queues.")
			.detail("field", "queue"));
	}

}
