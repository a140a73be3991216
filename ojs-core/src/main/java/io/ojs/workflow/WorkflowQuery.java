package io.ojs.workflow;

import org.jspecify.annotations.Nullable;

/**
 * Conditions for workflows.
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

	public WorkflowQuery {
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
