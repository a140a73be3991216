package io.ojs.worker;

import io.ojs.fetch.FetchStore;
import io.ojs.store.attempt.AttemptStore;
import io.ojs.store.attempt.ProgressStore;

/**
 * The stores that workers need who fetch their jobs.
 *
 * @param fetches hands out jobs
 * @param attempts records how runs end
 * @param workers knows workers
 * @param progress keeps how far jobs are
 */
public record RemoteStores(FetchStore fetches, AttemptStore attempts, WorkerStore workers, ProgressStore progress) {
}
