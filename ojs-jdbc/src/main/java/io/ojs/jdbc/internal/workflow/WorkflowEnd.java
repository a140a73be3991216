package io.ojs.jdbc.internal.workflow;

import io.ojs.internal.engine.JobRow;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobColumn;
import org.jspecify.annotations.Nullable;

/**
 * The end of a job of a workflow: a row of {@code ojs_workflow_end}.
 *
 * @param row the job as it is now
 */
record WorkflowEnd(JobRow row) implements Dialect.Row {

	@Override
	public @Nullable Object value(String column) {
		return switch (column) {
			case "workflow_id" -> this.row.workflowId;
			case "step" -> this.row.workflowStep;
			case "job_id" -> this.row.id;
			case "error" -> (this.row.state.wireName().equals("discarded")) ? this.row.errors : null;
			default -> JobColumn.value(this.row, column);
		};
	}

}
