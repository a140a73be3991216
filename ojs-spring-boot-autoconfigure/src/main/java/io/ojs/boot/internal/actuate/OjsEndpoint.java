package io.ojs.boot.internal.actuate;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code ojs}: connections, queues, running and waiting jobs. A read takes a
 * few seconds at most, whatever the broker does. Unless
 * {@code management.endpoint.ojs.access=unrestricted}, the endpoint is read-only.
 */
@Endpoint(id = "ojs", defaultAccess = Access.READ_ONLY)
public final class OjsEndpoint {

	private final JobsReporter reporter;

	private final ReplayOperation replays;

	public OjsEndpoint(JobsReporter reporter, ReplayOperation replays) {
		this.reporter = reporter;
		this.replays = replays;
	}

	/** Reports on all queues. */
	@ReadOperation
	public JobsReport jobs() {
		return this.reporter.jobs();
	}

	/**
	 * Reports on one queue.
	 * @return the report, or {@code null} if this application does not know the queue
	 */
	@ReadOperation
	public @Nullable QueueReport queue(@Selector String queue) {
		return this.reporter.queue(queue);
	}

	/**
	 * Replays dead letters of a queue, or counts those that would be replayed: those of
	 * the job store if there is one, otherwise those of the broker.
	 * @param id only the job with this id
	 * @param type only jobs of this type, exact or {@code x.*}
	 * @param errorType only jobs that failed with this error, exact or {@code x.*}
	 * @param errorCode only jobs that failed with this code, exact or {@code x.*}; not
	 * with a job store
	 * @param stackHash only jobs that failed at this place in the code
	 * @param tenant only jobs of this tenant
	 * @param deadSince only jobs that became dead letters at this time or later; RFC 3339
	 * @param deadBefore only jobs that became dead letters before this time; RFC 3339
	 * @param dryRun {@code false} to replay; otherwise the dead letters are only counted
	 * @param max the largest number of jobs to replay; 1000 by default
	 * @param rate the largest number of jobs a second; as fast as possible by default
	 * @param toQueue the queue to replay to; their own by default
	 * @param priority the priority of the replayed jobs; their own by default
	 * @param maxAttempts the number of attempts of the replayed jobs; their own by
	 * default
	 */
	@WriteOperation
	@SuppressWarnings("checkstyle:ParameterNumber")
	public WebEndpointResponse<Map<String, Object>> replay(@Selector String queue, @Nullable String id,
			@Nullable String type, @Nullable String errorType, @Nullable String errorCode, @Nullable String stackHash,
			@Nullable String tenant, @Nullable String deadSince, @Nullable String deadBefore, @Nullable String dryRun,
			@Nullable String max, @Nullable String rate, @Nullable String toQueue, @Nullable String priority,
			@Nullable String maxAttempts) {
		Map<String, @Nullable String> parameters = new HashMap<>();
		parameters.put("queue", queue);
		parameters.put("id", id);
		parameters.put("type", type);
		parameters.put("errorType", errorType);
		parameters.put("errorCode", errorCode);
		parameters.put("stackHash", stackHash);
		parameters.put("tenant", tenant);
		parameters.put("deadSince", deadSince);
		parameters.put("deadBefore", deadBefore);
		parameters.put("dryRun", dryRun);
		parameters.put("max", max);
		parameters.put("rate", rate);
		parameters.put("toQueue", toQueue);
		parameters.put("priority", priority);
		parameters.put("maxAttempts", maxAttempts);
		ReplayOperation.Answer answer = this.replays.replay(parameters);
		return new WebEndpointResponse<>(answer.body(), answer.status());
	}

}
