package io.ojs.workflow;

/**
 * A part of a workflow: a job, or another workflow.
 */
public sealed interface Step permits JobStep, Workflow {

}
