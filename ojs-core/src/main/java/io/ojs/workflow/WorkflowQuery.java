package io.ojs.workflow;

import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Conditions for workflows.
 * <p>
 * Begin with {@link #ALL}: the constructor changes when a component is added.
 *
 * @param state only those in this state; {@code null} for any
 * @param type only those of this type; {@code null} for any
 * @param name only those with this name; {@code null} for any
 * @param before only those older than the one with this id; {@code null} for the newest
 * @param limit the largest number of workflows, 1 to 1000
 * @param tenant only those of this tenant; {@code null} for any
 */
public record WorkflowQuery(@Nullable WorkflowState state, @Nullable WorkflowType type, @Nullable String name,
		@Nullable String before, int limit, @Nullable String tenant) {

	/** A query for the hundred newest workflows. */
	public static final WorkflowQuery ALL = new WorkflowQuery(null, null, null, null, 100, null);

	private static final int MAX_LIMIT = 1000;

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if the limit is out of range
	 * @throws InvalidWorkflowException if {@code before} is no id of a workflow
	 */
	public WorkflowQuery {
		if (before != null) {
			try {
				before = JobRules.id(before);
			}
			catch (InvalidJobException ex) {
				throw new InvalidWorkflowException("before", before,
						"must be the id of the last workflow of the page before; leave it out for the first page", ex);
			}
		}
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT + ", but was " + limit + ".");
		}
	}

	/**
	 * Matches only workflows in a state.
	 * @param value the state
	 * @return a copy with the state
	 */
	public WorkflowQuery state(WorkflowState value) {
		return new WorkflowQuery(value, this.type, this.name, this.before, this.limit, this.tenant);
	}

	/**
	 * Matches only workflows of a type.
	 * @param value the type
	 * @return a copy with the type
	 */
	public WorkflowQuery type(WorkflowType value) {
		return new WorkflowQuery(this.state, value, this.name, this.before, this.limit, this.tenant);
	}

	/**
	 * Matches only workflows that are older than another one, such as the last one of the
	 * page before.
	 * @param value the id of the other one
	 * @return a copy with the id
	 * @throws InvalidWorkflowException if it is no id of a workflow
	 */
	public WorkflowQuery before(String value) {
		return new WorkflowQuery(this.state, this.type, this.name, value, this.limit, this.tenant);
	}

	/**
	 * Sets the largest number of workflows.
	 * @param value 1 to 1000
	 * @return a copy with the number
	 * @throws IllegalArgumentException if the value is out of range
	 */
	public WorkflowQuery limit(int value) {
		return new WorkflowQuery(this.state, this.type, this.name, this.before, value, this.tenant);
	}

	/**
	 * Matches only workflows with a name.
	 * @param value the name
	 * @return a copy with the name
	 */
	public WorkflowQuery name(String value) {
		return new WorkflowQuery(this.state, this.type, value, this.before, this.limit, this.tenant);
	}

	/**
	 * Matches only workflows of a tenant.
	 * @param value the id of the tenant; {@code null} for any
	 * @return a copy with the tenant
	 */
	public WorkflowQuery tenant(@Nullable String value) {
		return new WorkflowQuery(this.state, this.type, this.name, this.before, this.limit, value);
	}

}
