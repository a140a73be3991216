package io.ojs.workflow;

/**
 * What a workflow is made of: jobs, and other workflows.
 */
public sealed interface Step permits JobStep, Workflow {

}
