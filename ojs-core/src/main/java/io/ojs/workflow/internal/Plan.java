package io.ojs.workflow.internal;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.JobFactory;
import io.ojs.internal.json.JsonObjects;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.middleware.JobDroppedException;
import io.ojs.workflow.Batch;
import io.ojs.workflow.Callback;
import io.ojs.workflow.InvalidWorkflowException;
import io.ojs.workflow.JobStep;
import io.ojs.workflow.Step;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowType;
import io.ojs.workflow.internal.Shape.Branch;
import io.ojs.workflow.internal.Shape.Leaf;
import org.jspecify.annotations.Nullable;

/**
 * A checked workflow: its shape and its jobs.
 *
 * @param shape the shape
 * @param jobs the jobs by their numbers
 */
record Plan(Branch shape, List<EncodedJob> jobs) {

	private static final int LONGEST_NAME = 255;

	/**
	 * The largest size in bytes of the metadata that all jobs together inherit from
	 * workflows.
	 */
	static final int MAX_INHERITED_BYTES = 1024 * 1024;

	/**
	 * Checks a workflow and plans its jobs.
	 * @throws InvalidWorkflowException if it breaks a rule
	 */
	static Plan of(Workflow workflow, JobFactory factory, JobIdGenerator ids, WorkflowLimits limits) {
		Planning planning = new Planning(limits);
		Branch shape = planning.branch(workflow, "", List.of(), 1);
		// Ids are made in the order of the jobs, in which workers run jobs that are
		// otherwise equal.
		Inherited inherited = new Inherited();
		return new Plan(shape, planning.jobs.stream().map((planned) -> {
			EncodedJob job = planned.create(factory, ids.next());
			inherited.add(planned, job.job());
			return job;
		}).toList());
	}

	/**
	 * Counts the metadata that jobs inherit from their workflows: a request has it once,
	 * but each job gets a copy.
	 */
	private static final class Inherited {

		private final JsonObjects json = new JsonObjects();

		private long bytes;

		void add(Planned planned, Job job) {
			Map<String, @Nullable Object> copied = new LinkedHashMap<>(job.meta());
			copied.keySet().removeAll(planned.request().meta().keySet());
			copied.keySet().removeIf((key) -> planned.layers().stream().noneMatch((layer) -> layer.containsKey(key)));
			if (copied.isEmpty()) {
				return;
			}
			this.bytes += this.json.write(copied).length;
			if (this.bytes > MAX_INHERITED_BYTES) {
				throw new InvalidWorkflowException("meta", this.bytes + " bytes in the jobs up to " + planned.path(),
						"must have at most %d bytes in all jobs together, each of which gets a copy; pass a reference to the data"
							.formatted(MAX_INHERITED_BYTES),
						null);
			}
		}

	}

	/**
	 * A job in the request.
	 *
	 * @param layers the metadata of the workflows around it, that of the outermost first.
	 * Merged only when the job is made, because each job has a copy
	 */
	private record Planned(String path, JobRequest request, List<Map<String, @Nullable Object>> layers) {

		private JobRequest withMeta() {
			Map<String, @Nullable Object> meta = new LinkedHashMap<>();
			this.layers.forEach(meta::putAll);
			meta.putAll(this.request.meta());
			return new JobRequest(this.request.type(), this.request.args(), this.request.id(), this.request.queue(),
					meta, this.request.priority(), this.request.timeout(), this.request.scheduledAt(),
					this.request.expiresAt(), this.request.retry(), this.request.unique(), this.request.extensions());
		}

		EncodedJob create(JobFactory factory, String id) {
			try {
				return factory.create(withMeta().id((this.request.id() != null) ? this.request.id() : id));
			}
			catch (InvalidJobException ex) {
				throw new InvalidWorkflowException(this.path, ex);
			}
			catch (JobDroppedException ex) {
				throw new InvalidWorkflowException(this.path, this.request.type(),
						"must not be dropped by a middleware, since the workflow would wait for it", ex);
			}
		}

	}

	private static final class Planning {

		private final WorkflowLimits limits;

		private final List<Planned> jobs = new ArrayList<>();

		Planning(WorkflowLimits limits) {
			this.limits = limits;
		}

		Branch branch(Workflow workflow, String path, List<Map<String, @Nullable Object>> outer, int depth) {
			if (depth > this.limits.depth()) {
				throw new InvalidWorkflowException(path, "level " + depth,
						"must not lie deeper than %d levels (ojs.workflows.max-depth)".formatted(this.limits.depth()),
						null);
			}
			String name = workflow.name();
			if (name != null && (name.length() > LONGEST_NAME || name.indexOf(0) >= 0)) {
				throw new InvalidWorkflowException(in(path, "name"), name,
						"must have at most %d characters, and no NUL among them".formatted(LONGEST_NAME), null);
			}
			String field = (workflow.type() == WorkflowType.CHAIN) ? "steps" : "jobs";
			if (workflow.steps().isEmpty()) {
				throw new InvalidWorkflowException(in(path, field), workflow.steps(), "must contain at least one job",
						null);
			}
			List<Map<String, @Nullable Object>> layers = new ArrayList<>(outer);
			layers.add(workflow.meta());
			List<Shape> children = new ArrayList<>();
			for (Step step : workflow.steps()) {
				String at = "%s[%d]".formatted(in(path, field), children.size());
				children.add((step instanceof JobStep job) ? leaf(job.request(), at, layers)
						: branch((Workflow) step, at, layers, depth + 1));
			}
			return new Branch(workflow.type(), workflow.name(), children, callbacks(workflow, path, layers));
		}

		private Map<Callback, Leaf> callbacks(Workflow workflow, String path,
				List<Map<String, @Nullable Object>> layers) {
			Map<Callback, Leaf> callbacks = new EnumMap<>(Callback.class);
			if (workflow instanceof Batch batch) {
				if (batch.callbacks().isEmpty()) {
					throw new InvalidWorkflowException(in(path, "callbacks"), batch.callbacks(),
							"must contain at least one of on_complete, on_success and on_failure; without any, it is "
									+ "a group",
							null);
				}
				batch.callbacks()
					.forEach((callback, request) -> callbacks.put(callback,
							leaf(request, in(path, "callbacks." + callback.wireName()), layers)));
			}
			return callbacks;
		}

		private Leaf leaf(JobRequest request, String path, List<Map<String, @Nullable Object>> layers) {
			if (this.jobs.size() >= this.limits.jobs()) {
				throw new InvalidWorkflowException(path, "one more",
						"must not be beyond %d jobs in all (ojs.workflows.max-jobs)".formatted(this.limits.jobs()),
						null);
			}
			UniquePolicy unique = request.unique();
			if (unique != null && (unique.onConflict() == OnConflict.IGNORE
					|| unique.onConflict() == OnConflict.REPLACE_EXCEPT_SCHEDULE)) {
				throw new InvalidWorkflowException(path + ".unique.on_conflict", unique.onConflict(),
						"must be reject or replace in a workflow, which could not tell whose job it is otherwise",
						null);
			}
			this.jobs.add(new Planned(path, request, layers));
			return new Leaf(this.jobs.size() - 1);
		}

		private static String in(String path, String field) {
			return path.isEmpty() ? field : path + "." + field;
		}

	}

}
