package io.ojs.boot;

import java.time.Duration;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Workflows of jobs.
 *
 * @param enabled Whether this application starts workflows and works on them, if there is
 * a job store.
 * @param pollInterval Longest time until this application notices the end of a job of
 * which it was not notified.
 * @param maxDepth Largest number of levels of nested workflows, 1 to 10. A deeper
 * workflow is rejected.
 * @param maxJobs Largest number of jobs of a workflow, those of nested workflows
 * included, 1 to 10000. A larger workflow is rejected.
 */
public record WorkflowsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1s") Duration pollInterval,
		@DefaultValue("5") int maxDepth, @DefaultValue("1000") int maxJobs) {
}
