package io.ojs.deadletter.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.deadletter.ReplayOverrides;
import io.ojs.internal.json.JsonFields;
import io.ojs.internal.json.RetryPolicyJson;
import io.ojs.job.InvalidJobException;
import io.ojs.retry.InvalidRetryPolicyException;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Changes of replayed jobs as JSON objects.
 */
public final class ReplayOverridesJson {

	private ReplayOverridesJson() {
	}

	/**
	 * Reads changes. Refuses unknown fields.
	 * @throws InvalidJobException if a value breaks a rule
	 */
	public static ReplayOverrides read(JsonFields fields) {
		String queue = fields.string("queue");
		Integer priority = fields.integer("priority");
		List<@Nullable Object> args = fields.array("args");
		Map<String, @Nullable Object> meta = fields.object("meta");
		JsonFields retry = fields.nested("retry");
		fields.refuseLeftOver("cannot be changed in a retry");
		return new ReplayOverrides(queue, priority, args, (meta != null) ? meta : Map.of(),
				(retry != null) ? policy(retry) : null);
	}

	private static RetryOverrides policy(JsonFields fields) {
		try {
			RetryOverrides policy = RetryPolicyJson.read(fields);
			fields.refuseLeftOver("is no field of a retry policy");
			return policy;
		}
		catch (InvalidRetryPolicyException ex) {
			throw new InvalidJobException("retry." + ex.field(), ex.value(), ex.problem(), ex);
		}
	}

	/** Writes changes whose values are those of JSON. */
	public static Map<String, @Nullable Object> write(ReplayOverrides overrides) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("queue", overrides.queue());
		json.put("priority", overrides.priority());
		json.put("args", overrides.args());
		json.put("meta", overrides.meta().isEmpty() ? null : overrides.meta());
		json.put("retry", (overrides.retry() != null) ? RetryPolicyJson.write(overrides.retry()) : null);
		return json;
	}

}
