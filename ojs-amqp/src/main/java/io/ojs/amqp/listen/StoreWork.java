package io.ojs.amqp.listen;

import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

import io.ojs.fetch.FetchStore;
import io.ojs.fetch.WakeUps;

/**
 * What it takes to work queues whose jobs the store delivers.
 *
 * @param fetches hands out jobs
 * @param wakeUps tells that there are some
 * @param threads makes the threads that run jobs, by queue
 */
public record StoreWork(FetchStore fetches, WakeUps wakeUps, Function<String, ThreadFactory> threads) {
}
