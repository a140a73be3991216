package io.ojs.webhook;

import java.util.List;

import io.ojs.event.StoredEvent;

/**
 * Conditions for events, beside their types (OJS Webhooks §5.2).
 *
 * @param queues only events of these queues; empty for all
 * @param jobTypes only events of jobs of these types; empty for all
 */
public record WebhookFilter(List<String> queues, List<String> jobTypes) {

	/** Matches all events. */
	public static final WebhookFilter NONE = new WebhookFilter(List.of(), List.of());

	public WebhookFilter {
		queues = List.copyOf(queues);
		jobTypes = List.copyOf(jobTypes);
	}

	boolean matches(StoredEvent event) {
		return (this.queues.isEmpty() || this.queues.contains(event.queue())) && (this.jobTypes.isEmpty()
				|| (event.data().get("job_type") instanceof String type && this.jobTypes.contains(type)));
	}

}
