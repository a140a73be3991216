package io.ojs.workflow;

import io.ojs.job.JobVersion;
import org.jspecify.annotations.Nullable;

/**
 * What a job of a workflow has returned.
 *
 * @param value a value of JSON's own types
 * @param type the type of the job
 * @param version the version of the job, and so of what it returns; {@code null} if it
 * has none
 */
public record StepResult(@Nullable Object value, String type, @Nullable JobVersion version) {
}
