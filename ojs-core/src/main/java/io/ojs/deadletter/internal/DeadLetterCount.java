package io.ojs.deadletter.internal;

/**
 * The number of dead letters that match a filter.
 *
 * @param total the number of dead letters
 * @param expired how many of them have expired, so that no worker would start them
 */
public record DeadLetterCount(long total, long expired) {
}
