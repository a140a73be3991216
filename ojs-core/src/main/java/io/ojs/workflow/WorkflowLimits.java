package io.ojs.workflow;

/**
 * How large workflows may be.
 *
 * @param depth how many levels of workflows in workflows; 1 is a workflow of jobs
 * @param jobs how many jobs in all, callbacks included
 * @param resultBytes how large all results may be together that are passed on to a job
 */
public record WorkflowLimits(int depth, int jobs, int resultBytes) {

	/** Default of the depth. */
	public static final int DEFAULT_DEPTH = 5;

	/** Default of the number of jobs. */
	public static final int DEFAULT_JOBS = 1000;

	/** Default of the size of results. */
	public static final int DEFAULT_RESULT_BYTES = 512 * 1024;

	/** What they are unless somebody says otherwise. */
	public static final WorkflowLimits DEFAULT = new WorkflowLimits(DEFAULT_DEPTH, DEFAULT_JOBS, DEFAULT_RESULT_BYTES);

}
