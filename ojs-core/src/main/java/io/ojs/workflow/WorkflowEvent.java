package io.ojs.workflow;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Something happened to a workflow (OJS Workflows, Appendix B). Kept in the feed of
 * events, and told in the process that did it, after the commit.
 *
 * @param name such as {@code workflow.completed}
 * @param workflowId the workflow
 * @param type in which way its steps belong together
 * @param workflowName its name, if it has one
 * @param queue the queue of its first job
 * @param tenant whose it is; {@code null} if it is nobody's
 * @param data what else there is to say, such as {@code job_id} and {@code step_index};
 * values that are JSON's own
 */
public record WorkflowEvent(String name, String workflowId, WorkflowType type, @Nullable String workflowName,
		String queue, @Nullable String tenant, Map<String, @Nullable Object> data) {

	public WorkflowEvent {
		data = Copies.copy(data);
	}

}
