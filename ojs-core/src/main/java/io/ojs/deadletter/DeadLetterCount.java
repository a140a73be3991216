package io.ojs.deadletter;

/**
 * How many dead letters a filter means.
 *
 * @param total how many
 * @param expired how many of them no worker would start any more
 */
public record DeadLetterCount(long total, long expired) {
}
