package io.ojs.workflow;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.client.EncodedJob;
import io.ojs.client.JobFactory;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.middleware.JobDroppedException;
import io.ojs.workflow.Shape.Branch;
import io.ojs.workflow.Shape.Leaf;
import org.jspecify.annotations.Nullable;

/**
 * A workflow with every rule checked: how its jobs hang together, and each job as it is
 * going to be.
 *
 * @param shape how they hang together
 * @param jobs the jobs by their numbers
 */
record Plan(Branch shape, List<EncodedJob> jobs) {

	private static final int LONGEST_NAME = 255;

	/**
	 * Checks a workflow.
	 * @throws InvalidWorkflowException if it breaks a rule
	 */
	static Plan of(Workflow workflow, JobFactory factory, JobIdGenerator ids, WorkflowLimits limits) {
		Planning planning = new Planning(limits);
		Branch shape = planning.branch(workflow, "", Map.of(), 1);
		// In the order in which they are worked, if nothing else tells them apart.
		return new Plan(shape, planning.jobs.stream().map((job) -> job.create(factory, ids.next())).toList());
	}

	/**
	 * A job that was asked for.
	 *
	 * @param path where it stands
	 * @param request what was asked for
	 */
	private record Planned(String path, JobRequest request) {

		EncodedJob create(JobFactory factory, String id) {
			try {
				return factory.create((this.request.id() != null) ? this.request : this.request.id(id));
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

		Branch branch(Workflow workflow, String path, Map<String, @Nullable Object> inherited, int depth) {
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
			Map<String, @Nullable Object> meta = new LinkedHashMap<>(inherited);
			meta.putAll(workflow.meta());
			List<Shape> children = new ArrayList<>();
			for (Step step : workflow.steps()) {
				String at = "%s[%d]".formatted(in(path, field), children.size());
				children.add((step instanceof JobStep job) ? leaf(job.request(), at, meta)
						: branch((Workflow) step, at, meta, depth + 1));
			}
			return new Branch(workflow.type(), workflow.name(), children, callbacks(workflow, path, meta));
		}

		private Map<Callback, Leaf> callbacks(Workflow workflow, String path, Map<String, @Nullable Object> meta) {
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
							leaf(request, in(path, "callbacks." + callback.wireName()), meta)));
			}
			return callbacks;
		}

		private Leaf leaf(JobRequest request, String path, Map<String, @Nullable Object> inherited) {
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
			Map<String, @Nullable Object> meta = new LinkedHashMap<>(inherited);
			meta.putAll(request.meta());
			this.jobs.add(new Planned(path,
					new JobRequest(request.type(), request.args(), request.id(), request.queue(), meta,
							request.priority(), request.timeout(), request.scheduledAt(), request.expiresAt(),
							request.retry(), request.unique(), request.extensions())));
			return new Leaf(this.jobs.size() - 1);
		}

		private static String in(String path, String field) {
			return path.isEmpty() ? field : path + "." + field;
		}

	}

}
