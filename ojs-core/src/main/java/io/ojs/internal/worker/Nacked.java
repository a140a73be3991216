package io.ojs.internal.worker;

import java.time.Duration;

import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * A job whose run failed or was given back.
 *
 * @param job the job: retryable, discarded, or available if it was given back
 * @param retryDelay the delay until the next attempt, if the job is retryable
 */
public record Nacked(StoredJob job, @Nullable Duration retryDelay) {
}
