package io.ojs.jdbc.internal.limit;

import io.ojs.job.RateLimit;

/**
 * A limit of a job.
 *
 * @param key the key whose starts are counted together; a transaction that asks locks it
 * @param limit the limit
 */
record KeyedLimit(String key, RateLimit limit) {
}
