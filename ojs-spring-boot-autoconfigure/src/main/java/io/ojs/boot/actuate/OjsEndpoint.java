package io.ojs.boot.actuate;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code ojs}: connections, queues, what runs and what waits. It answers
 * within seconds whatever the broker does.
 */
@Endpoint(id = "ojs")
public final class OjsEndpoint {

	private final JobsReporter reporter;

	/**
	 * Creates the endpoint.
	 * @param reporter knows how things are
	 */
	public OjsEndpoint(JobsReporter reporter) {
		this.reporter = reporter;
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

}
