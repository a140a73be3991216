package io.ojs.fetch;

import java.time.Duration;

/**
 * How long a worker has a job that it fetches.
 *
 * @param lease when the run is lost unless the lease is extended, and by how much it is
 * extended; at least a second
 * @param timeout when the run has failed however often its lease is extended; longer than
 * zero
 */
public record Reservation(Duration lease, Duration timeout) {
}
