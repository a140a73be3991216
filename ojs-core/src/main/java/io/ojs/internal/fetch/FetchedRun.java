package io.ojs.internal.fetch;

import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Lease;

/**
 * A run that a process of this library has fetched.
 *
 * @param job the job, active, with this attempt counted
 * @param lease the right to run it
 * @param limited whether the job has a place under a limit, which another job gets when
 * it ends
 */
public record FetchedRun(StoredJob job, Lease lease, boolean limited) {
}
