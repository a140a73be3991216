package io.ojs.jdbc;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A job of a workflow has ended: a row of {@code ojs_workflow_end}.
 *
 * @param workflowId the workflow
 * @param row the job as it is now
 */
record WorkflowEnd(UUID workflowId, JobRow row) implements Dialect.Row {

	@Override
	public @Nullable Object value(String column) {
		return switch (column) {
			case "workflow_id" -> this.workflowId;
			case "step" -> this.row.workflowStep;
			case "job_id" -> this.row.id;
			case "error" -> (this.row.state.wireName().equals("discarded")) ? this.row.errors : null;
			default -> this.row.value(column);
		};
	}

}
