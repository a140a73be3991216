package io.ojs.workflow;

/**
 * A part of a workflow: a job, or another workflow. A minor version may add kinds of
 * steps: a {@code switch} over them needs a {@code default}.
 */
public sealed interface Step permits JobStep, Workflow {

}
