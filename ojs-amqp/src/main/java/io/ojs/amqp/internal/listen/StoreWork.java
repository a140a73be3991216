package io.ojs.amqp.internal.listen;

import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.fetch.WakeUps;

/**
 * What a worker needs to work queues whose jobs the job store delivers.
 *
 * @param fetches provides jobs
 * @param wakeUps wakes the worker when a queue has jobs
 * @param threads creates the threads that run jobs, by queue
 */
public record StoreWork(FetchStore fetches, WakeUps wakeUps, Function<String, ThreadFactory> threads) {
}
