package io.ojs.web.internal.endpoint;

import java.util.List;
import java.util.function.Consumer;

import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.log.SafeLogger;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.Queues;
import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;
import org.slf4j.Logger;

/**
 * Deletes all jobs and all other data, so that a test begins with nothing.
 */
public final class ResetEndpoints implements Endpoints {

	private static final Logger logger = SafeLogger.of(ResetEndpoints.class);

	private final AdminStore store;

	private final Queues queues;

	private final Consumer<String> broker;

	/** Creates the endpoints, and logs a warning about them. */
	public ResetEndpoints(AdminStore store, Queues queues, Consumer<String> broker) {
		this.store = store;
		this.queues = queues;
		this.broker = broker;
		logger.warn("Every caller with the right to administer can delete all jobs with POST {}/v1/admin/reset; set "
				+ "ojs.http.reset-enabled=false if this is no test.", Routes.BASE);
	}

	@Override
	public void addTo(Routes routes) {
		routes.post("/v1/admin/reset", Access.ADMIN, this::reset);
	}

	private HttpResult reset(HttpCall call) {
		List<JobQueue> all = this.queues.list();
		this.store.reset();
		// By now, the queues also have the messages that were being published meanwhile.
		all.forEach((queue) -> this.broker.accept(queue.name()));
		for (JobQueue queue : all) {
			this.queues.configure(queue.name(), (before) -> QueueConfig.NONE);
			if (queue.state() == QueueState.PAUSED) {
				this.queues.resume(queue.name());
			}
		}
		return HttpResult.ok("reset", true);
	}

}
