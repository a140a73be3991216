package io.ojs.webhook;

import java.util.List;

import io.ojs.event.StoredEvent;

/**
 * Conditions for events, beside their types (OJS Webhooks §5.2).
 * <p>
 * Begin with {@link #NONE}: the constructor changes when a component is added.
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

	/**
	 * Sets the queues whose events match.
	 * @param values their names; empty for all
	 * @return a changed copy
	 */
	public WebhookFilter queues(String... values) {
		return new WebhookFilter(List.of(values), this.jobTypes);
	}

	/**
	 * Sets the types of jobs whose events match.
	 * @param values the types; empty for all
	 * @return a changed copy
	 */
	public WebhookFilter jobTypes(String... values) {
		return new WebhookFilter(this.queues, List.of(values));
	}

	boolean matches(StoredEvent event) {
		return (this.queues.isEmpty() || this.queues.contains(event.queue())) && (this.jobTypes.isEmpty()
				|| (event.data().get("job_type") instanceof String type && this.jobTypes.contains(type)));
	}

}
