package io.ojs.worker;

import java.time.Duration;

import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job whose run failed or was given back.
 *
 * @param job the job as it is: retryable, discarded, or available if it was given back
 * @param retryDelay how long it waits, if it is retryable
 */
public record Nacked(StoredJob job, @Nullable Duration retryDelay) {
}
