package io.ojs.workflow.internal;

import io.ojs.job.JobVersion;
import org.jspecify.annotations.Nullable;

/**
 * The result of a job of a workflow.
 *
 * @param value a value of JSON's own types
 * @param type the type of the job
 * @param version the version of the job, and so of its result; {@code null} without one
 */
public record StepResult(@Nullable Object value, String type, @Nullable JobVersion version) {
}
