package io.ojs.jdbc.limit;

import io.ojs.job.RateLimit;

/**
 * A limit that holds for a job.
 *
 * @param key what is counted together, and is locked while somebody asks
 * @param limit what may start
 */
record KeyedLimit(String key, RateLimit limit) {
}
