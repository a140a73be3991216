package io.ojs.internal.worker;

import io.ojs.internal.fetch.FetchStore;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.ProgressStore;

/**
 * The stores that serve workers over HTTP.
 *
 * @param fetches fetches jobs
 * @param attempts records the outcomes of runs
 * @param workers knows the workers
 * @param progress keeps the progress of jobs
 */
public record RemoteStores(FetchStore fetches, AttemptStore attempts, WorkerStore workers, ProgressStore progress) {
}
