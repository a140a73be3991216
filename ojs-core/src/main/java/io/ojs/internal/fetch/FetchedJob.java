package io.ojs.internal.fetch;

import java.time.Duration;

import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A job that a worker has fetched.
 *
 * @param job the job, active, with this attempt counted
 * @param lease the right to run it
 * @param retryDelay the delay since the last attempt failed; {@code null} at the first
 * attempt, and after a lost run
 */
public record FetchedJob(StoredJob job, Lease lease, @Nullable Duration retryDelay) {
}
