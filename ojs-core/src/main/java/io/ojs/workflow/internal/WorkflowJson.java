package io.ojs.workflow.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.ojs.internal.json.JobRequestJson;
import io.ojs.internal.json.JsonFields;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import io.ojs.workflow.Batch;
import io.ojs.workflow.Callback;
import io.ojs.workflow.Chain;
import io.ojs.workflow.Group;
import io.ojs.workflow.InvalidWorkflowException;
import io.ojs.workflow.JobStep;
import io.ojs.workflow.Step;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowType;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes workflows as JSON objects (OJS Workflows §3, Appendix A): a chain with
 * {@code steps}, a group with {@code jobs}, a batch with {@code jobs} and
 * {@code callbacks}.
 */
public final class WorkflowJson {

	/** Fields that only the server sets; ignored in requests. */
	private static final Set<String> MANAGED = Set.of("id", "state", "metadata");

	/** A limit above any configured depth, for the recursion. */
	private static final int DEEPEST = 64;

	private final Instant now;

	private final UnaryOperator<JobRequest> check;

	private WorkflowJson(Instant now, UnaryOperator<JobRequest> check) {
		this.now = now;
		this.check = check;
	}

	/**
	 * Reads a workflow.
	 * @param object values of JSON's own types, from any source
	 * @param now the base of relative times, such as {@code +PT5S}
	 * @param check throws an {@link InvalidJobException} if a job is refused
	 * @return the workflow; each field of its jobs is valid by itself
	 * @throws InvalidWorkflowException if a field is not valid; it has the path of the
	 * field, such as {@code steps[1].options.priority}
	 */
	public static Workflow read(Map<String, ? extends @Nullable Object> object, Instant now,
			UnaryOperator<JobRequest> check) {
		return new WorkflowJson(now, check).workflow("", object, 1);
	}

	/**
	 * Writes a workflow, so that {@link #read} returns an equal one.
	 * @param values converts arguments and other values to JSON
	 * @throws InvalidJobException if JSON cannot represent an argument
	 */
	public static Map<String, @Nullable Object> write(Workflow workflow, JsonValues values) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("type", workflow.type().wireName());
		if (workflow.name() != null) {
			object.put("name", workflow.name());
		}
		if (!workflow.meta().isEmpty()) {
			object.put("meta", values.toJson("meta", workflow.meta()));
		}
		object.put(stepsOf(workflow.type()),
				workflow.steps()
					.stream()
					.map((step) -> (step instanceof JobStep job) ? JobRequestJson.write(job.request(), values)
							: write((Workflow) step, values))
					.toList());
		if (workflow instanceof Batch batch) {
			Map<String, @Nullable Object> callbacks = new LinkedHashMap<>();
			batch.callbacks()
				.forEach((callback, job) -> callbacks.put(callback.wireName(), JobRequestJson.write(job, values)));
			object.put("callbacks", callbacks);
		}
		return object;
	}

	private static String stepsOf(WorkflowType type) {
		return (type == WorkflowType.CHAIN) ? "steps" : "jobs";
	}

	private Workflow workflow(String path, Map<String, ? extends @Nullable Object> object, int depth) {
		JsonFields fields = new JsonFields(object, (field, value, problem, cause) -> new InvalidWorkflowException(
				path.isEmpty() ? field : path + "." + field, value, problem, cause));
		String name = fields.string("type");
		WorkflowType type = WorkflowType.fromWire((name != null) ? name : "")
			.orElseThrow(() -> fields.refuse("type", name, "must be chain, group or batch"));
		if (depth > DEEPEST) {
			throw fields.refuse("type", name, "must not lie deeper than %d levels".formatted(DEEPEST));
		}
		MANAGED.forEach(fields::any);
		String title = fields.string("name");
		Map<String, @Nullable Object> meta = fields.object("meta");
		Map<String, @Nullable Object> inherited = (meta != null) ? meta : Map.of();
		String field = stepsOf(type);
		List<Step> steps = steps(path.isEmpty() ? field : path + "." + field, field, fields, depth);
		Map<Callback, JobRequest> callbacks = (type == WorkflowType.BATCH) ? callbacks(path, fields) : Map.of();
		fields.refuseLeftOver("is not known");
		return switch (type) {
			case CHAIN -> new Chain(title, steps, inherited);
			case GROUP -> new Group(title, steps, inherited);
			case BATCH -> new Batch(title, steps, callbacks, inherited);
		};
	}

	private List<Step> steps(String path, String field, JsonFields fields, int depth) {
		List<@Nullable Object> array = fields.array(field);
		if (array == null || array.isEmpty()) {
			throw fields.refuse(field, array, "must be an array with at least one job");
		}
		List<Step> steps = new ArrayList<>(array.size());
		for (Object element : array) {
			String at = "%s[%d]".formatted(path, steps.size());
			Map<String, @Nullable Object> object = object(at, element);
			steps.add(isWorkflow(object) ? workflow(at, object, depth + 1) : new JobStep(job(at, object)));
		}
		return steps;
	}

	/**
	 * A job may have the type {@code chain}, {@code group} or {@code batch}, too; then it
	 * has arguments.
	 */
	private static boolean isWorkflow(Map<String, @Nullable Object> object) {
		return object.get("type") instanceof String type && WorkflowType.fromWire(type).isPresent()
				&& !object.containsKey("args");
	}

	private Map<Callback, JobRequest> callbacks(String path, JsonFields fields) {
		Map<String, @Nullable Object> given = fields.object("callbacks");
		if (given == null) {
			throw fields.refuse("callbacks", null, "must be an object with on_complete, on_success or on_failure");
		}
		Map<String, @Nullable Object> left = new LinkedHashMap<>(given);
		Map<Callback, JobRequest> callbacks = new EnumMap<>(Callback.class);
		for (Callback callback : Callback.values()) {
			Object element = left.remove(callback.wireName());
			if (element != null) {
				String at = (path.isEmpty() ? "" : path + ".") + "callbacks." + callback.wireName();
				callbacks.put(callback, job(at, object(at, element)));
			}
		}
		left.forEach((name, value) -> {
			throw fields.refuse("callbacks." + name, value, "must be on_complete, on_success or on_failure");
		});
		return callbacks;
	}

	private JobRequest job(String path, Map<String, @Nullable Object> object) {
		try {
			return this.check.apply(JobRequestJson.read(object, this.now));
		}
		catch (InvalidJobException ex) {
			throw new InvalidWorkflowException(path, ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static Map<String, @Nullable Object> object(String path, @Nullable Object element) {
		if (element instanceof Map<?, ?> map) {
			return (Map<String, @Nullable Object>) map;
		}
		throw new InvalidWorkflowException(path, element, "must be an object", null);
	}

}
