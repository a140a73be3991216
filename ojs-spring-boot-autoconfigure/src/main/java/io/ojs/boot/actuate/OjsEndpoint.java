package io.ojs.boot.actuate;

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
 * The endpoint {@code ojs}: connections, queues, what runs and what waits. It answers
 * within seconds whatever the broker does. Unless
 * {@code management.endpoint.ojs.access=unrestricted}, it can only be read.
 */
@Endpoint(id = "ojs", defaultAccess = Access.READ_ONLY)
public final class OjsEndpoint {

	private final JobsReporter reporter;

	private final ReplayOperation replays;

	/**
	 * Creates the endpoint.
	 * @param reporter knows how things are
	 * @param replays puts dead letters back to work
	 */
	public OjsEndpoint(JobsReporter reporter, ReplayOperation replays) {
		this.reporter = reporter;
		this.replays = replays;
	}

	/**
	 * How all is.
	 * @return the report
	 */
	@ReadOperation
	public JobsReport jobs() {
		return this.reporter.jobs();
	}

	/**
	 * How one queue is.
	 * @param queue an OJS queue
	 * @return the report, or {@code null} if this application does not know the queue
	 */
	@ReadOperation
	public @Nullable QueueReport queue(@Selector String queue) {
		return this.reporter.queue(queue);
	}

	/**
	 * Replays the dead letters of a queue, or counts those that would be: those of the
	 * job store if there is one, otherwise those on the broker.
	 * @param queue an OJS queue
	 * @param id only the job with this id
	 * @param type only jobs of this type, exact or {@code x.*}
	 * @param errorType only what failed with this, exact or {@code x.*}
	 * @param errorCode only what failed with this code, exact or {@code x.*}; not with a
	 * job store
	 * @param stackHash only what failed at this place in the code; not with a job store
	 * @param tenant only jobs of this tenant
	 * @param deadSince only what died then or later; RFC 3339
	 * @param deadBefore only what died earlier; RFC 3339
	 * @param dryRun {@code false} to replay; otherwise they are counted
	 * @param max how many at most; 1000 by default
	 * @param rate how many a second; as fast as can be by default
	 * @param toQueue the queue to replay to, if not their own
	 * @param priority the priority to replay them with, if not their own
	 * @param maxAttempts the executions to give them, if not their own
	 * @return what came of it
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
