package io.ojs.workflow;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An event of a workflow (OJS Workflows, Appendix B). The event feed keeps it, and
 * listeners in the process that caused it are notified after the commit.
 *
 * @param name the name, such as {@code workflow.completed}
 * @param workflowId the id of the workflow
 * @param type its type
 * @param workflowName its name, if it has one
 * @param queue the queue of its first job
 * @param tenant its tenant; {@code null} without one
 * @param data further data, such as {@code job_id} and {@code step_index}; values of
 * JSON's own types
 */
public record WorkflowEvent(String name, String workflowId, WorkflowType type, @Nullable String workflowName,
		String queue, @Nullable String tenant, Map<String, @Nullable Object> data) {

	public WorkflowEvent {
		data = Copies.copy(data);
	}

}
