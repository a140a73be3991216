package io.ojs.workflow.internal;

/**
 * The limits of workflows.
 *
 * @param depth the largest number of levels of nested workflows; 1 is a workflow of jobs
 * @param jobs the largest number of jobs in all, including callbacks
 * @param resultBytes the largest total size in bytes of the results that are passed to a
 * job
 */
public record WorkflowLimits(int depth, int jobs, int resultBytes) {

	/** The default of the depth. */
	public static final int DEFAULT_DEPTH = 5;

	/** The default of the number of jobs. */
	public static final int DEFAULT_JOBS = 1000;

	/** The default of the size of results. */
	public static final int DEFAULT_RESULT_BYTES = 512 * 1024;

	/** The default limits. */
	public static final WorkflowLimits DEFAULT = new WorkflowLimits(DEFAULT_DEPTH, DEFAULT_JOBS, DEFAULT_RESULT_BYTES);

}
