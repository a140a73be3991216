package io.ojs.web.internal.webhook;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.deadletter.DeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoredJob;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Page;
import io.ojs.web.internal.Routes;
import io.ojs.webhook.internal.WebhookDelivery;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries of events, which are jobs (OJS Webhooks §10).
 */
public final class WebhookDeliveryEndpoints implements Endpoints {

	private static final String DELIVERY = "delivery";

	private static final String PATH = "/v1/webhooks/deliveries";

	private static final Map<String, Set<JobState>> STATES = Map.of("pending",
			EnumSet.of(JobState.AVAILABLE, JobState.SCHEDULED, JobState.PENDING, JobState.ACTIVE), "retrying",
			EnumSet.of(JobState.RETRYABLE), "delivered", EnumSet.of(JobState.COMPLETED), "dead",
			EnumSet.of(JobState.DISCARDED), "cancelled", EnumSet.of(JobState.CANCELLED));

	private final AdminStore jobs;

	private final DeadLetters letters;

	public WebhookDeliveryEndpoints(AdminStore jobs, DeadLetters letters) {
		this.jobs = jobs;
		this.letters = letters;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.get(PATH, Access.READ, this::list)
			.get(PATH + "/{id}", Access.READ, (call) -> HttpResult.ok(DELIVERY, json(found(call))))
			.post(PATH + "/{id}/retry", Access.ADMIN, this::retry);
	}

	private static JobFilter filter(HttpCall call) {
		return new JobFilter(null, WebhookDelivery.TYPE, Set.of(), false, null, null, Set.of(), call.tenant());
	}

	private HttpResult list(HttpCall call) {
		String status = call.query().string("status");
		if (status != null && !STATES.containsKey(status)) {
			throw HttpFailure.invalid("status", status,
					"must be one of " + String.join(", ", STATES.keySet().stream().sorted().toList()));
		}
		Page page = Page.of(call);
		JobFilter filter = filter(call).states((status != null) ? STATES.get(status) : Set.of());
		List<Map<String, @Nullable Object>> items = this.jobs.search(filter, page.offset(), page.limit())
			.stream()
			.map(WebhookDeliveryEndpoints::json)
			.toList();
		return HttpResult.ok(page.body("deliveries", items, this.jobs.count(filter)));
	}

	private HttpResult retry(HttpCall call) {
		StoredJob delivery = found(call);
		this.letters.replay(delivery.job().id())
			.orElseThrow(() -> HttpFailure
				.conflict("The delivery is not dead; only those that are can be tried again by hand."));
		return HttpResult.ok(DELIVERY, json(found(call)));
	}

	private StoredJob found(HttpCall call) {
		String id = call.path("id");
		HttpFailure missing = HttpFailure.notFound(DELIVERY, id);
		if (!id.startsWith(WebhookDelivery.ID_PREFIX)) {
			throw missing;
		}
		try {
			String job = JobRules.id(id.substring(WebhookDelivery.ID_PREFIX.length()));
			return this.jobs.search(filter(call).ids(Set.of(job)), 0, 1)
				.stream()
				.findFirst()
				.orElseThrow(() -> missing);
		}
		catch (InvalidJobException ex) {
			throw missing;
		}
	}

	private static Map<String, @Nullable Object> json(StoredJob stored) {
		Job job = stored.job();
		Map<String, @Nullable Object> known = stored.json();
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("id", WebhookDelivery.ID_PREFIX + job.id());
		object.put("subscription_id", job.meta().get(WebhookDelivery.META_SUBSCRIPTION));
		object.put("event_id", job.meta().get(WebhookDelivery.META_EVENT));
		object.put("event_type", job.meta().get(WebhookDelivery.META_EVENT_TYPE));
		object.put("status", status(job));
		object.put("attempts", job.attempt());
		object.put("max_attempts", stored.maxAttempts());
		object.put("result", job.result());
		List<JobError> errors = job.errors();
		if (!errors.isEmpty()) {
			JobError last = errors.get(errors.size() - 1);
			object.put("error", Map.of("type", last.type(), "message", last.message()));
		}
		for (String field : List.of("created_at", "completed_at", "next_attempt_at")) {
			if (known.get(field) != null) {
				object.put(field, known.get(field));
			}
		}
		return object;
	}

	private static String status(Job job) {
		return STATES.entrySet()
			.stream()
			.filter((entry) -> job.state() != null && entry.getValue().contains(job.state()))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse("pending");
	}

}
