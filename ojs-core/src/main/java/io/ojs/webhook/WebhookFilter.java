package io.ojs.webhook;

import java.util.List;

import io.ojs.event.StoredEvent;

/**
 * What an event has to be like beside its type (OJS Webhooks §5.2).
 *
 * @param queues only events of these queues; empty for all
 * @param jobTypes only events of jobs of these types; empty for all
 */
public record WebhookFilter(List<String> queues, List<String> jobTypes) {

	/** Lets everything through. */
	public static final WebhookFilter NONE = new WebhookFilter(List.of(), List.of());

	public WebhookFilter {
		queues = List.copyOf(queues);
		jobTypes = List.copyOf(jobTypes);
	}

	boolean matches(StoredEvent event) {
		return (this.queues.isEmpty() || this.queues.contains(event.queue())) && (this.jobTypes.isEmpty()
				|| (event.data().get(WebhookEnvelope.JOB_TYPE) instanceof String type && this.jobTypes.contains(type)));
	}

}
