package io.ojs.webhook.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.event.StoredEvent;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import io.ojs.tenant.internal.TenantWorkers;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of an event in a delivery (OJS Events §3).
 */
final class WebhookEnvelope {

	static final String TYPE = "type";

	static final String ID = "id";

	static final String JOB_TYPE = "job_type";

	private static final String RESULT = "result";

	/** Fields that say which job the event is about, and its tenant. */
	private static final List<String> ALWAYS = List.of(JOB_TYPE, "queue", "tenant_id");

	private WebhookEnvelope() {
	}

	/**
	 * Returns the event with all data, and then with less, for events that no job can
	 * carry. All subscriptions get the same, so it is what the job's tenant may see.
	 */
	static List<Map<String, @Nullable Object>> variants(StoredEvent event) {
		Map<String, @Nullable Object> whole = (event.tenant() != null)
				? TenantWorkers.hideOthers(event.data(), event.tenant()) : event.data();
		Map<String, @Nullable Object> least = new LinkedHashMap<>();
		ALWAYS.stream().filter(whole::containsKey).forEach((field) -> least.put(field, whole.get(field)));
		least.put("data_omitted", true);
		if (whole.get(RESULT) == null) {
			return List.of(of(event, whole), of(event, least));
		}
		Map<String, @Nullable Object> withoutResult = new LinkedHashMap<>(whole);
		withoutResult.remove(RESULT);
		withoutResult.put("result_omitted", true);
		return List.of(of(event, whole), of(event, withoutResult), of(event, least));
	}

	private static Map<String, @Nullable Object> of(StoredEvent event, Map<String, @Nullable Object> data) {
		return of(event.id(), event.type(), event.source(), Rfc3339.format(event.time()), event.subject(), data);
	}

	static Map<String, @Nullable Object> of(String id, String type, String source, String time, String subject,
			Map<String, @Nullable Object> data) {
		Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
		envelope.put("specversion", JobRules.SPEC_VERSION);
		envelope.put(ID, id);
		envelope.put(TYPE, type);
		envelope.put("source", source);
		envelope.put("time", time);
		envelope.put("subject", subject);
		envelope.put("data", data);
		return envelope;
	}

}
