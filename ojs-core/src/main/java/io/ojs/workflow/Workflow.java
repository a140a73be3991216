package io.ojs.workflow;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A definition of jobs that belong together (OJS Workflows §3). Immutable; each method
 * returns a changed copy. The values are checked when the workflow is started. A minor
 * version may add types: a {@code switch} over them needs a {@code default}.
 *
 * <pre>{@code
 * workflows.start(Workflow.chain("order")
 * 	.then(JobRequest.of("order.validate", 4711))
 * 	.then(JobRequest.of("payment.charge").queue("payments")));
 * }</pre>
 */
public sealed interface Workflow extends Step permits Chain, Group, Batch {

	/**
	 * Creates a chain: steps that run one after another, each with the results of the
	 * earlier ones.
	 * @param name a name for people; need not be unique
	 * @return a chain without steps
	 */
	static Chain chain(String name) {
		return new Chain(name, List.of(), Map.of());
	}

	/**
	 * Creates a group: jobs that run at once.
	 * @param name a name for people; need not be unique
	 * @return a group without jobs
	 */
	static Group group(String name) {
		return new Group(name, List.of(), Map.of());
	}

	/**
	 * Creates a batch: jobs that run at once, and callbacks that run when all of them
	 * have ended.
	 * @param name a name for people; need not be unique
	 * @return a batch without jobs and callbacks
	 */
	static Batch batch(String name) {
		return new Batch(name, List.of(), Map.of(), Map.of());
	}

	/**
	 * Returns the type of the workflow.
	 * @return the type
	 */
	WorkflowType type();

	/**
	 * Returns the name for people.
	 * @return the name, at most 255 characters; {@code null} without one
	 */
	@Nullable String name();

	/**
	 * Returns the steps.
	 * @return the steps of a chain, or the jobs of a group or batch
	 */
	List<Step> steps();

	/**
	 * Returns the entries of {@code meta} for all jobs that do not have them.
	 * @return JSON values, or values that can be converted to JSON
	 */
	Map<String, @Nullable Object> meta();

	/**
	 * Adds an entry to {@code meta} of all jobs that do not have it.
	 * @param key the key
	 * @param value a JSON value, or one that can be converted to JSON
	 * @return a copy with the entry
	 */
	Workflow meta(String key, @Nullable Object value);

}
