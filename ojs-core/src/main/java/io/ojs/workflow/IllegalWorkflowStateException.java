package io.ojs.workflow;

import java.util.Map;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A workflow cannot be cancelled, because it has ended (OJS Workflows §11.3).
 */
public class IllegalWorkflowStateException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String workflowId;

	private final WorkflowState state;

	/**
	 * Creates the exception.
	 * @param workflowId the id
	 * @param state its state
	 */
	public IllegalWorkflowStateException(String workflowId, WorkflowState state) {
		super(ErrorCode.INVALID_STATE_TRANSITION,
				"Workflow %s is %s already and cannot be cancelled.".formatted(workflowId, state.wireName()));
		this.workflowId = workflowId;
		this.state = state;
	}

	/**
	 * Returns the id of the workflow.
	 * @return its id
	 */
	public String workflowId() {
		return this.workflowId;
	}

	/**
	 * Returns the state of the workflow.
	 * @return a terminal state
	 */
	public WorkflowState state() {
		return this.state;
	}

	@Override
	public Map<String, @Nullable Object> details() {
		return Map.of("current_state", this.state.wireName());
	}

}
