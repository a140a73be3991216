package io.ojs.internal.fetch;

import java.time.Duration;

/**
 * How long a worker has a job that it fetches.
 *
 * @param lease the duration of the lease, and of each extension; at least a second. The
 * run is lost if it is not extended
 * @param timeout the longest duration of the run, however often the lease is extended;
 * longer than zero
 */
public record Reservation(Duration lease, Duration timeout) {
}
