package io.ojs.internal.admin;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import org.jspecify.annotations.Nullable;

/**
 * What jobs are searched by, as JSON objects: the fields are named like the parameters of
 * the list.
 */
public final class JobCriteriaJson {

	private static final String LABEL = "label";

	private JobCriteriaJson() {
	}

	/**
	 * Reads criteria, without a tenant. Unknown fields are left over for the caller.
	 * @throws InvalidJobException if no job can have a value
	 */
	public static JobSearch.Criteria read(JsonFields fields) {
		JobFilter filter = JobFilterJson.read(fields);
		return new JobSearch.Criteria(filter.operation(fields.string("operation")), null, null, labels(fields),
				fields.string("error_type"), fields.string("error"), fields.string("workflow_id"),
				fields.string("worker"))
			.id(fields.string("id"));
	}

	private static Set<String> labels(JsonFields fields) {
		if (fields.peek(LABEL) instanceof String) {
			return Set.of(String.valueOf(fields.string(LABEL)));
		}
		List<String> labels = fields.strings(LABEL);
		return (labels != null) ? new LinkedHashSet<>(labels) : Set.of();
	}

	/** Writes criteria that {@link #read} has read. */
	public static Map<String, @Nullable Object> write(JobSearch.Criteria criteria) {
		Map<String, @Nullable Object> json = JobFilterJson.write(criteria.filter());
		json.put("id", criteria.id());
		json.put(LABEL, criteria.labels().isEmpty() ? null : List.copyOf(criteria.labels()));
		json.put("error_type", criteria.errorType());
		json.put("error", criteria.error());
		json.put("workflow_id", criteria.workflowId());
		json.put("worker", criteria.worker());
		json.put("operation", criteria.filter().operation());
		json.values().removeIf((value) -> value == null);
		return json;
	}

}
