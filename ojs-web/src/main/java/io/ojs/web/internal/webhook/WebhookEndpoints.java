package io.ojs.web.internal.webhook;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.internal.json.JsonFields;
import io.ojs.web.Access;
import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Page;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookFilter;
import io.ojs.webhook.WebhookSettings;
import io.ojs.webhook.Webhooks;
import io.ojs.webhook.internal.WebhookTrial;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions to events: create, list, change, test and delete (OJS Webhooks §6).
 */
public final class WebhookEndpoints implements Endpoints {

	private static final String SUBSCRIPTION = "subscription";

	private static final String PATH = "/v1/webhooks/subscriptions";

	private static final String ONE = PATH + "/{id}";

	private static final String URL = "url";

	private static final String EVENTS = "events";

	private static final String FILTER = "filter";

	private static final String METADATA = "metadata";

	private static final String ACTIVE = "active";

	private static final String SECRET = "secret";

	private static final String QUEUES = "queues";

	private static final String JOB_TYPES = "job_types";

	private final Webhooks webhooks;

	private final WebhookTrial trial;

	public WebhookEndpoints(Webhooks webhooks, WebhookTrial trial) {
		this.webhooks = webhooks;
		this.trial = trial;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.get(PATH, Access.READ, this::list)
			.post(PATH, Access.ADMIN, this::create)
			.get(ONE, Access.READ, (call) -> HttpResult.ok(SUBSCRIPTION, json(found(call), call.now())))
			.patch(ONE, Access.ADMIN, this::change)
			.delete(ONE, Access.ADMIN, this::delete)
			.post(ONE + "/test", Access.ADMIN, this::test)
			.post(ONE + "/rotate-secret", Access.ADMIN, this::rotate);
	}

	private HttpResult list(HttpCall call) {
		Page page = Page.of(call);
		List<Map<String, @Nullable Object>> items = this.webhooks.list(call.tenant(), page.offset(), page.limit())
			.stream()
			.map((webhook) -> json(webhook, call.now()))
			.toList();
		return HttpResult.ok(page.body("subscriptions", items, this.webhooks.count(call.tenant())));
	}

	private HttpResult create(HttpCall call) {
		JsonFields fields = call.fields();
		String url = fields.string(URL);
		List<String> events = fields.strings(EVENTS);
		WebhookFilter filter = filter(fields.nested(FILTER));
		Map<String, @Nullable Object> metadata = fields.object(METADATA);
		Boolean active = fields.bool(ACTIVE);
		String secret = fields.string(SECRET);
		fields.refuseLeftOver("is no field of a subscription");
		if (url == null) {
			throw fields.refuse(URL, null, "is required, such as https://example.com/ojs");
		}
		if (events == null) {
			throw fields.refuse(EVENTS, null, "is required, such as [\"job.completed\"]");
		}
		WebhookSettings settings = new WebhookSettings(url, events, filter, (metadata != null) ? metadata : Map.of(),
				!Boolean.FALSE.equals(active));
		Webhooks.Secret created = this.webhooks.create(call.tenant(), settings, secret);
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(SUBSCRIPTION, withSecret(created, call.now()));
		return HttpResult.created(body).header("Location", Routes.BASE + PATH + "/" + created.webhook().id());
	}

	private static WebhookFilter filter(@Nullable JsonFields fields) {
		if (fields == null) {
			return WebhookFilter.NONE;
		}
		List<String> queues = fields.strings(QUEUES);
		List<String> jobTypes = fields.strings(JOB_TYPES);
		fields.refuseLeftOver("is nothing that events are chosen by");
		return new WebhookFilter(Objects.requireNonNullElse(queues, List.of()),
				Objects.requireNonNullElse(jobTypes, List.of()));
	}

	/** Changes a subscription. Fields that the request does not name stay as they are. */
	private HttpResult change(HttpCall call) {
		String id = found(call).id();
		JsonFields fields = call.fields();
		String url = fields.string(URL);
		List<String> events = fields.strings(EVENTS);
		boolean filtered = fields.has(FILTER);
		WebhookFilter filter = filter(fields.nested(FILTER));
		boolean noted = fields.has(METADATA);
		Map<String, @Nullable Object> metadata = fields.object(METADATA);
		Boolean active = fields.bool(ACTIVE);
		if (fields.has(SECRET)) {
			throw fields.refuse(SECRET, "a secret",
					"must be changed by POST %s%s/%s/rotate-secret".formatted(Routes.BASE, PATH, id));
		}
		fields.refuseLeftOver("cannot be changed in a subscription");
		Webhook changed = this.webhooks.change(id, (before) -> new WebhookSettings((url != null) ? url : before.url(),
				(events != null) ? events : before.events(), filtered ? filter : before.filter(),
				noted ? Objects.requireNonNullElse(metadata, Map.<String, @Nullable Object>of()) : before.metadata(),
				(active != null) ? active : before.active()));
		return HttpResult.ok(SUBSCRIPTION, json(changed, call.now()));
	}

	private HttpResult delete(HttpCall call) {
		this.webhooks.delete(found(call).id());
		return HttpResult.noContent();
	}

	private HttpResult rotate(HttpCall call) {
		String id = found(call).id();
		JsonFields fields = call.fieldsIfAny();
		String secret = fields.string(SECRET);
		fields.refuseLeftOver("is no field of a new secret");
		return HttpResult.ok(SUBSCRIPTION, withSecret(this.webhooks.rotate(id, secret), call.now()));
	}

	private HttpResult test(HttpCall call) {
		WebhookTrial.Result result = this.trial.run(found(call))
			.orElseThrow(() -> new HttpFailure(HttpError
				.of(429, "rate_limited", "rate_limited",
						"One of your subscriptions is being tried, or %d of others: no more can be at a time."
							.formatted(WebhookTrial.AT_ONCE))
				.retryAfter(1)));
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("success", result.success());
		body.put("status_code", result.status());
		body.put("response_time_ms", result.duration().toMillis());
		body.put("response_body", result.body());
		if (result.error() != null) {
			body.put("error", result.error());
		}
		return HttpResult.ok(body);
	}

	private Webhook found(HttpCall call) {
		String id = call.path("id");
		return this.webhooks.find(id)
			.filter((webhook) -> call.tenant() == null || call.tenant().equals(webhook.tenant()))
			.orElseThrow(() -> HttpFailure.notFound(SUBSCRIPTION, id));
	}

	/** Adds the secret, which no later answer shows. */
	private static Map<String, @Nullable Object> withSecret(Webhooks.Secret secret, Instant now) {
		Map<String, @Nullable Object> object = json(secret.webhook(), now);
		object.put(SECRET, secret.secret());
		return object;
	}

	private static Map<String, @Nullable Object> json(Webhook webhook, Instant now) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("id", webhook.id());
		object.put(URL, webhook.url());
		object.put(EVENTS, webhook.events());
		WebhookFilter filter = webhook.filter();
		if (!filter.equals(WebhookFilter.NONE)) {
			Map<String, @Nullable Object> shown = new LinkedHashMap<>();
			shown.put(QUEUES, filter.queues());
			shown.put(JOB_TYPES, filter.jobTypes());
			object.put(FILTER, shown);
		}
		object.put(ACTIVE, webhook.active());
		object.put(METADATA, webhook.metadata());
		if (webhook.tenant() != null) {
			object.put("tenant_id", webhook.tenant());
		}
		Instant until = webhook.previousSecretUntil();
		if (until != null && until.isAfter(now)) {
			object.put("previous_secret_until", ResponseJson.time(until));
		}
		object.put("created_at", ResponseJson.time(webhook.createdAt()));
		object.put("updated_at", ResponseJson.time(webhook.updatedAt()));
		return object;
	}

}
