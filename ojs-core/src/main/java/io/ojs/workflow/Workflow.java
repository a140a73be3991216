package io.ojs.workflow;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Jobs that belong together, before they are started (OJS Workflows §3). Immutable; each
 * method gives a changed copy. Nothing is checked before it is started.
 *
 * <pre>{@code
 * workflows.start(Workflow.chain("order")
 * 	.then(JobRequest.of("order.validate", 4711))
 * 	.then(JobRequest.of("payment.charge").queue("payments")));
 * }</pre>
 */
public sealed interface Workflow extends Step permits Chain, Group, Batch {

	/**
	 * Begins a chain: steps that run one after another, each with the results of those
	 * before it.
	 * @param name a name for people; need not be unique
	 * @return a chain without steps
	 */
	static Chain chain(String name) {
		return new Chain(name, List.of(), Map.of());
	}

	/**
	 * Begins a group: jobs that run at once.
	 * @param name a name for people; need not be unique
	 * @return a group without jobs
	 */
	static Group group(String name) {
		return new Group(name, List.of(), Map.of());
	}

	/**
	 * Begins a batch: jobs that run at once, and callbacks that run when all have ended.
	 * @param name a name for people; need not be unique
	 * @return a batch without jobs and callbacks
	 */
	static Batch batch(String name) {
		return new Batch(name, List.of(), Map.of(), Map.of());
	}

	/**
	 * In which way its steps belong together.
	 * @return the type
	 */
	WorkflowType type();

	/**
	 * A name for people.
	 * @return the name, at most 255 characters; {@code null} without one
	 */
	@Nullable String name();

	/**
	 * What it is made of.
	 * @return the steps of a chain, or the jobs of a group or batch
	 */
	List<Step> steps();

	/**
	 * What all its jobs have in their {@code meta}, unless they say otherwise.
	 * @return JSON values, or what can be turned into them
	 */
	Map<String, @Nullable Object> meta();

	/**
	 * Adds an entry to {@code meta} of all its jobs that do not have it.
	 * @param key the key
	 * @param value a JSON value, or what can be turned into one
	 * @return a copy with the entry
	 */
	Workflow meta(String key, @Nullable Object value);

}
